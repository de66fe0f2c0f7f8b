// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/output_file.h>
#include <ricochet/output/summary.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace Ricochet
{
  namespace
  {
    /** Lines "  name   value   remark" in columns. */
    class Lines
    {
    public:
      void
      title(const std::string &name)
      {
        text += (text.empty() ? "" : "\n") + name + "\n";
      }

      void
      line(const std::string &name,
           const std::string &value,
           const std::string &remark = "")
      {
        char buffer[200];
        std::snprintf(buffer,
                      sizeof(buffer),
                      "  %-32s %14s%s%s\n",
                      name.c_str(),
                      value.c_str(),
                      remark.empty() ? "" : "  ",
                      remark.c_str());
        text += buffer;
      }

      void
      number(const std::string &name,
             const double value,
             const std::string &remark = "")
      {
        if (!std::isnan(value))
          line(name, print("%.6g", value), remark);
      }

      void
      count(const std::string &name,
            const unsigned long int value,
            const std::string &remark = "")
      {
        line(name, std::to_string(value), remark);
      }

      static std::string
      print(const char *const format, const double value)
      {
        char buffer[50];
        std::snprintf(buffer, sizeof(buffer), format, value);
        return buffer;
      }

      std::string text;
    };



    /** "1.2e-15 of sum m |v|", or nothing if there is no scale. */
    std::string
    relative(const double value, const double scale, const std::string &name)
    {
      return (scale > 0. ? Lines::print("%.2g", value / scale) + " of " + name
                         : "");
    }



    void
    add_conservation(const Summary &summary, Lines &lines)
    {
      lines.title("Conservation");
      lines.number("linear momentum error",
                   summary.momentum_error,
                   relative(summary.momentum_error,
                            summary.momentum_scale,
                            "sum m |v|"));
      lines.number("angular momentum change",
                   summary.angular_momentum_change,
                   relative(summary.angular_momentum_change,
                            summary.angular_momentum_scale,
                            "sum m |x-c| |v|"));
      lines.number("  not explained",
                   summary.angular_momentum_error,
                   relative(summary.angular_momentum_error,
                            summary.angular_momentum_scale,
                            "sum m |x-c| |v|"));
    }



    void
    add_energies(const Summary &summary, Lines &lines)
    {
      const double scale  = std::max(std::abs(summary.start.total),
                                    std::abs(summary.end.kinetic) +
                                      std::abs(summary.end.internal));
      const double change = summary.end.total - summary.start.total;

      lines.title(
        "Energy                                         end"
        "  start");
      const auto pair =
        [&](const char *const name, const double end, const double start) {
          lines.number(name, end, Lines::print("%.6g", start));
        };
      pair("kinetic", summary.end.kinetic, summary.start.kinetic);
      pair("strain", summary.end.internal, summary.start.internal);
      lines.number("plastic loss", summary.plastic);
      lines.number("viscous loss", summary.viscous);
      lines.number("friction loss", summary.friction);
      lines.number("restitution loss", summary.restitution);
      lines.number("external work", summary.external_work);
      lines.number("contact work (corrections)", summary.contact_work);
      pair("total", summary.end.total, summary.start.total);
      lines.number("change of the total",
                   change,
                   relative(change, scale, "largest energy"));
      lines.number("largest gain of the total",
                   summary.largest_gain,
                   relative(summary.largest_gain, scale, "largest energy"));
      if (summary.largest_gain > 0.)
        lines.count("  in step", summary.largest_gain_step);
    }



    void
    add_materials(const Summary &summary, Lines &lines)
    {
      if (std::isnan(summary.plastic_strain))
        return;
      lines.title("Materials");
      lines.number("largest plastic strain", summary.plastic_strain);
      lines.number("highest temperature", summary.temperature);
    }



    void
    add_contact(const Summary &summary, Lines &lines)
    {
      lines.title("Contact");
      lines.count("node-face contacts", summary.n_node_face);
      lines.count("edge-edge contacts", summary.n_edge_edge);
      lines.count("passes",
                  summary.n_passes,
                  Lines::print("%.3g per step",
                               double(summary.n_passes) /
                                 std::max(1UL, summary.n_steps)));
      lines.count("groups projected together", summary.n_projected);
      lines.count("groups moved rigidly", summary.n_rigid);
      lines.count("cuts of a step", summary.cuts.total());
      for (unsigned int k = 0; k < StepCuts::n_reasons; ++k)
        if (summary.cuts.counts[k] > 0)
          lines.count("  " + StepCuts::name(CutReason(k)),
                      summary.cuts.counts[k]);
      lines.count("steps that did not settle", summary.n_unsettled_steps);
      lines.count("rebuilds of candidates",
                  summary.n_rebuilds,
                  Lines::print("%.3g steps apart per body",
                               summary.steps_per_rebuild));
      lines.number("smallest gap", summary.min_gap);
      for (const auto &[name, number] : summary.response)
        lines.number(name, number);
    }



    void
    add_equations(const Summary &summary, Lines &lines)
    {
      if (summary.n_iterations == 0)
        return;
      const double n_steps = std::max(1UL, summary.n_steps);
      lines.title("Equations");
      lines.count("Newton iterations",
                  summary.n_iterations,
                  Lines::print("%.3g per step",
                               summary.n_iterations / n_steps));
      lines.count("linear iterations",
                  summary.n_linear_iterations,
                  Lines::print("%.3g per system",
                               double(summary.n_linear_iterations) /
                                 summary.n_iterations));
      lines.count("augmentations", summary.n_augmentations);
    }



    void
    add_observers(const Summary &summary, Lines &lines)
    {
      if (summary.observers.empty())
        return;
      lines.title("Observers");
      for (const auto &[name, number] : summary.observers)
        lines.number(name, number);
    }



    void
    add_times(const Summary &summary, Lines &lines)
    {
      const double step_elements =
        double(summary.n_steps) * double(summary.n_elements);

      lines.title("Time");
      lines.number("seconds",
                   summary.wall_time,
                   std::to_string(summary.n_ranks) +
                     (summary.n_ranks == 1 ? " rank" : " ranks"));
      const auto part = [&](const std::string &name, const double seconds) {
        lines.number("  " + name,
                     seconds,
                     summary.wall_time > 0.
                       ? Lines::print("%5.1f %%",
                                      100. * seconds / summary.wall_time)
                       : "");
      };
      double rest = summary.wall_time;
      for (const auto &time : summary.times)
        {
          part(time.first, time.second);
          rest -= time.second;
        }
      if (!summary.times.empty())
        part("everything else", rest);

      if (summary.step_time > 0.)
        lines.number("steps per second", summary.n_steps / summary.step_time);
      if (step_elements > 0.)
        lines.number("ns per element per step",
                     1e9 * summary.step_time / step_elements);
    }
  } // namespace



  std::string
  Summary::text() const
  {
    Lines lines;
    lines.title("Run");
    lines.count("steps", n_steps);
    lines.number("time", end_time, "from " + Lines::print("%.6g", start_time));
    lines.count("elements", n_elements);
    lines.count("nodes", n_nodes);
    lines.line("instruction set", instruction_set);
    add_conservation(*this, lines);
    add_energies(*this, lines);
    add_materials(*this, lines);
    add_contact(*this, lines);
    add_equations(*this, lines);
    add_observers(*this, lines);
    add_times(*this, lines);
    return lines.text;
  }



  void
  Summary::write(const OutputDirectory &directory) const
  {
    write_file(directory.file("summary.txt"), text());
  }
} // namespace Ricochet
