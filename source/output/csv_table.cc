// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/csv_table.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

namespace Ricochet
{
  namespace
  {
    /** Lines are written at least that often and at most that many bytes. */
    constexpr std::chrono::seconds write_interval(1);
    constexpr std::size_t max_buffer_size = 1 << 20;



    /**
     * The part of a table that a restarted run keeps: header and whole lines
     * with step <= @p last_step. Empty if there is no table to continue.
     */
    std::string
    kept_part(const std::string &file_name,
              const std::string &header,
              const unsigned long int last_step)
    {
      std::string contents;
      if (!read_file(file_name, contents))
        {
          require(errno == ENOENT,
                  "Cannot read the table '" + file_name +
                    "', which a restarted run continues: " +
                    std::strerror(errno) + ".");
          return "";
        }

      std::size_t end = contents.find('\n');
      if (end == std::string::npos)
        return "";
      require(contents.compare(0, end, header) == 0,
              "The table '" + file_name +
                "' cannot be continued: its columns are not those of this "
                "run, '" +
                header +
                "'. Move it to another name, or restart with the version of "
                "the program that wrote it.");

      // Steps only grow, so what is kept is the first part of the file.
      ++end;
      while (true)
        {
          const std::size_t line_end = contents.find('\n', end);
          if (line_end == std::string::npos)
            break; // a line that a killed run did not finish
          unsigned long int step = 0;
          const auto result =
            std::from_chars(&contents[end], &contents[line_end], step);
          if (result.ec != std::errc() || *result.ptr != ',' ||
              step > last_step)
            break;
          end = line_end + 1;
        }
      contents.resize(end);
      return contents;
    }
  } // namespace



  CsvTable::CsvTable(const std::string &file_name,
                     const std::string &header,
                     const std::optional<ResumePoint> &resume)
    : last_write(std::chrono::steady_clock::now())
  {
    const std::string kept =
      (resume ? kept_part(file_name, header, resume->step) : "");
    if (!kept.empty())
      {
        replace_file(file_name, kept);
        file = OutputFile(file_name, OutputFile::Mode::append);
      }
    else
      {
        file = OutputFile(file_name);
        file.write(header + "\n");
      }
  }



  CsvTable::~CsvTable()
  {
    try
      {
        flush();
      }
    catch (const RunError &)
      {
        // Either the error that ends the run, or a second one after it.
      }
  }



  CsvTable &
  CsvTable::operator<<(const double value)
  {
    if (std::isnan(value))
      {
        buffer += "nan,"; // without the sign
        return *this;
      }

    char text[32];
    const auto result = std::to_chars(text,
                                      text + sizeof(text),
                                      value,
                                      std::chars_format::general,
                                      17);
    buffer.append(text, result.ptr);
    buffer += ',';
    return *this;
  }



  CsvTable &
  CsvTable::operator<<(const unsigned long int value)
  {
    char text[32];
    const auto result = std::to_chars(text, text + sizeof(text), value);
    buffer.append(text, result.ptr);
    buffer += ',';
    return *this;
  }



  CsvTable &
  CsvTable::operator<<(const std::string &value)
  {
    if (value.find_first_of(",\"\r\n") == std::string::npos)
      buffer += value;
    else
      {
        buffer += '"';
        for (const char c : value)
          {
            if (c == '"')
              buffer += '"';
            buffer += c;
          }
        buffer += '"';
      }
    buffer += ',';
    return *this;
  }



  void
  CsvTable::end_row()
  {
    if (buffer.size() > row_begin)
      buffer.back() = '\n';
    row_begin = buffer.size();

    if (buffer.size() > max_buffer_size ||
        std::chrono::steady_clock::now() - last_write > write_interval)
      flush();
  }



  void
  CsvTable::flush()
  {
    if (!file.is_open() || row_begin == 0)
      return;

    // What cannot be written is not tried again, so that the table has no gap
    // if there is room later.
    const std::string lines = buffer.substr(0, row_begin);
    buffer.erase(0, row_begin);
    row_begin  = 0;
    last_write = std::chrono::steady_clock::now();
    try
      {
        try
          {
            file.write(lines);
          }
        catch (const RunError &)
          {
            // Nothing of it is there now; keep the lines that still fit.
            for (std::size_t begin = 0, end; begin < lines.size(); begin = end)
              {
                end = lines.find('\n', begin) + 1;
                file.write(lines.data() + begin, end - begin);
              }
          }
      }
    catch (const RunError &)
      {
        file = OutputFile();
        throw;
      }
  }



  void
  CsvTable::close()
  {
    flush();
    if (file.is_open())
      file.close();
  }
} // namespace Ricochet
