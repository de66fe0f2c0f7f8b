// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_output_file_h
#define ricochet_output_output_file_h

#include <cstddef>
#include <string>

namespace Ricochet
{
  /**
   * A file that is written from front to back, each write checked.
   *
   * All files of the output directory go through this class, because the
   * streams of the standard library tell that a disk is full late or never,
   * and not why. Every failure is a RunError that names file, reason and
   * remedy.
   */
  class OutputFile
  {
  public:
    /** What to do with a file that exists. */
    enum class Mode
    {
      /** Make the file, or empty the one that exists. */
      create,
      /** Go on at the end of the file, or make it. */
      append
    };

    /** No file; write() must not be called. */
    OutputFile() = default;

    /** Open the file. */
    OutputFile(const std::string &name, const Mode mode = Mode::create);

    /** The other one has no file any more. */
    OutputFile(OutputFile &&other) noexcept;

    /** The same; closes the file that this one had. */
    OutputFile &
    operator=(OutputFile &&other) noexcept;

    /** Closes the file; without the check of close(). */
    ~OutputFile();

    /** Whether there is a file to write to. */
    bool
    is_open() const
    {
      return descriptor >= 0;
    }

    /** As it was given. */
    const std::string &
    name() const
    {
      return file_name;
    }

    /**
     * Append all of @p data. If that fails (a full disk), the part that got
     * into the file is taken back, so that the file ends with the last
     * complete write.
     */
    void
    write(const std::string &data)
    {
      write(data.data(), data.size());
    }

    /** The same for @p size bytes. */
    void
    write(const char *data, const std::size_t size);

    /**
     * Claim @p size bytes of the disk for a file that is still empty, so that
     * whoever writes to it later does not find the disk full. If they are not
     * there, the file is left empty. Does nothing where the system cannot do
     * that.
     */
    void
    reserve(const std::size_t size);

    /** Wait until the data are on the disk, not only in the system's memory. */
    void
    synchronize();

    /** Close the file; network file systems report a full disk only here. */
    void
    close();

  private:
    std::string file_name;
    int descriptor = -1;
  };



  /** Write a file in one go. Throws a RunError when it cannot be done. */
  void
  write_file(const std::string &name, const std::string &contents);

  /**
   * Replace a file such that it exists with the old or the new contents at any
   * moment: write under another name in the same directory, then rename.
   */
  void
  replace_file(const std::string &name, const std::string &contents);

  /**
   * Read a whole file into @p contents.
   *
   * @return Whether that was possible; errno tells why not.
   */
  bool
  read_file(const std::string &name, std::string &contents);

  /**
   * Make the names in a directory (after files were made or renamed) survive a
   * loss of power. Does nothing where the system cannot do that.
   */
  void
  synchronize_directory(const std::string &name);
} // namespace Ricochet

#endif
