// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/tables.h>
#include <ricochet/pictures/gnuplot.h>
#include <ricochet/pictures/pictures.h>
#include <ricochet/pictures/rasterizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "../output/temporary_directory.h"

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;
  using dealii::Point;

  const Color red = {{1.f, 0.f, 0.f}}, blue = {{0.f, 0.f, 1.f}};

  /** Number of pixels of a color (0 to 255) in a picture. */
  unsigned int
  count(const std::string &bytes, const std::array<unsigned, 3> &color)
  {
    unsigned int n = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 3)
      if (static_cast<unsigned char>(bytes[i]) == color[0] &&
          static_cast<unsigned char>(bytes[i + 1]) == color[1] &&
          static_cast<unsigned char>(bytes[i + 2]) == color[2])
        ++n;
    return n;
  }



  TEST(Rasterizer, TriangleCoversItsArea)
  {
    // Both orientations; partly outside of the picture.
    for (const bool flip : {false, true})
      {
        Rasterizer picture(100, 80);
        std::array<Rasterizer::Vertex, 3> v = {
          {{-50., 0., 0.}, {50., 0., 0.}, {50., 60., 0.}}};
        if (flip)
          std::swap(v[1], v[2]);
        picture.draw_triangle(v, red);
        const std::string bytes = picture.bytes();
        ASSERT_EQ(bytes.size(), 3U * 100 * 80);

        // The part with x > 0 is a trapezoid of area 50 (30 + 60) / 2.
        const double area = count(bytes, {{255, 0, 0}});
        EXPECT_NEAR(area, 2250., 60.);
      }
  }



  TEST(Rasterizer, RowsGoFromTopToBottom)
  {
    Rasterizer picture(10, 10);
    picture.draw_triangle({{{0., 0., 0.}, {3., 0., 0.}, {0., 3., 0.}}}, red);
    const std::string bytes      = picture.bytes();
    const std::size_t lower_left = 3 * 9 * 10;
    EXPECT_EQ(bytes.substr(lower_left, 3), std::string("\xff\0\0", 3));
    EXPECT_EQ(bytes.substr(0, 3), "\xff\xff\xff");
  }



  TEST(Rasterizer, NearerFacetsHideOthersInAnyOrder)
  {
    // Two triangles that pierce each other: in the lower left half red is
    // nearer. No order of whole facets would show that.
    const std::array<Rasterizer::Vertex, 3> level = {
      {{0., 0., 0.}, {40., 0., 0.}, {0., 40., 0.}}};
    const std::array<Rasterizer::Vertex, 3> slope = {
      {{0., 0., 1.}, {40., 0., -1.}, {0., 40., 1.}}};
    std::string first;
    for (const bool level_first : {false, true})
      {
        Rasterizer picture(40, 40);
        picture.draw_triangle(level_first ? level : slope,
                              level_first ? blue : red);
        picture.draw_triangle(level_first ? slope : level,
                              level_first ? red : blue);
        const std::string bytes = picture.bytes();

        // The slope is above for x < 20: three quarters of the area of 800.
        EXPECT_NEAR(count(bytes, {{255, 0, 0}}), 600., 40.);
        EXPECT_NEAR(count(bytes, {{0, 0, 255}}), 200., 40.);
        if (first.empty())
          first = bytes;
        EXPECT_EQ(bytes, first);
      }
  }



  TEST(Rasterizer, FillsInsideOfClosedCurves)
  {
    // A square of side 30 with a hole of side 10.
    Rasterizer picture(40, 40);
    std::vector<std::array<Rasterizer::Vertex, 2>> segments;
    for (const std::array<double, 2> &side :
         {std::array<double, 2>{{5., 35.}}, std::array<double, 2>{{15., 25.}}})
      {
        const Rasterizer::Vertex a(side[0], side[0], 1.),
          b(side[1], side[0], 1.), c(side[1], side[1], 1.),
          d(side[0], side[1], 1.);
        segments.push_back({{a, b}});
        segments.push_back({{c, b}});
        segments.push_back({{c, d}});
        segments.push_back({{d, a}});
      }
    picture.fill(segments, red);
    EXPECT_EQ(count(picture.bytes(), {{255, 0, 0}}), 30U * 30 - 10U * 10);
  }



  TEST(Rasterizer, IgnoresWhatCannotBeDrawn)
  {
    Rasterizer picture(10, 10);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    picture.draw_triangle({{{nan, 0., 0.}, {9., 0., 0.}, {0., 9., 0.}}}, red);
    picture.draw_triangle({{{1., 1., 0.}, {1., 1., 0.}, {5., 5., 0.}}}, red);
    picture.draw_triangle({{{99., 9., 0.}, {90., 5., 0.}, {95., 9., 0.}}}, red);
    picture.draw_segment({{{3., 3., 0.}, {3., 3., 0.}}}, red, 1.);
    EXPECT_EQ(count(picture.bytes(), {{255, 255, 255}}), 100U);
  }



  TEST(Gnuplot, QuotesText)
  {
    EXPECT_EQ(gnuplot_quoted("a 'b' \\n"), "'a ''b'' \\n'");
    EXPECT_EQ(gnuplot_quoted("two\nlines"), "'two lines'");
  }



  /** Runs with gnuplot, if it is there, and with programs that fail. */
  class PicturesTest : public ::testing::Test
  {
  protected:
    static bool
    gnuplot_is_installed()
    {
      const TemporaryDirectory directory;
      write(directory.file("empty.gp"), "");
      return run_gnuplot("gnuplot",
                         directory.path,
                         "empty.gp",
                         directory.file("log"))
               .outcome == GnuplotResult::done;
    }

    void
    draw_all(Pictures &pictures)
    {
      {
        Table<HistoryRow> history(directory.file("history.csv"),
                                  history_columns());
        HistoryRow row;
        for (unsigned int step = 0; step < 20; ++step)
          {
            row.totals.all.kinetic_energy = 10. - step % 3;
            history.add(step, 0.1 * step, row);
          }
      }
      pictures.draw_history();
      pictures.draw_surface<3>(
        0.5,
        100,
        {{{0, 1, 2}}, {{0, 2, 3}}},
        {0, 1},
        {{0., 0., 0.}, {1., 0., 0.}, {1., 1., 0.}, {0., 1., 1.}});
      write(directory.file("bodies.csv"),
            "time,body,cx,cy,cz\n0,it's_a body,0.5,0.5,0\n"
            "0,other,0.5,0.5,0.5\n0.5,it's_a body,0.5,0.6,0\n"
            "0.5,other,0.5,0.6,0.5\n");
      pictures.draw_trajectories<3>(2);
    }

    void
    expect_png(const std::string &name) const
    {
      ASSERT_TRUE(fs::exists(directory.file(name))) << name;
      EXPECT_EQ(contents(directory.file(name)).substr(0, 8),
                "\x89PNG\r\n\x1a\n");
    }

    const TemporaryDirectory directory;
    const std::vector<std::string> names = {"it's_a body", "other"};
  };



  TEST_F(PicturesTest, GoOnFromACheckpoint)
  {
    const auto draw = [](Pictures &pictures, const double time) {
      pictures.draw_surface<2>(time,
                               std::lround(10. * time),
                               {{{0, 1}}},
                               {0},
                               {{time, 0.}, {0., 1.}});
    };
    CheckpointData data;
    {
      Pictures straight(directory.output(), names);
      draw(straight, 1. / 3.);
      draw(straight, 5.);
      CheckpointArchive archive(data, "pictures");
      straight.serialize(archive);
      draw(straight, 7.);
    }
    const std::string outlines = contents(directory.file("plots/outlines.csv"));
    Pictures resumed(directory.output(), names);
    const CheckpointData &saved = data;
    CheckpointArchive archive(saved, "pictures");
    resumed.serialize(archive);
    resumed.resume(6.);
    EXPECT_LT(contents(directory.file("plots/outlines.csv")).size(),
              outlines.size());
    draw(resumed, 7.);
    EXPECT_EQ(contents(directory.file("plots/outlines.csv")), outlines);

    // The time of the checkpoint may be that of the picture, with more digits.
    resumed.resume(1. / 3.);
    EXPECT_NE(contents(directory.file("plots/outlines.csv")).find("0.3333333"),
              std::string::npos);
  }



  TEST_F(PicturesTest, AreDrawn)
  {
    Pictures pictures(directory.output(), names);
    draw_all(pictures);
    EXPECT_TRUE(fs::exists(directory.file("plots/history.gp")));
    if (gnuplot_is_installed())
      {
        EXPECT_EQ(pictures.remark(), "");
        expect_png("plots/history.png");
        expect_png("plots/picture-00100.png");
        expect_png("plots/trajectories.png");
        EXPECT_FALSE(fs::exists(directory.file("plots/picture-00100.rgb")));
        EXPECT_FALSE(fs::exists(directory.file("plots/gnuplot.log")));
      }
    else
      EXPECT_NE(pictures.remark().find("not installed"), std::string::npos);
  }



  TEST_F(PicturesTest, PlaneBodiesAreDrawn)
  {
    Pictures pictures(directory.output(), names);
    pictures.draw_surface<2>(0.5,
                             100,
                             {{{0, 1}}, {{1, 2}}, {{2, 0}}},
                             {0, 0, 0},
                             {{0., 0.}, {1., 0.}, {0., 1.}});
    if (gnuplot_is_installed())
      {
        EXPECT_EQ(pictures.remark(), "");
        expect_png("plots/picture-00100.png");
      }
    else
      EXPECT_NE(pictures.remark().find("not installed"), std::string::npos);
  }



  TEST_F(PicturesTest, OutlinesAreWhatTheEyeSees)
  {
    // The corner of a cube, cut off, seen from the front, right and above,
    // where the cut hides the other faces; another picture adds to the file.
    const std::vector<Point<3>> positions = {{1., 0., 0.},
                                             {0., 0., 1.},
                                             {0., -1., 0.},
                                             {0., 0., 0.}};
    Pictures pictures(directory.output(), names, "no-such-gnuplot");
    for (const double time : {0., 0.5})
      {
        pictures.draw_surface<3>(
          time,
          100,
          {{{0, 1, 2}}, {{1, 0, 3}}, {{2, 1, 3}}, {{0, 2, 3}}},
          {0, 0, 0, 0},
          positions);
        std::string lines = contents(directory.file("plots/outlines.csv"));
        EXPECT_EQ(lines.substr(0, 24), "x,y,time,red,green,blue\n");
        // Two lines for each edge, and an empty one.
        EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'),
                  1 + 3 * 3 * (time > 0. ? 2 : 1));
      }
  }



  TEST_F(PicturesTest, DegenerateHistoriesAreDrawn)
  {
    // One line only, everything zero.
    Table<HistoryRow>(directory.file("history.csv"), history_columns())
      .add(0, 0., HistoryRow());
    Pictures pictures(directory.output(), names);
    pictures.draw_history();
    if (gnuplot_is_installed())
      {
        EXPECT_EQ(pictures.remark(), "");
        expect_png("plots/history.png");
      }
    else
      EXPECT_NE(pictures.remark().find("not installed"), std::string::npos);
  }



  TEST_F(PicturesTest, WithoutGnuplotScriptsAndDataRemain)
  {
    Pictures pictures(directory.output(), names, "no-such-gnuplot");
    draw_all(pictures);
    const std::string remark = pictures.remark();
    EXPECT_NE(remark.find("'no-such-gnuplot' is not installed"),
              std::string::npos)
      << remark;
    EXPECT_EQ(remark.find('\n'), std::string::npos);
    for (const char *const name : {"plots/history.gp",
                                   "plots/trajectories.gp",
                                   "plots/outlines.csv",
                                   "plots/picture-00100.gp",
                                   "plots/picture-00100.rgb"})
      EXPECT_TRUE(fs::exists(directory.file(name))) << name;

    // All of it belongs to the run.
    OutputDirectory(directory.path,
                    OutputDirectory::Existing::overwrite,
                    MPI_COMM_SELF);
    EXPECT_TRUE(fs::is_empty(directory.path));
  }



  TEST_F(PicturesTest, FailingGnuplotIsNoFailure)
  {
    Pictures pictures(directory.output(), names, "false");
    draw_all(pictures);
    EXPECT_NE(pictures.remark().find("it reported an error"), std::string::npos)
      << pictures.remark();
  }



  TEST_F(PicturesTest, NothingToDrawIsNoFailure)
  {
    Pictures pictures(directory.output(), names);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    pictures.draw_surface<3>(0., 1, {}, {}, {});
    pictures.draw_surface<2>(0., 1, {{{0, 1}}}, {0}, {{nan, 0.}, {0., nan}});
    EXPECT_EQ(pictures.remark(), "");
    EXPECT_FALSE(fs::exists(directory.file("plots/picture-00001.rgb")));
  }
} // namespace
