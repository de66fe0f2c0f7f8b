// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/tables.h>

namespace Ricochet
{
  HistoryWriter::HistoryWriter(const OutputDirectory &directory,
                               const std::optional<ResumePoint> &resume)
    : table(directory.file("history.csv"),
            "step,time,dt,kinetic_energy,internal_energy,dissipated_energy,"
            "external_work,contact_work,total_energy,shadow_energy,px,py,pz,"
            "lx,ly,lz,node_face,edge_edge,passes,min_gap,plastic,viscous,"
            "friction,restitution,l_error,wall_time,projected,rigid,cuts",
            resume)
  {}



  void
  HistoryWriter::add(const HistoryRow &row)
  {
    table << row.step << row.time << row.dt << row.kinetic_energy
          << row.internal_energy << row.dissipated_energy() << row.external_work
          << row.contact_work << row.total_energy() << row.shadow_energy()
          << row.momentum << row.angular_momentum << row.node_face
          << row.edge_edge << row.passes << row.min_gap << row.plastic
          << row.viscous << row.friction << row.restitution << row.l_error
          << row.wall_time << row.projected << row.rigid << row.cuts;
    table.end_row();
  }



  BodiesWriter::BodiesWriter(const OutputDirectory &directory,
                             const std::optional<ResumePoint> &resume)
    : table(directory.file("bodies.csv"),
            "step,time,body,mass,cx,cy,cz,vx,vy,vz,lx,ly,lz,"
            "kinetic_energy,internal_energy",
            resume)
  {}



  void
  BodiesWriter::add(const unsigned long int step,
                    const double time,
                    const std::string &body,
                    const BodyRow &row)
  {
    table << step << time << body << row.mass << row.centre << row.velocity
          << row.angular_momentum << row.kinetic_energy << row.internal_energy;
    table.end_row();
  }



  ObstaclesWriter::ObstaclesWriter(const OutputDirectory &directory,
                                   const std::optional<ResumePoint> &resume)
    : table(directory.file("obstacles.csv"),
            "step,time,obstacle,jx,jy,jz,fx,fy,fz,lx,ly,lz,work",
            resume)
  {}



  void
  ObstaclesWriter::add(const unsigned long int step,
                       const double time,
                       const std::string &obstacle,
                       const ObstacleRow &row)
  {
    table << step << time << obstacle << row.impulse << row.force
          << row.angular_impulse << row.work;
    table.end_row();
  }



  ReactionsWriter::ReactionsWriter(const OutputDirectory &directory,
                                   const std::optional<ResumePoint> &resume)
    : table(directory.file("reactions.csv"),
            "step,time,body,boundary_id,fx,fy,fz",
            resume)
  {}



  void
  ReactionsWriter::add(const unsigned long int step,
                       const double time,
                       const std::string &body,
                       const unsigned int boundary_id,
                       const dealii::Tensor<1, 3> &force)
  {
    table << step << time << body << boundary_id << force;
    table.end_row();
  }



  ProbesWriter::ProbesWriter(const OutputDirectory &directory,
                             const std::optional<ResumePoint> &resume)
    : table(directory.file("probes.csv"),
            "step,time,probe,x,y,z,ux,uy,uz,vx,vy,vz",
            resume)
  {}



  void
  ProbesWriter::add(const unsigned long int step,
                    const double time,
                    const std::string &probe,
                    const dealii::Tensor<1, 3> &position,
                    const dealii::Tensor<1, 3> &displacement,
                    const dealii::Tensor<1, 3> &velocity)
  {
    table << step << time << probe << position << displacement << velocity;
    table.end_row();
  }
} // namespace Ricochet
