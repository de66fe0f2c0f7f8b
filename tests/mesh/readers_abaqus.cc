// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>

#include <gtest/gtest.h>

#include "reader_checks.h"
#include "sample_meshes.h"

using namespace Ricochet;

namespace
{
  PlainMesh
  read(const std::string &text)
  {
    const MeshFile file(text);
    return read_abaqus_mesh(file.name, "Deck");
  }

  void
  expect_error(const std::string &text, const std::string &part)
  {
    expect_user_error([&] { read(text); }, part);
  }

  const std::string cubes = abaqus_cubes();
} // namespace



TEST(Abaqus, ReadsTwoCubes)
{
  const PlainMesh mesh = read(cubes);
  EXPECT_EQ(mesh.elements.size(), 2u);
  EXPECT_DOUBLE_EQ(volume(mesh), 2.);
  EXPECT_EQ(group(mesh, "EALL", 3).elements.size(), 2u);
  EXPECT_EQ(group(mesh, "NALL", 2).points.size(), 12u);
  EXPECT_TRUE(mesh.notes.empty());
}

TEST(Abaqus, TakesFreeForms)
{
  std::string windows = "\xef\xbb\xbf";
  for (const char c : cubes)
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_DOUBLE_EQ(volume(read(windows)), 2.);
  EXPECT_DOUBLE_EQ(volume(read(replaced(cubes, "\n", "\r"))), 2.);

  std::string lower = cubes;
  for (char &c : lower)
    c = std::tolower(c);
  EXPECT_DOUBLE_EQ(volume(read(lower)), 2.);
  EXPECT_DOUBLE_EQ(volume(read(replaced(cubes, ",", " ,\t"))), 2.);
  EXPECT_DOUBLE_EQ(volume(read(replaced(cubes, "\n", "\n** *NODE\n"))), 2.);
  EXPECT_DOUBLE_EQ(volume(read(replaced(cubes,
                                        "*ELEMENT, TYPE=C3D8,",
                                        "* Element ,\ntype = c3d8r,\n"))),
                   2.);
  EXPECT_DOUBLE_EQ(
    volume(read(replaced(cubes, "1, 1, 2, 3, 4, 5", "1, 1, 2, 3, 4,\n 5"))),
    2.);
  EXPECT_DOUBLE_EQ(volume(read(cubes.substr(0, cubes.size() - 1))), 2.);
  EXPECT_DOUBLE_EQ(volume(read(replaced(cubes, "7, 8\n", "7, 8,\n"))), 2.);
}

TEST(Abaqus, TakesNumbersAsFortranWritesThem)
{
  EXPECT_DOUBLE_EQ(volume(read(replaced(cubes, "2.000000", "20D-01"))), 2.);
  EXPECT_DOUBLE_EQ(volume(read(replaced(cubes, "2.000000", "+2.d0"))), 2.);
  // An empty entry is zero.
  EXPECT_DOUBLE_EQ(volume(read(replaced(cubes, "0.000000,", ","))), 2.);
  for (const std::string number :
       {"1.0-5", "0x2", "nan", "inf", "2..", "1 5", "--2", "2e", "1e400"})
    expect_error(replaced(cubes,
                          "0.000000, 0.000000, 2.000000",
                          "0.000000, 0.000000, " + number),
                 "line 10: '" + number + "' is not a number");
  expect_error(replaced(cubes, "2.000000", "1e-400"),
               "'1e-400' is not a number that a double can hold");
  expect_error(replaced(cubes, "\n2, 1.0", "\n2, 1,0"), "decimal points");
}

TEST(Abaqus, MatchesWholeKeywords)
{
  const PlainMesh mesh =
    read(cubes +
         "*SURFACE INTERACTION, NAME=I\n*SURFACE BEHAVIOR\n1.e7, 3.\n"
         "*STEP\n*ELEMENT OUTPUT\nLE\n*NODE PRINT, NSET=NALL\nU\n"
         "*NODE FILE\nU\n*EL FILE\nS\n*ELPRINT, ELSET=EALL\nS\n*END STEP\n");
  EXPECT_DOUBLE_EQ(volume(mesh), 2.);
  EXPECT_EQ(mesh.groups.size(), 2u);
  for (const std::string keyword :
       {"*ELEM", "*ELEMNT", "*NOD", "*NODES", "*SURFACES", "*INSTANCES"})
    expect_error(cubes + keyword + "\n", "is not known; is it meant to be");
}

