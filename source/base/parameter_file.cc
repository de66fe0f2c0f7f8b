// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/edit_distance.h>
#include <ricochet/base/error.h>
#include <ricochet/base/number.h>
#include <ricochet/base/parameter_file.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "line_reader.h"

// One file, since all of it is about where an entry stands: what is read,
// looked up, compared and told in messages goes by the same table of lines.

namespace Ricochet
{
  using dealii::ParameterHandler;
  using dealii::Utilities::trim;

  namespace
  {
    /** Whether @p line begins with the word @p keyword; if so, remove it. */
    bool
    take_keyword(std::string &line, const std::string &keyword)
    {
      std::string upper = keyword;
      for (char &c : upper)
        c = std::toupper(static_cast<unsigned char>(c));
      for (const std::string &word : {keyword, upper})
        if (line == word || line.rfind(word + " ", 0) == 0 ||
            line.rfind(word + "\t", 0) == 0)
          {
            line = trim(line.substr(word.size()));
            return true;
          }
      return false;
    }



    /** What a line "Name = value" of a section sets. */
    ParameterFile::Entry
    entry_of(const std::string &line,
             const ParameterFile::Path &path,
             const std::string &where)
    {
      const auto equals = line.find('=');
      return {path,
              trim(line.substr(0, equals)),
              trim(line.substr(equals + 1)),
              where};
    }



    std::string
    list_of(const std::vector<std::string> &names)
    {
      std::string text;
      for (const auto &name : names)
        text += (text.empty() ? "'" : ", '") + name + "'";
      return text;
    }



    /** The pattern that a value failed to match, as deal.II describes it. */
    std::string
    allowed_values(const ParameterHandler::ExcValueDoesNotMatchPattern &error)
    {
      std::ostringstream text;
      error.print_info(text);
      const std::string info = text.str();
      const auto begin = info.find('['), end = info.rfind(']');
      return begin < end && end != std::string::npos
               ? info.substr(begin, end - begin + 1)
               : trim(info);
    }



    /**
     * Throw a UserError for numbers that patterns let through, as they read
     * them as 0, but that the functions do not read that come later.
     */
    void
    refuse_numbers_out_of_range(ParameterHandler &prm,
                                const ParameterFile::Entry &entry)
    {
      const auto takes_words = [&]() {
        try
          {
            prm.set(entry.name, std::string("words"));
          }
        catch (const ParameterHandler::ExcValueDoesNotMatchPattern &)
          {
            return false;
          }
        prm.set(entry.name, entry.value);
        return true;
      };
      for (const std::string &word :
           dealii::Utilities::split_string_list(entry.value))
        {
          const auto number = number_of(word);
          require(!number || std::isnormal(*number) ||
                    word.substr(0, word.find_first_of("eE"))
                        .find_first_not_of("+-0.") == std::string::npos ||
                    takes_words(),
                  entry.where + ": '" + join(entry.path, entry.name) +
                    "' cannot be '" + entry.value + "'. The number " + word +
                    " is too small; write 0 or one above 1e-307 in size.");
        }
    }



    void
    enter(ParameterHandler &prm, const ParameterFile::Path &path)
    {
      for (const auto &section : path)
        prm.enter_subsection(section);
    }

    void
    leave(ParameterHandler &prm, const ParameterFile::Path &path)
    {
      for (std::size_t i = 0; i < path.size(); ++i)
        prm.leave_subsection();
    }
  } // namespace



  std::string
  join(const ParameterFile::Path &path, const std::string &name)
  {
    std::string text;
    for (const auto &section : path)
      text += section + "/";
    if (name.empty() && !text.empty())
      text.pop_back();
    return text + name;
  }



  ParameterFile::ParameterFile(const std::string &file_name,
                               const std::vector<std::string> &overrides)
    : file_name(file_name)
  {
    std::ifstream in(file_name);
    require(in.good() && !std::filesystem::is_directory(file_name),
            "Cannot read the parameter file '" + file_name +
              "'. Check the name and the permissions.");
    read(in, file_name, 0);
    require(current.empty(),
            file_name + ": subsection '" + join(current) +
              "' is not closed. Add the missing 'end'.");
    for (const auto &text : overrides)
      add_override(text);
  }



