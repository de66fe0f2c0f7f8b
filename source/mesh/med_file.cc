// SPDX-License-Identifier: LGPL-2.1-or-later

#include "med_file.h"

#include <ricochet/base/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <new>
#include <string_view>
#include <system_error>

#include "file_lines.h"

namespace Ricochet
{
  namespace
  {
    const char *const damaged =
      "cannot be read by HDF5. Is the file complete? If so, write it again.";



    /** How many elements a dataspace has; none if that cannot be told or is
     * more than memory can have. */
    std::optional<std::size_t>
    n_elements(const hid_t space)
    {
      if (H5Sget_simple_extent_type(space) == H5S_NULL)
        return 0;
      std::array<hsize_t, H5S_MAX_RANK> extents{{}};
      const int rank =
        H5Sget_simple_extent_dims(space, extents.data(), nullptr);
      if (rank < 0)
        return std::nullopt;
      std::size_t n = 1;
      for (int d = 0; d < rank; ++d)
        {
          if (extents[d] != 0 &&
              n > std::numeric_limits<std::size_t>::max() / extents[d])
            return std::nullopt;
          n *= extents[d];
        }
      return n;
    }



    /** The attribute of an object that is one whole number; @p is_good is
     * false if it is something else or cannot be read. */
    std::optional<std::int64_t>
    integer_attribute(const hid_t object,
                      const std::string &name,
                      bool &is_good)
    {
      const htri_t is_there = H5Aexists(object, name.c_str());
      is_good               = is_there >= 0;
      if (is_there <= 0)
        return std::nullopt;
      const Hdf5Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT),
                                 H5Aclose);
      const Hdf5Handle type(H5Aget_type(attribute), H5Tclose);
      const Hdf5Handle space(H5Aget_space(attribute), H5Sclose);
      std::int64_t value = 0;
      is_good = attribute.is_open() && type.is_open() && space.is_open() &&
                H5Tget_class(type) == H5T_INTEGER && n_elements(space) == 1u &&
                H5Aread(attribute, H5T_NATIVE_INT64, &value) >= 0;
      return value;
    }



    /** The names of links, and how long they may be together. */
    struct LinkNames
    {
      std::vector<std::string> names;
      std::size_t n_free;
    };

    /** No exception may pass through HDF5. */
    herr_t
    append_name(const hid_t /*group*/,
                const char *const name,
                const H5L_info_t *const link,
                void *const data) noexcept
    {
      if (link->type != H5L_TYPE_HARD)
        return 0;
      auto &result = *static_cast<LinkNames *>(data);
      try
        {
          result.names.emplace_back(name);
        }
      catch (const std::bad_alloc &)
        {
          return -1;
        }
      // Each takes some bytes beyond its name in the file, too.
      const std::size_t n = result.names.back().size() + 1;
      if (n > result.n_free)
        return -1;
      result.n_free -= n;
      return 0;
    }
  } // namespace



  MedFile::MedFile(const std::string &file_name, const std::string &where)
    : where(where)
    , handle(H5Fopen(file_name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose)
  {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file_name, error);
    if (!handle.is_open() || error)
      throw UserError(where +
                      ": HDF5 cannot open the file, as which MED files "
                      "are written. Is it a MED file, and complete?");
    n_bytes = size;
  }



  void
  MedFile::fail(const std::string &path, const std::string &what) const
  {
    // Every name is made fit to be shown, so that the end is seen, too.
    std::string shown;
    for (std::size_t begin = 0; begin < path.size();)
      {
        const auto end = std::min(path.find('/', begin + 1), path.size());
        const std::string name =
          in_quotes(std::string_view(path).substr(begin, end - begin));
        shown += name.substr(1, name.size() - 2);
        begin = end;
      }
    throw UserError(where + ", '" + shown + "': " + what);
  }



  void
  MedFile::count_bytes(const std::string &path, const std::size_t n)
  {
    // Arrays may be compressed or share their place, but must not make much of
    // little.
    constexpr std::size_t max_ratio = 100;
    if (n / max_ratio > n_bytes || (n_read += n) / max_ratio > n_bytes)
      fail(path,
           "the arrays up to this one are more than " +
             std::to_string(max_ratio) +
             " times as long as the file. Is it complete?");
  }



  MedGroup::MedGroup(MedFile &file)
    : MedGroup(file,
               "/",
               Hdf5Handle(H5Gopen2(file.id(), "/", H5P_DEFAULT), H5Gclose))
  {
    if (!handle.is_open())
      fail(damaged);
  }



  std::vector<std::string>
  MedGroup::children() const
  {
    LinkNames result{{}, file.size()};
    // Asked for an order, HDF5 1.10 crashes with damaged lists.
    if (H5Literate(handle,
                   H5_INDEX_NAME,
                   H5_ITER_NATIVE,
                   nullptr,
                   append_name,
                   &result) < 0)
      fail(std::string("the list of what is in this group ") + damaged);
    std::sort(result.names.begin(), result.names.end());
    return result.names;
  }



  bool
  MedGroup::has(const std::string &name) const
  {
    const htri_t is_there = H5Lexists(handle, name.c_str(), H5P_DEFAULT);
    H5L_info_t link;
    if (is_there < 0 ||
        (is_there > 0 &&
         H5Lget_info(handle, name.c_str(), &link, H5P_DEFAULT) < 0))
      fail(std::string("the list of what is in this group ") + damaged);
    return is_there > 0 && link.type == H5L_TYPE_HARD;
  }



  MedGroup
  MedGroup::group(const std::string &name) const
  {
    if (!has(name))
      fail("there is no group " + in_quotes(name) +
           " here, which MED files have. Is it one, and complete?");
    Hdf5Handle child(H5Gopen2(handle, name.c_str(), H5P_DEFAULT), H5Gclose);
    if (!child.is_open())
      file.fail(path_of(name), std::string("this group ") + damaged);
    return MedGroup(file, path_of(name), std::move(child));
  }



  std::optional<std::int64_t>
  MedGroup::attribute(const std::string &name) const
  {
    bool is_good      = false;
    const auto result = integer_attribute(handle, name, is_good);
    if (!is_good)
      fail("the attribute " + in_quotes(name) +
           " is not one whole number, or cannot be read by HDF5. Is the file "
           "complete? If so, write it again.");
    return result;
  }



  std::optional<std::int64_t>
  MedGroup::announced_entities(const std::string &name) const
  {
    const Hdf5Handle dataset = open_dataset(name);
    bool is_good             = false;
    const auto result        = integer_attribute(dataset, "NBR", is_good);
    if (!is_good)
      file.fail(path_of(name),
                "the attribute 'NBR' is not one whole number, or cannot be "
                "read by HDF5. Is the file complete? If so, write it again.");
    return result;
  }



  Hdf5Handle
  MedGroup::open_dataset(const std::string &name) const
  {
    if (!has(name))
      fail("there is no dataset " + in_quotes(name) +
           " here, which MED files have. Is the file complete?");
    Hdf5Handle dataset(H5Dopen2(handle, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.is_open())
      file.fail(path_of(name), std::string("this dataset ") + damaged);
    return dataset;
  }



  std::size_t
  MedGroup::checked_size(const std::string &name,
                         const Hdf5Handle &dataset,
                         const std::size_t bytes_in_file,
                         const std::size_t bytes_in_memory) const
  {
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
    const Hdf5Handle properties(H5Dget_create_plist(dataset), H5Pclose);
    const auto n = n_elements(space);
    if (!space.is_open() || !properties.is_open() || !n || bytes_in_file == 0)
      file.fail(path_of(name), std::string("this dataset ") + damaged);
    if (H5Pget_layout(properties) == H5D_VIRTUAL ||
        H5Pget_external_count(properties) != 0)
      file.fail(path_of(name),
                "the numbers are kept in another file. Write them into this "
                "one.");

    // zlib makes data shorter by a factor of 1032 at most.
    const std::size_t factor = H5Pget_nfilters(properties) > 0 ? 1032 : 1;
    const std::size_t stored =
      std::min<std::size_t>(H5Dget_storage_size(dataset), file.size());
    if (*n > stored * factor / bytes_in_file)
      file.fail(path_of(name),
                "the dataset announces " + std::to_string(*n) +
                  " numbers, more than the file has. Is it complete?");
    file.count_bytes(path_of(name), *n * bytes_in_memory);
    return *n;
  }



  template <typename Number>
  std::vector<Number>
  MedGroup::numbers(const std::string &name,
                    const H5T_class_t kind,
                    const hid_t memory_type) const
  {
    const Hdf5Handle dataset = open_dataset(name);
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
    if (!type.is_open() || H5Tget_class(type) != kind)
      file.fail(path_of(name),
                std::string("this must be an array of ") +
                  (kind == H5T_INTEGER ? "whole" : "real") +
                  " numbers. Write the file again.");
    std::vector<Number> result(
      checked_size(name, dataset, H5Tget_size(type), sizeof(Number)));
    if (!result.empty() && H5Dread(dataset,
                                   memory_type,
                                   H5S_ALL,
                                   H5S_ALL,
                                   H5P_DEFAULT,
                                   result.data()) < 0)
      file.fail(path_of(name), std::string("this dataset ") + damaged);
    return result;
  }



  std::vector<std::int64_t>
  MedGroup::integers(const std::string &name) const
  {
    return numbers<std::int64_t>(name, H5T_INTEGER, H5T_NATIVE_INT64);
  }



  std::vector<double>
  MedGroup::reals(const std::string &name) const
  {
    std::vector<double> result =
      numbers<double>(name, H5T_FLOAT, H5T_NATIVE_DOUBLE);
    if (!std::all_of(result.begin(), result.end(), [](const double x) {
          return std::isfinite(x);
        }))
      file.fail(path_of(name),
                "there is a number that is not finite. Mend it.");
    return result;
  }



  std::string
  MedGroup::characters(const std::string &name) const
  {
    const Hdf5Handle dataset = open_dataset(name);
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
    const H5T_class_t kind = H5Tget_class(type);
    // MED writes arrays of 80 integers of one byte each.
    const Hdf5Handle base(kind == H5T_ARRAY ? H5Tget_super(type)
                                            : H5Tcopy(type),
                          H5Tclose);
    const H5T_class_t base_kind = H5Tget_class(base);
    if (!(base_kind == H5T_INTEGER && H5Tget_size(base) == 1) &&
        !(base_kind == H5T_STRING && H5Tis_variable_str(base) == 0))
      file.fail(path_of(name),
                "this must be an array of characters. Write the file again.");
    const std::size_t size = H5Tget_size(type);
    const std::size_t n    = checked_size(name, dataset, size, size);
    std::string result(n * size, '\0');
    if (!result.empty() &&
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &result[0]) < 0)
      file.fail(path_of(name), std::string("this dataset ") + damaged);
    return result;
  }
} // namespace Ricochet
