// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_paraview_series_h
#define ricochet_output_paraview_series_h

#include <ricochet/output/output_directory.h>

#include <optional>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * The list of files that make up a time series, in ParaView's .pvd format:
   * opening it shows all of them. The list is replaced as a whole after each
   * addition, so that it is valid at any moment of the run.
   *
   * Names of files are numbered "<name>-00000...", "<name>-00001...". Belongs
   * to one rank.
   */
  class ParaviewSeries
  {
  public:
    /**
     * @param[in] directory Where the list "<name>.pvd" and its files are.
     * @param[in] name The name of the series.
     * @param[in] resume If given, and if the list exists, keep the entries with
     *   time <= resume->time; a list that cannot be read is a UserError.
     */
    ParaviewSeries(const OutputDirectory &directory,
                   const std::string &name,
                   const std::optional<ResumePoint> &resume = std::nullopt);

    /** The number of the next output: one more than the last one's. */
    unsigned int
    next_number() const;

    /** "<name>-NNNNN" for the output with number @p n. */
    std::string
    stem(const unsigned int n) const;

    /**
     * Add the files of the next output, one for each part of the model, and
     * write the list. Names are relative to the directory.
     */
    void
    add(const double time, const std::vector<std::string> &files);

  private:
    struct Entry
    {
      double time;
      unsigned int part;
      std::string file;
    };

    void
    read(const double last_time);

    /** The number in the name of a file. */
    unsigned int
    number_of(const std::string &file) const;

    std::string name, list_name;
    std::vector<Entry> entries;
  };
} // namespace Ricochet

#endif
