// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_med_file_h
#define ricochet_source_mesh_med_file_h

#include <cstddef>
#include <cstdint>
#include <hdf5.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** What HDF5 has opened, and closes in the end. */
  class Hdf5Handle
  {
  public:
    using Close = herr_t (*)(hid_t);

    Hdf5Handle(const hid_t id, const Close close)
      : id(id)
      , close(close)
    {}

    Hdf5Handle(Hdf5Handle &&other) noexcept
      : id(std::exchange(other.id, H5I_INVALID_HID))
      , close(other.close)
    {}

    ~Hdf5Handle()
    {
      if (is_open())
        close(id);
    }

    bool
    is_open() const
    {
      return id >= 0;
    }

    operator hid_t() const
    {
      return id;
    }

  private:
    hid_t id;
    Close close;
  };



  /** While it lives, HDF5 prints no errors. */
  class QuietHdf5
  {
  public:
    QuietHdf5()
    {
      H5Eget_auto2(H5E_DEFAULT, &old_function, &old_data);
      H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }

    QuietHdf5(const QuietHdf5 &) = delete;

    ~QuietHdf5()
    {
      H5Eset_auto2(H5E_DEFAULT, old_function, old_data);
    }

  private:
    H5E_auto2_t old_function = nullptr;
    void *old_data           = nullptr;
  };



  /**
   * A file of HDF5 whose content is not trusted: before memory is reserved for
   * an array, its size is compared with that of the file.
   */
  class MedFile
  {
  public:
    /** Open a file. Throws a UserError that starts with @p where if HDF5 cannot
     * do that. */
    MedFile(const std::string &file_name, const std::string &where);

    /** Throw a UserError that names the place in the file. */
    [[noreturn]] void
    fail(const std::string &path, const std::string &what) const;

    /** Bytes of the file. */
    std::size_t
    size() const
    {
      return n_bytes;
    }

    /** Throw a UserError if the array at @p path, for which memory of @p n
     * bytes is wanted, and all before it are too much for the file. */
    void
    count_bytes(const std::string &path, std::size_t n);

    hid_t
    id() const
    {
      return handle;
    }

  private:
    std::string where;
    std::size_t n_bytes = 0, n_read = 0;
    QuietHdf5 quiet;
    Hdf5Handle handle;
  };



  /**
   * A group in a MedFile, which must live longer. Every function throws a
   * UserError that names the place in the file for what cannot be read. Links
   * to other places of this or another file are passed over: MED has none.
   */
  class MedGroup
  {
  public:
    /** The group of all others. */
    explicit MedGroup(MedFile &file);

    /** Where it is in the file. */
    const std::string &
    path() const
    {
      return place;
    }

    [[noreturn]] void
    fail(const std::string &what) const
    {
      file.fail(place, what);
    }

    /** Names of what is in it, in alphabetical order. */
    std::vector<std::string>
    children() const;

    bool
    has(const std::string &name) const;

    /** A group in it. */
    MedGroup
    group(const std::string &name) const;

    /** A whole number that the group has. */
    std::optional<std::int64_t>
    attribute(const std::string &name) const;

    /** The attribute NBR of a dataset, which says how many entities it is
     * for. */
    std::optional<std::int64_t>
    announced_entities(const std::string &name) const;

    /** The numbers of a dataset, which must be whole ones. */
    std::vector<std::int64_t>
    integers(const std::string &name) const;

    /** The numbers of a dataset, which must be finite. */
    std::vector<double>
    reals(const std::string &name) const;

    /** The bytes of a dataset of characters. */
    std::string
    characters(const std::string &name) const;

  private:
    MedGroup(MedFile &file, std::string place, Hdf5Handle handle)
      : file(file)
      , place(std::move(place))
      , handle(std::move(handle))
    {}

    std::string
    path_of(const std::string &name) const
    {
      return place == "/" ? place + name : place + "/" + name;
    }

    Hdf5Handle
    open_dataset(const std::string &name) const;

    /** How many elements a dataset has whose elements have a size in the file
     * and in memory. Memory for so many may be reserved then. */
    std::size_t
    checked_size(const std::string &name,
                 const Hdf5Handle &dataset,
                 std::size_t bytes_in_file,
                 std::size_t bytes_in_memory) const;

    /** Read a dataset of numbers of a class. */
    template <typename Number>
    std::vector<Number>
    numbers(const std::string &name, H5T_class_t kind, hid_t memory_type) const;

    MedFile &file;
    std::string place;
    Hdf5Handle handle;
  };
} // namespace Ricochet

#endif
