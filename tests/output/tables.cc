// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/csv_table.h>
#include <ricochet/output/tables.h>

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "temporary_directory.h"

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;

  std::vector<std::string>
  lines(const std::string &file)
  {
    std::istringstream text(contents(file));
    std::vector<std::string> result;
    for (std::string line; std::getline(text, line);)
      result.push_back(line);
    return result;
  }



  std::vector<std::string>
  fields(const std::string &line)
  {
    std::istringstream text(line);
    std::vector<std::string> result;
    for (std::string field; std::getline(text, field, ',');)
      result.push_back(field);
    return result;
  }



  /** The table history.csv in a directory. */
  Table<HistoryRow>
  history(const TemporaryDirectory &directory,
          const std::optional<ResumePoint> &resume = std::nullopt)
  {
    return Table<HistoryRow>(directory.file("history.csv"),
                             history_columns(),
                             resume);
  }



  TEST(CsvTable, NumbersSurviveWritingAndReading)
  {
    const TemporaryDirectory directory;
    const std::vector<double> numbers = {
      0.1,
      1. / 3.,
      -2.5e-17,
      std::nextafter(1., 2.),
      6.02214076e23,
      std::numeric_limits<double>::denorm_min(),
      std::numeric_limits<double>::max(),
      0.};
    {
      CsvTable table(directory.file("t.csv"), "step,value");
      for (unsigned int i = 0; i < numbers.size(); ++i)
        {
          table << i << numbers[i];
          table.end_row();
        }
    }
    const auto rows = lines(directory.file("t.csv"));
    ASSERT_EQ(rows.size(), numbers.size() + 1);
    for (unsigned int i = 0; i < numbers.size(); ++i)
      {
        const auto row = fields(rows[i + 1]);
        ASSERT_EQ(row.size(), 2U);
        EXPECT_EQ(row[0], std::to_string(i));
        EXPECT_EQ(std::strtod(row[1].c_str(), nullptr), numbers[i]);
      }
    // As the contract spells them.
    EXPECT_EQ(rows[1], "0,0.10000000000000001");
    EXPECT_EQ(rows[2], "1,0.33333333333333331");
    EXPECT_EQ(rows[5], "4,6.0221407599999999e+23");
  }



  TEST(CsvTable, NanHasNoSignAndTextIsQuoted)
  {
    const TemporaryDirectory directory;
    {
      CsvTable table(directory.file("t.csv"), "step,a,b,c");
      table << 1U << std::numeric_limits<double>::quiet_NaN()
            << -std::numeric_limits<double>::quiet_NaN()
            << std::string("left, \"old\" ball");
      table.end_row();
    }
    EXPECT_EQ(lines(directory.file("t.csv"))[1],
              "1,nan,nan,\"left, \"\"old\"\" ball\"");
  }



  TEST(CsvTable, FlushWritesWholeLinesOnly)
  {
    const TemporaryDirectory directory;
    CsvTable table(directory.file("t.csv"), "step,a");
    table << 1U << 2.;
    table.end_row();
    table << 2U;
    table.flush();
    EXPECT_EQ(contents(directory.file("t.csv")), "step,a\n1,2\n");
    table << 3.;
    table.end_row();
    table.flush();
    EXPECT_EQ(contents(directory.file("t.csv")), "step,a\n1,2\n2,3\n");
  }



  TEST(CsvTable, FullDiskLeavesWholeLines)
  {
    const TemporaryDirectory directory;
    const std::string name = directory.file("t.csv");

    // A header of 7 bytes and lines of 10 bytes, written ten at a time.
    std::string expected = "step,a\n";
    {
      CsvTable table(name, "step,a");
      const FileSizeLimit limit(1000);
      const auto write_lines = [&](const unsigned int begin) {
        for (unsigned int i = begin; i < begin + 10; ++i)
          {
            table << i << i + 0.5;
            table.end_row();
          }
        table.flush();
      };
      for (unsigned int begin = 100; begin < 190; begin += 10)
        {
          write_lines(begin);
          for (unsigned int i = begin; i < begin + 10; ++i)
            expected += std::to_string(i) + "," + std::to_string(i) + ".5\n";
        }
      // Nine of the next ten lines still fit.
      const std::string message =
        message_of<RunError>([&]() { write_lines(190); });
      for (unsigned int i = 190; i < 199; ++i)
        expected += std::to_string(i) + "," + std::to_string(i) + ".5\n";
      EXPECT_NE(message.find("'" + name + "'"), std::string::npos) << message;

      // Nor is there a gap when there is room again.
      write_lines(200);
    }
    EXPECT_EQ(contents(name), expected);
  }



  TEST(CsvTable, FullDiskIsReportedAtOnce)
  {
    const TemporaryDirectory directory;
    fs::create_symlink("/dev/full", directory.file("history.csv"));
    EXPECT_THROW(history(directory), RunError);
  }



  HistoryRow
  example_row()
  {
    HistoryRow row;
    row.step.dt = 0.25;
    row.step.cuts.add(CutReason::closed_gaps);
    Totals &totals                      = row.totals;
    totals.all.kinetic_energy           = 10.;
    totals.all.internal_energy          = 5.;
    totals.all.plastic_loss             = 1.;
    totals.all.viscous_loss             = 2.;
    totals.all.momentum                 = dealii::Tensor<1, 3>({1., 2., 3.});
    totals.all.angular_momentum         = dealii::Tensor<1, 3>({4., 5., 6.});
    totals.external_work                = 3.;
    totals.contact_work                 = 0.5;
    totals.friction_loss                = 4.;
    totals.restitution_loss             = 8.;
    totals.shadow_kinetic_and_internal  = 15.25;
    totals.unexplained_angular_momentum = 0.125;
    row.contact.n_node_face             = 7;
    row.contact.n_edge_edge             = 8;
    row.contact.n_passes                = 2;
    row.contact.n_projected             = 3;
    row.contact.n_rigid                 = 2;
    row.wall_time                       = 2.5;
    return row;
  }



  TEST(HistoryTable, HasTheColumnsOfTheContract)
  {
    const TemporaryDirectory directory;
    {
      auto table     = history(directory);
      HistoryRow row = example_row();
      table.add(5, 0.75, row);
      row.contact.min_gap = -0.0625;
      table.add(6, 0.75, row);
    }
    const auto rows = lines(directory.file("history.csv"));
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0],
              "step,time,dt,kinetic_energy,internal_energy,dissipated_energy,"
              "external_work,contact_work,total_energy,shadow_energy,px,py,pz,"
              "lx,ly,lz,node_face,edge_edge,passes,min_gap,plastic,viscous,"
              "friction,restitution,l_error,wall_time,projected,rigid,cuts,"
              "newton,linear,augmentations");

    // 15 = 1 + 2 + 4 + 8; 26.5 = 10 + 5 + 15 - 3 - 0.5; 26.75 likewise.
    EXPECT_EQ(rows[1],
              "5,0.75,0.25,10,5,15,3,0.5,26.5,26.75,1,2,3,4,5,6,7,8,2,nan,1,2,"
              "4,8,0.125,2.5,3,2,1,0,0,0");
    EXPECT_EQ(rows[2],
              "6,0.75,0.25,10,5,15,3,0.5,26.5,26.75,1,2,3,4,5,6,7,8,2,-0.0625,"
              "1,2,4,8,0.125,2.5,3,2,1,0,0,0");
  }



  TEST(HistoryTable, ContinuesBehindTheCheckpoint)
  {
    const TemporaryDirectory straight, restarted;
    const auto add = [](Table<HistoryRow> table,
                        const unsigned int begin,
                        const unsigned int end) {
      for (unsigned int step = begin; step < end; ++step)
        table.add(step, 0.1 * step, example_row());
    };
    add(history(straight), 0, 10);
    add(history(restarted), 0, 8);

    // Killed in the middle of a line.
    {
      std::ofstream file(restarted.file("history.csv"), std::ios::app);
      file << "4,0.4";
    }
    auto table = history(restarted, ResumePoint{5, 0.5});
    EXPECT_EQ(lines(restarted.file("history.csv")).size(), 1U + 6U);
    add(std::move(table), 6, 10);
    EXPECT_EQ(contents(restarted.file("history.csv")),
              contents(straight.file("history.csv")));
  }



  TEST(HistoryTable, DropsUnfinishedLineWithSmallStep)
  {
    // "12" may be the beginning of "123": an unfinished line is never kept.
    const TemporaryDirectory directory;
    history(directory).add(11, 1.1, example_row());
    const std::string whole = contents(directory.file("history.csv"));
    write(directory.file("history.csv"), whole + "12,0.1");
    history(directory, ResumePoint{100, 10.});
    EXPECT_EQ(contents(directory.file("history.csv")), whole);
  }



  TEST(HistoryTable, StartsANewTableIfThereIsNoneToContinue)
  {
    const TemporaryDirectory directory;
    history(directory, ResumePoint{5, 0.5}).add(6, 0.6, example_row());
    EXPECT_EQ(lines(directory.file("history.csv")).size(), 2U);

    // Killed while it wrote the header.
    write(directory.file("history.csv"), "step,ti");
    history(directory, ResumePoint{5, 0.5}).add(6, 0.6, example_row());
    EXPECT_EQ(lines(directory.file("history.csv")).size(), 2U);
  }



  TEST(HistoryTable, DoesNotContinueOtherColumns)
  {
    const TemporaryDirectory directory;
    write(directory.file("history.csv"), "step,time\n1,0.5\n");
    const std::string message = message_of<UserError>([&]() {
      history(directory, ResumePoint{1, 0.5});
    });
    EXPECT_NE(message.find("history.csv"), std::string::npos) << message;
    EXPECT_EQ(contents(directory.file("history.csv")), "step,time\n1,0.5\n");

    // A run that starts anew does not care.
    history(directory);
    EXPECT_EQ(lines(directory.file("history.csv")).size(), 1U);
  }



  TEST(BodiesTable, HasTheColumnsOfTheContract)
  {
    // With the mass 2 and the centre (1,2,3), the momentum (8,10,12) has the
    // moment (-6,12,-6) about the origin.
    const TemporaryDirectory directory;
    BodyRow row;
    row.name                  = "left ball";
    row.sums.mass             = 2.;
    row.sums.mass_moment      = dealii::Tensor<1, 3>({2., 4., 6.});
    row.sums.momentum         = dealii::Tensor<1, 3>({8., 10., 12.});
    row.sums.angular_momentum = dealii::Tensor<1, 3>({1., 20., 3.});
    row.sums.kinetic_energy   = 77.;
    row.sums.internal_energy  = 0.5;
    row.rotation              = dealii::Tensor<1, 3>({0.25, 0.5, 0.75});
    row.angular_velocity      = dealii::Tensor<1, 3>({-1., -2., -3.});
    Table<BodyRow>(directory.file("bodies.csv"), body_columns())
      .add(3, 0.25, row);
    const auto rows = lines(directory.file("bodies.csv"));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0],
              "step,time,body,mass,cx,cy,cz,vx,vy,vz,lx,ly,lz,kinetic_energy,"
              "internal_energy,rx,ry,rz,wx,wy,wz");
    EXPECT_EQ(rows[1],
              "3,0.25,left ball,2,1,2,3,4,5,6,7,8,9,77,0.5,0.25,0.5,0.75,"
              "-1,-2,-3");
  }



  TEST(ContactForcesTable, HasTheColumnsOfTheContract)
  {
    const TemporaryDirectory directory;
    const ContactForceRow row{"ball",
                              "floor",
                              dealii::Tensor<1, 3>({1., 2., 3.}),
                              dealii::Tensor<1, 3>({4., 5., 6.}),
                              7.,
                              8.,
                              9.};
    const std::string file = directory.file("contact_forces.csv");
    Table<ContactForceRow>(file, contact_force_columns()).add(3, 0.25, row);
    const auto rows = lines(file);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0],
              "step,time,body,partner,fx,fy,fz,mx,my,mz,normal,tangential,"
              "area");
    EXPECT_EQ(rows[1], "3,0.25,ball,floor,1,2,3,4,5,6,7,8,9");
  }



  TEST(BodiesTable, KeepsAllBodiesOfTheLastStep)
  {
    const TemporaryDirectory directory;
    const std::string file = directory.file("bodies.csv");
    {
      Table<BodyRow> bodies(file, body_columns());
      for (unsigned int step = 0; step < 4; ++step)
        for (const char *const name : {"a", "b", "c"})
          bodies.add(step, step, {name, {}, {}, {}});
    }
    Table<BodyRow>(file, body_columns(), ResumePoint{2, 2.});
    const auto rows = lines(file);
    ASSERT_EQ(rows.size(), 1U + 9U);
    EXPECT_EQ(rows.back().substr(0, 6), "2,2,c,");
  }



  TEST(LoadTables, HaveTheColumnsOfTheContract)
  {
    const TemporaryDirectory directory;
    const ObstacleRow floor{"floor",
                            dealii::Tensor<1, 3>({1., 2., 3.}),
                            dealii::Tensor<1, 3>({4., 5., 6.}),
                            dealii::Tensor<1, 3>({7., 8., 9.}),
                            10.};
    Table<ObstacleRow>(directory.file("obstacles.csv"), obstacle_columns())
      .add(3, 0.25, floor);
    EXPECT_EQ(contents(directory.file("obstacles.csv")),
              "step,time,obstacle,jx,jy,jz,fx,fy,fz,lx,ly,lz,work\n"
              "3,0.25,floor,1,2,3,4,5,6,7,8,9,10\n");

    const ReactionRow foot{"bar", "7", dealii::Tensor<1, 3>({1., 2., 3.})};
    Table<ReactionRow>(directory.file("reactions.csv"), reaction_columns())
      .add(3, 0.25, foot);
    EXPECT_EQ(contents(directory.file("reactions.csv")),
              "step,time,body,boundary_id,fx,fy,fz\n3,0.25,bar,7,1,2,3\n");
  }



  TEST(ProbesTable, HasTheColumnsOfTheContract)
  {
    const TemporaryDirectory directory;
    const ProbeRow tip{"tip",
                       dealii::Tensor<1, 3>({1., 2., 3.}),
                       dealii::Tensor<1, 3>({4., 5., 6.}),
                       dealii::Tensor<1, 3>({7., 8., 9.})};
    Table<ProbeRow>(directory.file("probes.csv"), probe_columns())
      .add(3, 0.25, tip);
    EXPECT_EQ(contents(directory.file("probes.csv")),
              "step,time,probe,x,y,z,ux,uy,uz,vx,vy,vz\n"
              "3,0.25,tip,1,2,3,4,5,6,7,8,9\n");
  }
} // namespace