  void
  ParameterFile::read(std::istream &in,
                      const std::string &source,
                      const unsigned int depth)
  {
    require(depth < 20,
            source +
              ": more than 20 files include each other. Remove the "
              "circle of 'include' lines.");
    LineReader reader(in, source);
    std::string line;
    std::set<Path> opened_here;
    while (reader.next(line))
      {
        const std::string where = reader.where();
        if (take_keyword(line, "subsection"))
          {
            require(!line.empty(), where + ": this subsection has no name.");
            current.push_back(line);
            add_section(current);
            // Files may add to sections of others, seldom to their own.
            if (!opened_here.insert(current).second && current.size() > 1)
              repeated.push_back(where + ": subsection '" + join(current) +
                                 "' was already there; both are one.");
          }
        else if (take_keyword(line, "end"))
          {
            require(!current.empty(),
                    where + ": this 'end' closes no subsection. Remove it.");
            current.pop_back();
          }
        else if (take_keyword(line, "include"))
          {
            const auto file =
              std::filesystem::path(source).parent_path() / line;
            std::ifstream included(file);
            require(included.good() && !std::filesystem::is_directory(file),
                    where + ": cannot read the included file '" +
                      file.string() + "'.");
            read(included, file.string(), depth + 1);
          }
        else if (take_keyword(line, "set") &&
                 line.find('=') != std::string::npos)
          {
            const Entry entry = entry_of(line, current, where);
            if (const Entry *const other = find(entry.path, entry.name))
              repeated.push_back(where + ": '" + join(entry.path, entry.name) +
                                 "' was already set in " + other->where +
                                 "; the last value counts.");
            add_entry(entry);
          }
        else
          throw UserError(where + ": cannot understand '" + reader.text() +
                          "'. Expected 'set Name = value', 'subsection Name', "
                          "'end', 'include file' or a comment.");
      }
  }



  void
  ParameterFile::add_override(const std::string &text)
  {
    const auto equals = text.find('=');
    require(equals != std::string::npos,
            "--set \"" + text +
              "\": there is no '='. Write --set \"Section/Entry=value\".");
    Path path =
      dealii::Utilities::split_string_list(text.substr(0, equals), '/');
    require(!path.empty() && !path.back().empty(),
            "--set \"" + text + "\": there is no name before the '='.");
    const std::string name = path.back();
    path.pop_back();
    add_entry(
      {path, name, trim(text.substr(equals + 1)), "--set \"" + text + "\""});
  }



  void
  ParameterFile::add_entry(const Entry &entry)
  {
    last_entries[entry.path][entry.name] = entries.size();
    entries.push_back(entry);
  }



  void
  ParameterFile::add_section(const Path &path)
  {
    Path above;
    for (const std::string &name : path)
      {
        Path section = above;
        section.push_back(name);
        if (section_names.emplace(section, std::vector<std::string>()).second)
          section_names[above].push_back(name);
        above = std::move(section);
      }
  }



  const ParameterFile::Entry *
  ParameterFile::find(const Path &path, const std::string &name) const
  {
    const auto section = last_entries.find(path);
    if (section == last_entries.end())
      return nullptr;
    const auto number = section->second.find(name);
    return number == section->second.end() ? nullptr : &entries[number->second];
  }



  std::vector<std::string>
  ParameterFile::subsections(const Path &path) const
  {
    const auto names = section_names.find(path);
    return names == section_names.end() ? std::vector<std::string>()
                                        : names->second;
  }



  std::string
  ParameterFile::value(const Path &path,
                       const std::string &name,
                       const std::string &otherwise) const
  {
    const Entry *const entry = find(path, name);
    return entry == nullptr ? otherwise : entry->value;
  }



  std::string
  ParameterFile::where(const Path &path, const std::string &name) const
  {
    const Entry *const entry = find(path, name);
    return entry == nullptr ? file_name : entry->where;
  }



  ParameterFile
  ParameterFile::all_entries(ParameterHandler &prm)
  {
    // As deal.II itself prints them.
    std::stringstream printed;
    prm.print_parameters(printed,
                         ParameterHandler::ShortPRM |
                           ParameterHandler::KeepDeclarationOrder);
    ParameterFile result;
    result.read(printed, "", 0);
    return result;
  }