TEST(Abaqus, RefusesWhatWouldChangeTheMesh)
{
  for (const std::string keyword : {"NGEN",
                                    "N COPY",
                                    "NFILL",
                                    "ELGEN",
                                    "ELCOPY",
                                    "NMAP",
                                    "IMPORT",
                                    "IMPERFECTION"})
    expect_error(cubes + "*" + keyword + "\n1, 2\n", "line 17: *");
  expect_error(cubes + "*SYSTEM\n1, 0, 0\n", "global coordinates");
  expect_error(replaced(cubes, "NSET=NALL", "SYSTEM=C"), "line 1: ");
  expect_error(cubes + "*MODEL CHANGE, REMOVE\nEALL\n", "line 17: ");
  expect_error(replaced(cubes, "C3D8", "C3D15"), "wedge with 15 nodes");
  expect_error(replaced(cubes, "C3D8", "CAX4"), "axisymmetric");
  expect_error(replaced(cubes, "C3D8", "COH3D8"), "cohesive");
  expect_error(replaced(cubes, "C3D8", "U1"), "is not known");
  expect_error(replaced(cubes, "TYPE=C3D8,", ""), "needs the parameter TYPE");
  expect_error(replaced(cubes, "ELSET=EALL", "OFFSET=5"), "'OFFSET'");
}

TEST(Abaqus, FindsWrongElements)
{
  expect_error(replaced(cubes, "10, 11, 12", "10, 11, 99"),
               "line 16: element 2 has the node 99");
  expect_error(replaced(cubes, ", 7, 8\n", ", 7\n"), "has 7 nodes");
  expect_error(replaced(cubes, ", 7, 8\n", ", 7, 8, 9\n"), "has 9 nodes");
  expect_error(cubes + "2, 1, 2, 3, 4, 5, 6, 7, 8\n",
               "line 17: element 2 is defined a second time; the first is in "
               "line 16");
  expect_error("*NODE\n2, 0, 0, 0\n" + cubes,
               "line 5: node 2 is defined a second time; the first is in line "
               "2");
  expect_error(cubes.substr(0, cubes.find("*ELEMENT")), "no elements");
  expect_error(replaced(cubes, "\n1, 0.0", "\n-1, 0.0"), "at least 1");
  expect_error("1, 2, 3\n" + cubes, "line 1: ");
  expect_error("", "no elements");
}

TEST(Abaqus, ReadsSets)
{
  const PlainMesh mesh =
    read(cubes +
         "*ELSET, ELSET=ALL\nB, A\n*ELSET, ELSET=A\n1,\n*ELSET, ELSET=B\n2\n"
         "*ELSET, ELSET=G, GENERATE\n1, 4000000000, 1\n"
         "*ELSET, ELSET=ODD, GENERATE\n1, 100, 2\n*ELSET, ELSET=A\n2, 1, 2\n"
         "*NSET, NSET=TOP, GENERATE\n9, 12\n*NSET, NSET=OF, ELSET=B\n"
         "*ELSET, ELSET=EMPTY\n");
  EXPECT_EQ(group(mesh, "ALL", 3).elements.size(), 2u);
  EXPECT_EQ(group(mesh, "A", 3).elements.size(), 2u);
  EXPECT_EQ(group(mesh, "G", 3).elements.size(), 2u);
  EXPECT_EQ(group(mesh, "ODD", 3).elements, std::vector<std::size_t>{0});
  EXPECT_EQ(group(mesh, "TOP", 2).points,
            (std::vector<std::size_t>{8, 9, 10, 11}));
  // "B" has only the upper cube.
  EXPECT_EQ(group(mesh, "OF", 2).points.size(), 8u);

  expect_error(cubes + "*ELSET, ELSET=A\nX\n", "line 18: there is no element");
  expect_error(cubes + "*ELSET, ELSET=A\n3\n", "line 18: there is no element");
  expect_error(cubes + "*NSET, NSET=A\n13\n", "line 18: there is no node");
  expect_error(cubes + "*ELSET, ELSET=A\nB\n*ELSET, ELSET=B\nA\n",
               "contains itself");
  expect_error(cubes + "*ELSET, ELSET=A, GENERATE\n3, 5\n", "line 18: ");
  expect_error(cubes + "*ELSET, ELSET=A, GENERATE\n2, 1\n", "smaller");
  expect_error(cubes + "*ELSET, ELSET=A, GENERATE\n1, 2, 0\n", "at least 1");
  std::string chain;
  for (unsigned int i = 0; i < 10000; ++i)
    chain += "*ELSET, ELSET=S" + std::to_string(i) + "\nS" +
             std::to_string(i + 1) + "\n";
  expect_error(cubes + chain, "too deeply");
}

