// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_csv_table_h
#define ricochet_output_csv_table_h

#include <ricochet/output/output_directory.h>
#include <ricochet/output/output_file.h>

#include <deal.II/base/tensor.h>

#include <chrono>
#include <optional>
#include <string>

namespace Ricochet
{
  /**
   * A table in a text file: a header line, then lines of values separated by
   * commas, the first of which is the step. Floating point numbers have 17
   * significant digits, so that reading them gives back the same number.
   *
   * Lines are collected and written together about once in a second, so that a
   * table costs nothing, and a run that is killed leaves whole lines up to a
   * second before. Failing to write is a RunError, see OutputFile.
   *
   * A table belongs to one rank (rank 0).
   */
  class CsvTable
  {
  public:
    /**
     * Make the file, or continue it.
     *
     * @param[in] file_name The file.
     * @param[in] header The first line, without a line end.
     * @param[in] resume If given, and if the file exists, keep the lines with
     *   step <= resume->step and go on behind them. The header must be the
     *   same then, otherwise a UserError tells so.
     */
    CsvTable(const std::string &file_name,
             const std::string &header,
             const std::optional<ResumePoint> &resume = std::nullopt);

    /** The other one must not be written to any more. */
    CsvTable(CsvTable &&) = default;

    /** Writes what was collected, if that is possible. */
    ~CsvTable();

    /** Add a value to the current line. */
    CsvTable &
    operator<<(const double value);

    /** The same for a count. */
    CsvTable &
    operator<<(const unsigned long int value);

    /** The same for a shorter one. */
    CsvTable &
    operator<<(const unsigned int value)
    {
      return *this << static_cast<unsigned long int>(value);
    }

    /** Text with commas, quotes or line ends is put in quotes. */
    CsvTable &
    operator<<(const std::string &value);

    /** Three values. */
    CsvTable &
    operator<<(const dealii::Tensor<1, 3> &values)
    {
      return *this << values[0] << values[1] << values[2];
    }

    /** End the current line; write the collected lines if it is time to. */
    void
    end_row();

    /** Write all complete lines now. */
    void
    flush();

    /** Write everything and close the file, with a last check. */
    void
    close();

  private:
    OutputFile file;
    std::string buffer;

    /** Where the current line starts in the buffer. */
    std::size_t row_begin = 0;

    std::chrono::steady_clock::time_point last_write;
  };
} // namespace Ricochet

#endif