  std::string
  ParameterFile::difference(const ParameterFile &other,
                            const std::string &section) const
  {
    const auto is_inside = [&](const Entry &entry) {
      return !entry.path.empty() && entry.path[0] == section;
    };
    const std::string none = "not there";
    for (const Entry &entry : entries)
      if (is_inside(entry))
        {
          const std::string value = other.value(entry.path, entry.name, none);
          if (value != entry.value)
            return "'" + join(entry.path, entry.name) + "' is '" + entry.value +
                   "' and was '" + value + "'";
        }
    for (const Entry &entry : other.entries)
      if (is_inside(entry) &&
          value(entry.path, entry.name, none) != entry.value)
        return "'" + join(entry.path, entry.name) + "' was '" + entry.value +
               "'";
    return "";
  }



  void
  ParameterFile::refuse_unknown(const Entry &entry) const
  {
    const auto own = last_entries.find(entry.path);
    std::vector<std::string> names, elsewhere;
    if (own != last_entries.end())
      for (const auto &[name, number] : own->second)
        names.push_back(name);
    for (const Entry &other : entries)
      if (other.path != entry.path && other.name == entry.name)
        elsewhere.push_back(join(other.path, other.name));
    const std::string section = entry.path.empty()
                                  ? "the top level"
                                  : "section '" + join(entry.path) + "'";
    if (names.empty() && subsections(entry.path).empty())
      {
        Path parent = entry.path;
        while (!parent.empty() && subsections(parent).empty())
          parent.pop_back();
        throw UserError(
          entry.where + ": there is no " + section + ". Sections in " +
          (parent.empty() ? "the file" : "'" + join(parent) + "'") + ": " +
          list_of(
            nearest_names(entry.path[parent.size()], subsections(parent), 8)) +
          ".");
      }
    throw UserError(
      entry.where + ": there is no entry '" + entry.name + "' in " + section +
      ". Nearest names there: " + list_of(nearest_names(entry.name, names)) +
      (elsewhere.empty()
         ? "."
         : "; the same name exists as " +
             list_of({elsewhere.begin(),
                      elsewhere.begin() +
                        std::min<std::size_t>(3, elsewhere.size())}) +
             "."));
  }



  void
  ParameterFile::apply_to(ParameterHandler &prm) const
  {
    const ParameterFile declared = all_entries(prm);
    for (const Entry &entry : entries)
      {
        if (declared.find(entry.path, entry.name) == nullptr)
          declared.refuse_unknown(entry);

        enter(prm, entry.path);
        try
          {
            prm.set(entry.name, entry.value);
            refuse_numbers_out_of_range(prm, entry);
          }
        catch (const ParameterHandler::ExcValueDoesNotMatchPattern &error)
          {
            throw UserError(entry.where + ": '" + join(entry.path, entry.name) +
                            "' cannot be '" + entry.value +
                            "'. Allowed: " + allowed_values(error) + ".");
          }
        leave(prm, entry.path);
      }
  }



  std::string
  ParameterFile::with_place(const std::string &message) const
  {
    const auto has = [&message](const std::string &text) {
      return message.find(text) != std::string::npos;
    };
    const Entry *best      = nullptr;
    std::size_t best_score = 0;
    bool is_clear          = false;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
      {
        if (has(entry->where + ":"))
          return message; // says it already
        if (!has("'" + entry->name + "'") && !has("/" + entry->name + "'") &&
            !has("/" + entry->name + ":"))
          continue;
        // The value behind the name tells most, then the names of sections.
        std::size_t score = 1;
        if (!entry->value.empty() && has(entry->name + "' = " + entry->value))
          score += 100;
        for (const std::string &section : entry->path)
          if (has("'" + section + "'") || has("'" + section + "/") ||
              has(section + "/" + entry->name))
            score += 10;
        const bool is_same = best != nullptr && best->path == entry->path &&
                             best->name == entry->name;
        if (is_same || score < best_score)
          continue;
        // Of names that tell the same, the first one in the message.
        if (score == best_score && best->name != entry->name &&
            message.find(best->name) < message.find(entry->name))
          continue;
        is_clear   = score > best_score || best->name != entry->name;
        best       = &*entry;
        best_score = score;
      }
    if (best == nullptr || !is_clear)
      return message;
    return best->where + ", '" + join(best->path, best->name) + "': " + message;
  }



  std::vector<std::string>
  ParameterFile::warnings() const
  {
    return repeated;
  }



  std::string
  ParameterFile::directory() const
  {
    const auto parent = std::filesystem::path(file_name).parent_path();
    return parent.empty() ? "." : parent.string();
  }
} // namespace Ricochet
