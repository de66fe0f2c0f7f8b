// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_table_h
#define ricochet_output_table_h

#include <ricochet/output/csv_table.h>
#include <ricochet/output/output_directory.h>

#include <deal.II/base/tensor.h>

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace Ricochet
{
  /** A column of a table: its name, and how a row has its value. */
  template <typename Row>
  class Column
  {
  public:
    /**
     * @param[in] name Of a vector, what stands before x, y and z in the names
     *   of its three columns.
     * @param[in] value A function of a row that returns a number, a
     *   std::string, or a Tensor<1, 3>.
     */
    template <typename Function>
    Column(const std::string &name, const Function &value)
      : header(name)
      , write([value](const Row &row, CsvTable &table) { table << value(row); })
    {
      using Value = std::invoke_result_t<Function, const Row &>;
      if constexpr (std::is_same_v<std::decay_t<Value>, dealii::Tensor<1, 3>>)
        header = name + "x," + name + "y," + name + "z";
    }

    std::string header;
    std::function<void(const Row &, CsvTable &)> write;
  };



  /** All columns of a table, in their order. */
  template <typename Row>
  using Columns = std::vector<Column<Row>>;



  /** A CsvTable of rows that all have the same columns, the first two of which
   * are step and time. */
  template <typename Row>
  class Table
  {
  public:
    /** Make the file, or continue it; see CsvTable. */
    Table(const std::string &file_name,
          const Columns<Row> &columns,
          const std::optional<ResumePoint> &resume = std::nullopt)
      : columns(columns)
      , table(file_name, header(columns), resume)
    {}

    /** Add a line; steps must not decrease. */
    void
    add(const unsigned long int step, const double time, const Row &row)
    {
      table << step << time;
      for (const auto &column : columns)
        column.write(row, table);
      table.end_row();
    }

    /** Write all lines now. */
    void
    flush()
    {
      table.flush();
    }

  private:
    static std::string
    header(const Columns<Row> &columns)
    {
      std::string result = "step,time";
      for (const auto &column : columns)
        result += "," + column.header;
      return result;
    }

    const Columns<Row> columns;
    CsvTable table;
  };
} // namespace Ricochet

#endif
