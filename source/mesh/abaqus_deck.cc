// SPDX-License-Identifier: LGPL-2.1-or-later

#include "abaqus_deck.h"

#include <algorithm>
#include <filesystem>

namespace Ricochet
{
  namespace
  {
    /** Files within files, and their number in all. */
    constexpr std::size_t max_depth = 16, max_includes = 1000;

    /** Capital letters, no blanks. */
    std::string
    normalized(const std::string_view text)
    {
      std::string result = upper_case(text);
      result.erase(std::remove_if(result.begin(),
                                  result.end(),
                                  [](const char c) {
                                    return blanks.find(c) !=
                                           std::string_view::npos;
                                  }),
                   result.end());
      return result;
    }

    std::string_view
    without_quotes(const std::string_view text)
    {
      const bool has_them = text.size() >= 2 && text.front() == text.back() &&
                            (text.front() == '"' || text.front() == '\'');
      return has_them ? text.substr(1, text.size() - 2) : text;
    }

    /** The part of @p rest up to a comma outside of double quotes, which is
     * taken off together with the comma. */
    std::string_view
    take_entry(std::string_view &rest, bool &has_comma)
    {
      bool inside     = false;
      std::size_t end = 0;
      for (; end < rest.size() && (inside || rest[end] != ','); ++end)
        if (rest[end] == '"')
          inside = !inside;
      const auto entry = trimmed(rest.substr(0, end));
      has_comma        = end < rest.size();
      rest.remove_prefix(std::min(end + 1, rest.size()));
      return entry;
    }
  } // namespace



  std::string_view
  AbaqusKeyword::value(const std::string &parameter) const
  {
    const auto found = parameters.find(parameter);
    return found == parameters.end() ? line.substr(0, 0) : found->second;
  }



  std::string_view
  AbaqusKeyword::needed_value(const std::string &parameter) const
  {
    if (value(parameter).empty())
      fail("*" + name + " needs the parameter " + parameter + ". Add it.");
    return value(parameter);
  }



  AbaqusDeck::AbaqusDeck(const std::string &file_name, const std::string &where)
    : where(where)
  {
    open(file_name, where);
  }



  void
  AbaqusDeck::open(const std::string &file_name, const std::string &start)
  {
    auto &file = files[std::filesystem::weakly_canonical(file_name).string()];
    if (!file)
      file = std::make_unique<TextFile>(file_name, start);
    n_bytes += file->text().size();
    sources.push_back({file.get(), file_name, LineScanner(*file)});
  }



  void
  AbaqusDeck::include(const AbaqusKeyword &keyword,
                      const std::string_view file_name)
  {
    if (sources.size() >= max_depth || ++n_includes > max_includes)
      keyword.fail("files include each other without end. Mend the names.");
    if (file_name.size() > 1000 ||
        file_name.find('\0') != std::string_view::npos)
      keyword.fail("this is not the name of a file. Mend it.");
    const std::filesystem::path name =
      std::filesystem::path(sources.back().name).parent_path() /
      std::filesystem::path(std::string(file_name));
    std::error_code error;
    if (!std::filesystem::is_regular_file(name, error))
      keyword.fail("there is no file " + in_quotes(file_name) +
                   " beside the one that names it. Check the name.");
    open(name.string(), where + ", file " + in_quotes(file_name));
  }



  bool
  AbaqusDeck::next_line()
  {
    if (pending)
      {
        pending = false;
        return true;
      }
    while (!sources.empty())
      {
        if (!sources.back().lines.next_filled())
          {
            // Places in the deck's own file are told after its end, too.
            if (sources.size() == 1)
              return false;
            sources.pop_back();
            continue;
          }
        current = sources.back().lines.line();
        if (current.substr(0, 2) == "**")
          continue;
        return true;
      }
    return false;
  }



  void
  AbaqusDeck::parse_parameter(const std::string_view text,
                              AbaqusKeyword &keyword) const
  {
    const auto equals = text.find('=');
    const auto name   = normalized(text.substr(0, equals));
    const auto value  = equals == std::string_view::npos
                          ? text.substr(0, 0)
                          : without_quotes(trimmed(text.substr(equals + 1)));
    if (!name.empty() && !keyword.parameters.emplace(name, value).second)
      keyword.file->fail(text,
                         "the keyword has the parameter " + in_quotes(name) +
                           " twice. Remove one.");
  }



  AbaqusKeyword
  AbaqusDeck::parse_keyword()
  {
    AbaqusKeyword keyword;
    keyword.line = current;
    keyword.file = sources.back().file;

    std::string_view rest = current;
    bool has_comma        = false;
    keyword.name          = normalized(take_entry(rest, has_comma).substr(1));
    while (has_comma)
      {
        if (rest.empty())
          {
            // The next line goes on with this one.
            const Source *const source = &sources.back();
            if (!next_line())
              break;
            if (current.front() == '*' || source != &sources.back())
              {
                pending = true;
                break;
              }
            rest = current;
          }
        parse_parameter(take_entry(rest, has_comma), keyword);
      }
    return keyword;
  }



  bool
  AbaqusDeck::next_keyword(AbaqusKeyword &keyword)
  {
    while (next_line())
      if (current.front() == '*')
        {
          keyword = parse_keyword();
          if (keyword.name != "INCLUDE")
            return true;
          include(keyword, keyword.needed_value("INPUT"));
        }
    return false;
  }



  bool
  AbaqusDeck::next_data(AbaqusData &data)
  {
    while (next_line())
      {
        if (current.front() == '*')
          {
            // A file may be included in the midst of data.
            const auto mark = normalized(current.substr(1, 16));
            if (mark.compare(0, 7, "INCLUDE") == 0)
              {
                const AbaqusKeyword keyword = parse_keyword();
                if (keyword.name == "INCLUDE")
                  {
                    include(keyword, keyword.needed_value("INPUT"));
                    continue;
                  }
                keyword.fail(in_quotes(keyword.line) +
                             " is not known. Mend the keyword.");
              }
            pending = true;
            return false;
          }
        data.line             = current;
        data.file             = sources.back().file;
        std::string_view rest = current;
        data.entries.clear();
        do
          data.entries.push_back(take_entry(rest, data.continued));
        while (!rest.empty());
        return true;
      }
    return false;
  }
} // namespace Ricochet
