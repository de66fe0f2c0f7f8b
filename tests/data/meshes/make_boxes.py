# SPDX-License-Identifier: LGPL-2.1-or-later
"""Write the box meshes of this folder: make_boxes.py FOLDER.

The box [0,2] x [0,1] [x [0,1]] in one cell type per file name; the sides where
the last coordinate is 0 and 1 have the boundary ids 1 and 2, the others have
none; cells have the material id 7 (1 in Abaqus files).
"""
import itertools
import os
import sys

out = sys.argv[1]


def box2(simplex):
    nx, ny = 2, 1
    v = [(i, j, 0) for j in range(ny+1) for i in range(nx+1)]
    n = lambda i, j: j*(nx+1)+i
    cells, faces = [], []
    for j in range(ny):
        for i in range(nx):
            q = [n(i,j), n(i+1,j), n(i+1,j+1), n(i,j+1)]
            cells += [[q[0],q[1],q[2]],[q[0],q[2],q[3]]] if simplex else [q]
    for i in range(nx):
        faces.append(([n(i,0), n(i+1,0)], 1)); faces.append(([n(i,ny), n(i+1,ny)], 2))
    return v, cells, faces
def box3(simplex):
    nx, ny, nz = 2, 1, 1
    n = lambda i, j, k: (k*(ny+1)+j)*(nx+1)+i
    v = [(i, j, k) for k in range(nz+1) for j in range(ny+1) for i in range(nx+1)]
    cells, faces = [], []
    for k in range(nz):
      for j in range(ny):
        for i in range(nx):
            if not simplex:
                cells.append([n(i,j,k),n(i+1,j,k),n(i+1,j+1,k),n(i,j+1,k),n(i,j,k+1),n(i+1,j,k+1),n(i+1,j+1,k+1),n(i,j+1,k+1)])
            else:
                for p in itertools.permutations(range(3)):
                    c = [i,j,k]; t = [n(*c)]
                    for d in p:
                        c[d] += 1; t.append(n(*c))
                    sign = 1
                    for a in range(3):
                        for b in range(a):
                            if p[b] > p[a]: sign = -sign
                    if sign < 0: t[2], t[3] = t[3], t[2]
                    cells.append(t)
    for i in range(nx):
        for z, bid in ((0,1),(nz,2)):
            q = [n(i,0,z), n(i+1,0,z), n(i+1,1,z), n(i,1,z)]
            faces += [([q[0],q[1],q[2]],bid),([q[0],q[2],q[3]],bid)] if simplex else [(q,bid)]
    return v, cells, faces
