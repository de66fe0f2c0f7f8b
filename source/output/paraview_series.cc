// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/output_file.h>
#include <ricochet/output/paraview_series.h>

#include <deal.II/base/utilities.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <sstream>

namespace Ricochet
{
  ParaviewSeries::ParaviewSeries(const OutputDirectory &directory,
                                 const std::string &name,
                                 const std::optional<ResumePoint> &resume)
    : name(name)
    , list_name(directory.file(name + ".pvd"))
  {
    if (resume && std::filesystem::exists(list_name))
      read(resume->time);
  }



  void
  ParaviewSeries::read(const double last_time)
  {
    try
      {
        boost::property_tree::ptree tree;
        boost::property_tree::read_xml(list_name, tree);
        for (const auto &node : tree.get_child("VTKFile.Collection"))
          if (node.first == "DataSet")
            {
              const auto &attributes = node.second.get_child("<xmlattr>");

              const Entry entry = {attributes.get<double>("timestep"),
                                   attributes.get<unsigned int>("part"),
                                   attributes.get<std::string>("file")};
              if (entry.time <= last_time)
                entries.push_back(entry);
            }
      }
    catch (const boost::property_tree::ptree_error &error)
      {
        throw UserError("The list of results '" + list_name +
                        "', which a restarted run continues, cannot be read: " +
                        error.what() +
                        ". Move it to another name and restart again; the "
                        "results themselves are not touched.");
      }
  }



  unsigned int
  ParaviewSeries::number_of(const std::string &file) const
  {
    // Files that the user added to the list count as none.
    const std::string start = name + "-";
    return (file.compare(0, start.size(), start) == 0
              ? std::strtoul(file.c_str() + start.size(), nullptr, 10)
              : 0);
  }



  unsigned int
  ParaviewSeries::next_number() const
  {
    return entries.empty() ? 0 : number_of(entries.back().file) + 1;
  }



  std::string
  ParaviewSeries::stem(const unsigned int n) const
  {
    return name + "-" + dealii::Utilities::int_to_string(n, 5);
  }



  void
  ParaviewSeries::add(const double time, const std::vector<std::string> &files)
  {
    for (unsigned int part = 0; part < files.size(); ++part)
      entries.push_back({time, part, files[part]});

    std::ostringstream text;
    text << std::setprecision(17)
         << "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"Collection\" version=\"0.1\">\n"
            "  <Collection>\n";
    for (const Entry &entry : entries)
      text << "    <DataSet timestep=\"" << entry.time
           << "\" group=\"\" part=\"" << entry.part << "\" file=\""
           << entry.file << "\"/>\n";
    text << "  </Collection>\n"
            "</VTKFile>\n";
    replace_file(list_name, text.str());
  }
} // namespace Ricochet
