// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_parameter_file_h
#define ricochet_base_parameter_file_h

#include <deal.II/base/parameter_handler.h>

#include <cstddef>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * The text of a parameter file in deal.II's syntax, read before anything is
   * declared: it tells which subsections the user named (bodies, probes),
   * and it knows file and line of each entry for messages.
   *
   * `include` lines are resolved relative to the file that holds them.
   */
  class ParameterFile
  {
  public:
    /** The names of nested subsections, the outermost first. */
    using Path = std::vector<std::string>;

    /** One `set` line. */
    struct Entry
    {
      Path path;
      std::string name;
      std::string value;
      std::string where; // "file.prm, line 12" or "--set"
    };

    /** No entries: for the documentation of parameters without a file. */
    ParameterFile() = default;

    /** No entries, but the given sections: to document user-named ones. */
    static ParameterFile
    with_sections(const std::vector<Path> &paths)
    {
      ParameterFile file;
      for (const Path &path : paths)
        file.add_section(path);
      return file;
    }

    /**
     * Read a file.
     *
     * @param[in] file_name The file.
     * @param[in] overrides Texts "Section/Subsection/Entry=value" that are
     *   applied after the file.
     * Throws a UserError for missing files, unbalanced subsections, lines that
     * are no parameter syntax, and files with foreign line ends.
     */
    ParameterFile(const std::string &file_name,
                  const std::vector<std::string> &overrides);

    /** Names of the subsections right below @p path, in order of appearance. */
    std::vector<std::string>
    subsections(const Path &path) const;

    /** The last value that the file gives an entry, or @p otherwise. */
    std::string
    value(const Path &path,
          const std::string &name,
          const std::string &otherwise) const;

    /** File and line of an entry, or the name of the file when it is not set.
     */
    std::string
    where(const Path &path, const std::string &name) const;

    /**
     * Set all entries in @p prm. An entry that was not declared, or a value
     * that does not match its pattern, is a UserError that names section,
     * file, line and the nearest declared names.
     */
    void
    apply_to(dealii::ParameterHandler &prm) const;

    /** All entries of @p prm with their values. */
    static ParameterFile
    all_entries(dealii::ParameterHandler &prm);

    /**
     * The first entry in a top-level section that is not the same in @p other,
     * with both values, for messages; empty if there is none.
     */
    std::string
    difference(const ParameterFile &other, const std::string &section) const;

    /**
     * A message about the value of an entry, with file, line and section of
     * that entry in front: the entry that is set and that the message names in
     * quotation marks. Of several, it is the one whose value and sections the
     * message shows, too; the message stays as it is if that is not clear, or
     * if it tells the place already.
     */
    std::string
    with_place(const std::string &message) const;

    /** Entries that are set, and subsections below the top that are opened,
     * more than once in a file, as warnings. */
    std::vector<std::string>
    warnings() const;

    /** The folder of the file, to resolve other files named in it. */
    std::string
    directory() const;

    /** The name of the file, empty if there is none. */
    const std::string &
    name() const
    {
      return file_name;
    }

  private:
    void
    read(std::istream &in, const std::string &source, const unsigned int depth);

    void
    add_override(const std::string &text);

    /** Append an entry, which counts from now on. */
    void
    add_entry(const Entry &entry);

    /** Note that the section is there, and so are those around it. */
    void
    add_section(const Path &path);

    /** Throw the UserError for an entry of a file that is none of these, which
     * are all that were declared. */
    void
    refuse_unknown(const Entry &entry) const;

    /** The last entry of this name in a section, or null. */
    const Entry *
    find(const Path &path, const std::string &name) const;

    std::string file_name;
    std::vector<Entry> entries;

    /** Of each section, and name in it, the last entry. Files may have
     * thousands of sections, so nothing searches through all of them. */
    std::map<Path, std::map<std::string, std::size_t>> last_entries;

    /** The names of the subsections of each section that appears, also of
     * empty ones, in order of appearance. */
    std::map<Path, std::vector<std::string>> section_names;

    Path current; // while reading
    std::vector<std::string> repeated;
  };



  /** "A/B/C" for messages. */
  std::string
  join(const ParameterFile::Path &path, const std::string &name = "");
} // namespace Ricochet

#endif