def write(name, dim, simplex):
    v, cells, faces = (box2 if dim == 2 else box3)(simplex)
    gm = {(2,False):(3,1),(2,True):(2,1),(3,False):(5,3),(3,True):(4,2)}[(dim,simplex)]
    # gmsh 2.2
    with open(f"{out}/{name}-22.msh","w") as f:
        f.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n"%len(v))
        for i,p in enumerate(v): f.write("%d %g %g %g\n"%(i+1,*p))
        f.write("$EndNodes\n$Elements\n%d\n"%(len(cells)+len(faces)))
        e=1
        for fc,b in faces:
            f.write("%d %d 2 %d %d %s\n"%(e,gm[1],b,b," ".join(str(x+1) for x in fc))); e+=1
        for c in cells:
            f.write("%d %d 2 7 7 %s\n"%(e,gm[0]," ".join(str(x+1) for x in c))); e+=1
        f.write("$EndElements\n")
    # gmsh 4.1
    with open(f"{out}/{name}-41.msh","w") as f:
        f.write("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n")
        f.write("$Entities\n")
        cnt=[0,0,0,0]; cnt[dim]=1; cnt[dim-1]=2
        f.write("%d %d %d %d\n"%tuple(cnt))
        for d in range(4):
            if d==dim-1:
                for b in (1,2): f.write("%d 0 0 0 2 1 1 1 %d 0\n"%(b,b))
            if d==dim: f.write("1 0 0 0 2 1 1 1 7 0\n")
        f.write("$EndEntities\n$Nodes\n1 %d 1 %d\n%d 1 0 %d\n"%(len(v),len(v),dim,len(v)))
        for i in range(len(v)): f.write("%d\n"%(i+1))
        for p in v: f.write("%g %g %g\n"%p)
        n=len(cells)+len(faces)
        f.write("$EndNodes\n$Elements\n3 %d 1 %d\n"%(n,n))
        e=1
        for b in (1,2):
            fs=[fc for fc,bb in faces if bb==b]
            f.write("%d %d %d %d\n"%(dim-1,b,gm[1],len(fs)))
            for fc in fs: f.write("%d %s\n"%(e," ".join(str(x+1) for x in fc))); e+=1
        f.write("%d 1 %d %d\n"%(dim,gm[0],len(cells)))
        for c in cells: f.write("%d %s\n"%(e," ".join(str(x+1) for x in c))); e+=1
        f.write("$EndElements\n")
    # vtk legacy
    vt = {(2,False):(9,3),(2,True):(5,3),(3,False):(12,9),(3,True):(10,5)}[(dim,simplex)]
    with open(f"{out}/{name}.vtk","w") as f:
        allc=cells+[fc for fc,b in faces]
        f.write("# vtk DataFile Version 3.0\nbox\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %d double\n"%len(v))
        for p in v: f.write("%g %g %g\n"%p)
        f.write("CELLS %d %d\n"%(len(allc),sum(len(c)+1 for c in allc)))
        for c in allc: f.write("%d %s\n"%(len(c)," ".join(map(str,c))))
        f.write("CELL_TYPES %d\n"%len(allc))
        f.write(" ".join([str(vt[0])]*len(cells)+[str(vt[1])]*len(faces))+"\n")
        f.write("CELL_DATA %d\nSCALARS MaterialID int 1\nLOOKUP_TABLE default\n"%len(allc))
        f.write(" ".join(["7"]*len(cells)+[str(b) for fc,b in faces])+"\n")
    # UCD (AVS)
    un = {(2,False):("quad","line"),(2,True):("tri","line"),(3,False):("hex","quad"),(3,True):("tet","tri")}[(dim,simplex)]
    with open(f"{out}/{name}-ucd.inp","w") as f:
        f.write("# box\n%d %d 0 0 0\n"%(len(v),len(cells)+len(faces)))
        for i,p in enumerate(v): f.write("%d %g %g %g\n"%(i+1,*p))
        e=1
        for c in cells: f.write("%d 7 %s %s\n"%(e,un[0]," ".join(str(x+1) for x in c))); e+=1
        for fc,b in faces: f.write("%d %d %s %s\n"%(e,b,un[1]," ".join(str(x+1) for x in fc))); e+=1
    # Abaqus
    an = {(2,False):"CPS4",(2,True):"CPS3",(3,False):"C3D8R",(3,True):"C3D4"}[(dim,simplex)]
    with open(f"{out}/{name}-abaqus.inp","w") as f:
        f.write("*HEADING\nbox\n**\n*NODE\n")
        for i,p in enumerate(v): f.write("%d, %g, %g, %g\n"%(i+1,*p))
        f.write("*ELEMENT, TYPE=%s, ELSET=EB1\n"%an)
        for i,c in enumerate(cells): f.write("%d, %s\n"%(i+1,", ".join(str(x+1) for x in c)))
        # faces: (element, side)
        sides = {4: [(0,1),(1,2),(2,3),(3,0)], 8: [(0,1,2,3),(4,5,6,7),(0,1,5,4),(1,2,6,5),(2,3,7,6),(3,0,4,7)]}
        if not simplex:
            for b in (1,2):
                for s in range(len(sides[len(cells[0])])):
                    els=[i+1 for i,c in enumerate(cells) if any(set(c[k] for k in sides[len(c)][s])==set(fc) for fc,bb in faces if bb==b)]
                    if els:
                        f.write("*ELSET, ELSET=SS%d_S%d\n%s\n"%(b,s+1,", ".join(map(str,els))))
                        f.write("*SURFACE, NAME=SS%d\nSS%d_S%d, S%d\n"%(b,b,s+1,s+1))
        f.write("*END STEP\n")
os.makedirs(out, exist_ok=True)
write("quads",2,False); write("triangles",2,True); write("hexes",3,False); write("tets",3,True)