TEST(Abaqus, FindsFacesOfHexahedra)
{
  // The lower cube; centres of S1 to S6.
  const double centres[6][3] = {{.5, .5, 0},
                                {.5, .5, 1},
                                {.5, 0, .5},
                                {1, .5, .5},
                                {.5, 1, .5},
                                {0, .5, .5}};
  for (unsigned int face = 0; face < 6; ++face)
    {
      const PlainMesh mesh = read(cubes + "*SURFACE, NAME=ss7\n1, s" +
                                  std::to_string(face + 1) + "\n");
      const auto &surface  = group(mesh, "ss7", 2);
      ASSERT_EQ(surface.sides.size(), 1u);
      EXPECT_EQ(*surface.number, 7);
      const auto centre = centre_of_side(mesh, surface.sides[0]);
      for (unsigned int d = 0; d < 3; ++d)
        EXPECT_DOUBLE_EQ(centre[d], centres[face][d]) << "S" << face + 1;
    }
  expect_error(cubes + "*SURFACE, NAME=S\n1, S7\n", "line 18: element 1");
  expect_error(cubes + "*SURFACE, NAME=S\n1, SPOS\n", "has no face 'SPOS'");
  expect_error(cubes + "*SURFACE, NAME=S\nX, S1\n", "line 18: ");
}

TEST(Abaqus, FindsFacesOfOtherShapes)
{
  const std::string nodes =
    "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n"
    "5,1,0,1\n6,0,1,1\n";
  // Faces of the tetrahedron by the node that is not on them.
  const PlainMesh tet           = read(nodes +
                             "*ELEMENT, TYPE=C3D4\n1,1,2,3,4\n"
                                       "*SURFACE, NAME=A\n1,S1\n1,S2\n1,S3\n1,S4\n");
  const unsigned int opposite[] = {3, 2, 0, 1};
  for (unsigned int f = 0; f < 4; ++f)
    for (const auto v : group(tet, "A", 2).sides[f].vertices)
      EXPECT_NE(v, opposite[f]);

  const PlainMesh wedge =
    read(nodes +
         "*ELEMENT, TYPE=C3D6\n1,1,2,3,4,5,6\n*SURFACE, NAME=A\n"
         "1,S1\n1,S2\n1,S3\n1,S4\n1,S5\n");
  const double middles[5][3] = {{1. / 3, 1. / 3, 0},
                                {1. / 3, 1. / 3, 1},
                                {.5, 0, .5},
                                {.5, .5, .5},
                                {0, .5, .5}};
  for (unsigned int f = 0; f < 5; ++f)
    {
      const auto centre = centre_of_side(wedge, group(wedge, "A", 2).sides[f]);
      for (unsigned int d = 0; d < 3; ++d)
        EXPECT_DOUBLE_EQ(centre[d], middles[f][d]) << "S" << f + 1;
    }

  const PlainMesh plane = read(
    "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT, TYPE=CPS4R\n1,1,2,3,4\n"
    "*SURFACE, NAME=A\n1,S2\n");
  EXPECT_EQ(centre_of_side(plane, group(plane, "A", 1).sides[0])[0], 1.);
}

TEST(Abaqus, ReadsOtherSurfaces)
{
  const PlainMesh mesh =
    read(cubes +
         "*NSET, NSET=BOT\n1,2,3,4\n"
         "*SURFACE, NAME=N, TYPE=NODE\nBOT, 1.\n"
         "*SURFACE, NAME=F\nEALL,\n*SURFACE, NAME=G\nEALL\n"
         "*SURFACE, NAME=U, TYPE=NODE\nNOWHERE\n"
         "*SURFACE, NAME=C, COMBINE=UNION\nN, F\n"
         "*SURFACE, NAME=R, TYPE=REVOLUTION\nSTART, 1., 1.\n");
  EXPECT_EQ(group(mesh, "N", 2).points.size(), 4u);
  EXPECT_EQ(group(mesh, "F", 2).free_faces_of.size(), 2u);
  EXPECT_EQ(group(mesh, "G", 2).free_faces_of.size(), 2u);
  EXPECT_EQ(mesh.groups.size(), 6u);
  EXPECT_EQ(mesh.notes.size(), 3u);
}

