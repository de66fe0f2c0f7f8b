// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/csv_table.h>
#include <ricochet/output/tables.h>

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <string>
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
    EXPECT_THROW(HistoryWriter(directory.output()), RunError);
  }



  HistoryRow
  example_row(const unsigned long int step)
  {
    HistoryRow row;
    row.step                        = step;
    row.time                        = 0.1 * step;
    row.dt                          = 0.1;
    row.kinetic_energy              = 10.;
    row.internal_energy             = 5.;
    row.external_work               = 3.;
    row.contact_work                = 0.5;
    row.shadow_kinetic_and_internal = 15.25;
    row.momentum                    = dealii::Tensor<1, 3>({1., 2., 3.});
    row.angular_momentum            = dealii::Tensor<1, 3>({4., 5., 6.});
    row.node_face                   = 7;
    row.edge_edge                   = 8;
    row.passes                      = 2;
    row.plastic                     = 1.;
    row.viscous                     = 2.;
    row.friction                    = 4.;
    row.restitution                 = 8.;
    row.l_error                     = 0.125;
    row.wall_time                   = 2.5;
    row.projected                   = 3;
    row.rigid                       = 2;
    row.cuts                        = 1;
    return row;
  }



  TEST(HistoryWriter, WritesTheColumnsOfTheContract)
  {
    const TemporaryDirectory directory;
    {
      HistoryWriter history(directory.output());
      HistoryRow row = example_row(5);
      row.time       = 0.75;
      row.dt         = 0.25;
      history.add(row);
      row.min_gap = -0.0625;
      row.step    = 6;
      history.add(row);
    }
    const auto rows = lines(directory.file("history.csv"));
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0],
              "step,time,dt,kinetic_energy,internal_energy,dissipated_energy,"
              "external_work,contact_work,total_energy,shadow_energy,px,py,pz,"
              "lx,ly,lz,node_face,edge_edge,passes,min_gap,plastic,viscous,"
              "friction,restitution,l_error,wall_time,projected,rigid,cuts");

    // 15 = 1 + 2 + 4 + 8; 26.5 = 10 + 5 + 15 - 3 - 0.5; 26.75 likewise.
    EXPECT_EQ(rows[1],
              "5,0.75,0.25,10,5,15,3,0.5,26.5,26.75,1,2,3,4,5,6,7,8,2,nan,1,2,"
              "4,8,0.125,2.5,3,2,1");
    EXPECT_EQ(rows[2],
              "6,0.75,0.25,10,5,15,3,0.5,26.5,26.75,1,2,3,4,5,6,7,8,2,-0.0625,"
              "1,2,4,8,0.125,2.5,3,2,1");
  }



  TEST(HistoryWriter, ContinuesBehindTheCheckpoint)
  {
    const TemporaryDirectory straight, restarted;
    {
      HistoryWriter history(straight.output());
      for (unsigned int step = 0; step < 10; ++step)
        history.add(example_row(step));
    }
    {
      HistoryWriter history(restarted.output());
      for (unsigned int step = 0; step < 8; ++step)
        history.add(example_row(step));
    }

    // Killed in the middle of a line.
    {
      std::ofstream file(restarted.file("history.csv"), std::ios::app);
      file << "4,0.4";
    }
    {
      HistoryWriter history(restarted.output(), ResumePoint{5, 0.5});
      EXPECT_EQ(lines(restarted.file("history.csv")).size(), 1U + 6U);
      for (unsigned int step = 6; step < 10; ++step)
        history.add(example_row(step));
    }
    EXPECT_EQ(contents(restarted.file("history.csv")),
              contents(straight.file("history.csv")));
  }



  TEST(HistoryWriter, DropsUnfinishedLineWithSmallStep)
  {
    // "12" may be the beginning of "123": an unfinished line is never kept.
    const TemporaryDirectory directory;
    {
      HistoryWriter history(directory.output());
      history.add(example_row(11));
    }
    const std::string whole = contents(directory.file("history.csv"));
    write(directory.file("history.csv"), whole + "12,0.1");
    {
      HistoryWriter history(directory.output(), ResumePoint{100, 10.});
    }
    EXPECT_EQ(contents(directory.file("history.csv")), whole);
  }



  TEST(HistoryWriter, StartsANewTableIfThereIsNoneToContinue)
  {
    const TemporaryDirectory directory;
    {
      HistoryWriter history(directory.output(), ResumePoint{5, 0.5});
      history.add(example_row(6));
    }
    EXPECT_EQ(lines(directory.file("history.csv")).size(), 2U);

    // Killed while it wrote the header.
    write(directory.file("history.csv"), "step,ti");
    {
      HistoryWriter history(directory.output(), ResumePoint{5, 0.5});
      history.add(example_row(6));
    }
    EXPECT_EQ(lines(directory.file("history.csv")).size(), 2U);
  }



  TEST(HistoryWriter, DoesNotContinueOtherColumns)
  {
    const TemporaryDirectory directory;
    write(directory.file("history.csv"), "step,time\n1,0.5\n");
    const std::string message = message_of<UserError>([&]() {
      HistoryWriter(directory.output(), ResumePoint{1, 0.5});
    });
    EXPECT_NE(message.find("history.csv"), std::string::npos) << message;
    EXPECT_EQ(contents(directory.file("history.csv")), "step,time\n1,0.5\n");

    // A run that starts anew does not care.
    HistoryWriter(directory.output());
    EXPECT_EQ(lines(directory.file("history.csv")).size(), 1U);
  }



  TEST(BodiesWriter, WritesTheColumnsOfTheContract)
  {
    const TemporaryDirectory directory;
    {
      BodiesWriter bodies(directory.output());
      BodyRow row;
      row.mass             = 2.;
      row.centre           = dealii::Tensor<1, 3>({1., 2., 3.});
      row.velocity         = dealii::Tensor<1, 3>({4., 5., 6.});
      row.angular_momentum = dealii::Tensor<1, 3>({7., 8., 9.});
      row.kinetic_energy   = 77.;
      row.internal_energy  = 0.5;
      bodies.add(3, 0.25, "left ball", row);
    }
    const auto rows = lines(directory.file("bodies.csv"));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0],
              "step,time,body,mass,cx,cy,cz,vx,vy,vz,lx,ly,lz,kinetic_energy,"
              "internal_energy");
    EXPECT_EQ(rows[1], "3,0.25,left ball,2,1,2,3,4,5,6,7,8,9,77,0.5");
  }



  TEST(BodiesWriter, KeepsAllBodiesOfTheLastStep)
  {
    const TemporaryDirectory directory;
    {
      BodiesWriter bodies(directory.output());
      for (unsigned int step = 0; step < 4; ++step)
        for (const char *const name : {"a", "b", "c"})
          bodies.add(step, step, name, BodyRow());
    }
    {
      BodiesWriter bodies(directory.output(), ResumePoint{2, 2.});
    }
    const auto rows = lines(directory.file("bodies.csv"));
    ASSERT_EQ(rows.size(), 1U + 9U);
    EXPECT_EQ(rows.back().substr(0, 6), "2,2,c,");
  }



  TEST(ProbesWriter, WritesTheColumnsOfTheContract)
  {
    const TemporaryDirectory directory;
    {
      ProbesWriter probes(directory.output());
      probes.add(3,
                 0.25,
                 "tip",
                 dealii::Tensor<1, 3>({1., 2., 3.}),
                 dealii::Tensor<1, 3>({4., 5., 6.}),
                 dealii::Tensor<1, 3>({7., 8., 9.}));
    }
    const auto rows = lines(directory.file("probes.csv"));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0], "step,time,probe,x,y,z,ux,uy,uz,vx,vy,vz");
    EXPECT_EQ(rows[1], "3,0.25,tip,1,2,3,4,5,6,7,8,9");
  }
} // namespace