TEST(Abaqus, PrefersSurfacesAmongEqualNames)
{
  const PlainMesh mesh = read(cubes +
                              "*ELSET, ELSET=X\n1\n*NSET, NSET=X\n1,2,3,4\n"
                              "*SURFACE, NAME=X\n2, S2\n");
  EXPECT_EQ(group(mesh, "X", 3).elements.size(), 1u);
  EXPECT_EQ(group(mesh, "X", 2).sides.size(), 1u);
  EXPECT_TRUE(group(mesh, "X", 2).points.empty());
  EXPECT_EQ(mesh.notes.size(), 1u);
}

TEST(Abaqus, PlacesInstances)
{
  const std::string part =
    "*PART, NAME=P\n" + cubes + "*SURFACE, NAME=BOTTOM\n1, S1\n*END PART\n";
  // Moved by (5, 0, 0) first, then turned by 90 degrees around z.
  const PlainMesh mesh =
    read(part +
         "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I1, PART=P\n5., 0.\n"
         "0., 0., 0., 0., 0., 1., 90.\n*END INSTANCE\n"
         "*INSTANCE, NAME=I2, PART=p\n*END INSTANCE\n"
         "*ELSET, ELSET=E, INSTANCE=I1\n2\n*ELSET, ELSET=F\nI2.EALL\n"
         "*SURFACE, NAME=TOP\nE, S2\n*NSET, NSET=N\nI1.1, I2.1\n"
         "*END ASSEMBLY\n");
  EXPECT_DOUBLE_EQ(volume(mesh), 4.);
  EXPECT_EQ(mesh.points.size(), 24u);
  EXPECT_NEAR(mesh.points[0][0], 0., 1e-14);
  EXPECT_NEAR(mesh.points[0][1], 5., 1e-14);
  EXPECT_NEAR(mesh.points[1][1], 6., 1e-14);
  EXPECT_EQ(group(mesh, "BOTTOM", 2).sides.size(), 2u);
  EXPECT_EQ(group(mesh, "I2.BOTTOM", 2).sides[0].element, 2u);
  EXPECT_EQ(group(mesh, "E", 3).elements, std::vector<std::size_t>{1});
  EXPECT_EQ(group(mesh, "F", 3).elements, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(group(mesh, "N", 2).points, (std::vector<std::size_t>{0, 12}));
  const auto top = centre_of_side(mesh, group(mesh, "TOP", 2).sides[0]);
  EXPECT_NEAR(top[1], 5.5, 1e-14);
  EXPECT_NEAR(top[2], 2., 1e-14);

  EXPECT_DOUBLE_EQ(volume(read(part)), 2.);
  const std::string instance = "*INSTANCE, NAME=I1, PART=P\n*END INSTANCE\n";
  expect_error(part + instance + instance, "two instances");
  expect_error(part + "*INSTANCE, NAME=I1, PART=P\n*NODE\n99, 0, 0, 0\n",
               "from its part only");
  expect_error(part + part, "two parts");
  expect_error(instance + part, "there is no part 'P'");
  expect_error(part + "*INSTANCE, NAME=I1, PART=P\n1,0,0\n0,0,0,0,0,0,9\n",
               "must differ");
  expect_error(part + "*INSTANCE, NAME=I1, PART=P\n1,0,0\n0,0,0,1\n",
               "seven numbers");
  expect_error(part.substr(0, part.find("*END PART")), "is never ended");
  expect_error(cubes + "*END PART\n", "without *PART");
}

TEST(Abaqus, LimitsWhatAFileCanAskFor)
{
  std::string part = "*PART, NAME=P\n*NODE\n";
  for (unsigned int i = 1; i <= 2000; ++i)
    part += std::to_string(i) + "\n";
  part += "*ELEMENT, TYPE=C3D4\n1,1,2,3,4\n*END PART\n";
  std::string instances;
  for (unsigned int i = 0; i < 10000; ++i)
    instances +=
      "*INSTANCE, NAME=I" + std::to_string(i) + ", PART=P\n*END INSTANCE\n";
  expect_error(part + instances, "too large a mesh");

  std::string sets = "*NSET, NSET=A, GENERATE\n";
  for (unsigned int i = 0; i < 10000; ++i)
    sets += "1, 2000\n";
  expect_error(part + "*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n" +
                 replaced(sets, "GENERATE", "GENERATE, INSTANCE=I"),
               "repeat too many");
}

TEST(Abaqus, TellsTheFirstOfManyNotes)
{
  std::string surfaces;
  for (unsigned int i = 0; i < 20000; ++i)
    surfaces += "*SURFACE, TYPE=NODE, NAME=S" + std::to_string(i) + "\nX\n";
  const PlainMesh mesh = read(cubes + surfaces);
  EXPECT_EQ(mesh.notes.size(), 51u);
  EXPECT_EQ(mesh.notes.back(), "There are 19950 more notes like these.");
}

TEST(Abaqus, KeepsShellsAsFacesAndLeavesOutSprings)
{
  const PlainMesh mesh =
    read(cubes +
         "*ELEMENT, TYPE=S4R, ELSET=FLOOR\n10, 1, 2, 3, 4\n"
         "*ELEMENT, TYPE=SPRINGA, ELSET=SPRINGS\n20, 1, 77\n"
         "*ELEMENT, TYPE=T3D2\n30, 1, 2\n"
         "*ELSET, ELSET=MIXED\n1, 10, 20\n"
         "*SURFACE, NAME=S\nFLOOR, SPOS\n*TIE, NAME=T\nA, B\n");
  EXPECT_EQ(mesh.elements.size(), 4u);
  EXPECT_EQ(group(mesh, "FLOOR", 2).elements.size(), 1u);
  EXPECT_EQ(group(mesh, "MIXED", 2).elements.size(), 1u);
  EXPECT_EQ(group(mesh, "MIXED", 3).elements.size(), 1u);
  EXPECT_EQ(group(mesh, "S", 2).elements.size(), 1u);
  EXPECT_EQ(mesh.notes.size(), 4u);
}

TEST(Abaqus, Includes)
{
  const MeshFile nodes(abaqus_nodes(), "nodes");
  const MeshFile lines(replaced(abaqus_nodes(), "*NODE, NSET=NALL\n", ""),
                       "lines");
  const std::string elements = cubes.substr(cubes.find("*ELEMENT"));
  EXPECT_DOUBLE_EQ(volume(
                     read("*INCLUDE, INPUT=" + nodes.name + "\n" + elements)),
                   2.);
  const PlainMesh mesh =
    read("*NODE, INPUT=\"" + lines.name + "\", NSET=N\n" + elements);
  EXPECT_DOUBLE_EQ(volume(mesh), 2.);
  EXPECT_EQ(group(mesh, "N", 2).points.size(), 12u);
  EXPECT_DOUBLE_EQ(volume(read("*NODE\n*INCLUDE, INPUT=" + lines.name + "\n" +
                               elements)),
                   2.);

  const MeshFile bad("*NODE\n1, x\n", "bad");
  expect_error("*INCLUDE, INPUT=" + bad.name + "\n", ", line 2: 'x'");
  expect_error("*INCLUDE, INPUT=nowhere.inp\n", "line 1: there is no file");
  const MeshFile loop("", "loop");
  std::ofstream(loop.name) << "*INCLUDE, INPUT=" << loop.name << "\n";
  expect_error("*INCLUDE, INPUT=" + loop.name + "\n", "without end");
}

TEST(Abaqus, BringsSecondOrderIntoOrder)
{
  // Nodes at the places that Abaqus' manual draws them at.
  std::string text      = "*NODE\n";
  const double x[27][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                           {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2},
                           {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0},
                           {1, 0, 2}, {2, 1, 2}, {1, 2, 2}, {0, 1, 2},
                           {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1},
                           {1, 1, 1}, {1, 1, 0}, {1, 1, 2}, {1, 0, 1},
                           {2, 1, 1}, {1, 2, 1}, {0, 1, 1}};
  for (unsigned int i = 0; i < 27; ++i)
    text += std::to_string(i + 1) + ", " + std::to_string(x[i][0]) + ", " +
            std::to_string(x[i][1]) + ", " + std::to_string(x[i][2]) + "\n";
  std::string numbers = "1";
  for (unsigned int i = 1; i <= 27; ++i)
    {
      if (i == 21)
        expect_midpoints(read(text + "*ELEMENT, TYPE=C3D20R\n" + numbers));
      numbers += (i % 10 == 0 ? ",\n" : ", ") + std::to_string(i);
    }
  const PlainMesh mesh = read(text + "*ELEMENT, TYPE=C3D27\n" + numbers);
  expect_midpoints(mesh);
  const double centres[7][3] = {{0, 1, 1},
                                {2, 1, 1},
                                {1, 0, 1},
                                {1, 2, 1},
                                {1, 1, 0},
                                {1, 1, 2},
                                {1, 1, 1}};
  for (unsigned int i = 0; i < 7; ++i)
    for (unsigned int d = 0; d < 3; ++d)
      EXPECT_EQ(mesh.points[mesh.nodes[20 + i]][d], centres[i][d]);
}
