// SPDX-License-Identifier: LGPL-2.1-or-later

#include "checkpoint_file.h"

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/hdf5.h>

#include <algorithm>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <cstring>
#include <vector>

namespace Ricochet
{
  namespace
  {
    namespace HDF5 = dealii::HDF5;
    namespace MPI  = dealii::Utilities::MPI;
    using Mode     = HDF5::File::FileAccessMode;



    /**
     * While it lives, HDF5 prints no errors, and the cause of the first one is
     * kept: what HDF5's functions return, deal.II looks at in debug mode only.
     */
    class ErrorRecorder
    {
    public:
      ErrorRecorder()
      {
        H5Eget_auto2(H5E_DEFAULT, &old_function, &old_data);
        H5Eset_auto2(H5E_DEFAULT, record, &cause);
      }

      ErrorRecorder(const ErrorRecorder &) = delete;

      ~ErrorRecorder()
      {
        H5Eset_auto2(H5E_DEFAULT, old_function, old_data);
      }

      /** Whether there was an error on this rank or another one. Collective. */
      bool
      has_error(const MPI_Comm communicator) const
      {
        return MPI::max(cause.empty() ? 0 : 1, communicator) > 0;
      }

      /** Throw a RunError if there was an error on this rank. */
      void
      check(const std::string &action, const std::string &file) const
      {
        if (!cause.empty())
          throw RunError(
            "Cannot " + action + " the checkpoint '" + file + "': HDF5 says '" +
            cause +
            "'. Check free space and permissions there, or write elsewhere "
            "(--output DIR). An earlier checkpoint is still there.");
      }

    private:
      static herr_t
      record(const hid_t stack, void *const cause)
      {
        if (static_cast<std::string *>(cause)->empty())
          H5Ewalk2(stack, H5E_WALK_UPWARD, note_innermost, cause);
        return 0;
      }

      static herr_t
      note_innermost(const unsigned int n,
                     const H5E_error2_t *const error,
                     void *const cause)
      {
        if (n == 0)
          *static_cast<std::string *>(cause) =
            std::string(error->func_name) + ": " + error->desc;
        return 0;
      }

      H5E_auto2_t old_function = nullptr;
      void *old_data           = nullptr;
      std::string cause;
    };



    /** A group that knows what is in it. */
    class Listing : public HDF5::Group
    {
    public:
      Listing(const HDF5::Group &parent, const std::string &name)
        : HDF5::Group(name, parent, /*mpi = */ true, GroupAccessMode::open)
      {}

      std::vector<std::string>
      datasets() const
      {
        std::vector<std::string> names;
        H5Literate(*hdf5_reference,
                   H5_INDEX_NAME,
                   H5_ITER_INC,
                   nullptr,
                   append<H5L_info_t>,
                   &names);
        return names;
      }

      std::vector<std::string>
      attributes() const
      {
        std::vector<std::string> names;
        H5Aiterate2(*hdf5_reference,
                    H5_INDEX_NAME,
                    H5_ITER_INC,
                    nullptr,
                    append<H5A_info_t>,
                    &names);
        return names;
      }

    private:
      template <typename Info>
      static herr_t
      append(const hid_t, const char *const name, const Info *, void *names)
      {
        static_cast<std::vector<std::string> *>(names)->emplace_back(name);
        return 0;
      }
    };



    /** How a name is written in the file. */
    std::string
    encode(const std::string &name)
    {
      AssertThrow(!name.empty() && name.find('\0') == std::string::npos,
                  dealii::ExcMessage("This is no name for a checkpoint."));
      std::string result;
      for (const char c : name)
        if (c == '%')
          result += "%25";
        else if (c == '/')
          result += "%2F";
        else if (c == '.' && result.empty())
          result += "%2E";
        else
          result += c;
      return result;
    }



    std::string
    decode(const std::string &name)
    {
      std::string result;
      for (std::size_t i = 0; i < name.size(); ++i)
        if (name[i] == '%')
          {
            result +=
              static_cast<char>(std::stoi(name.substr(i + 1, 2), nullptr, 16));
            i += 2;
          }
        else
          result += name[i];
      return result;
    }



    /** Collective; of no @p values, nothing is written. */
    void
    write_dataset(const HDF5::Group &group,
                  const std::string &name,
                  const std::uint64_t size,
                  const std::uint64_t begin,
                  const std::vector<double> &values)
    {
      auto dataset = group.create_dataset<double>(encode(name), {size});
      if (size == 0)
        return;
      if (values.empty())
        dataset.write_none<double>();
      else
        dataset.write_hyperslab(values, {begin}, {values.size()});
    }



    bool
    have_same_bits(const std::vector<double> &a, const std::vector<double> &b)
    {
      return a.size() == b.size() &&
             (a.empty() ||
              std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
    }
  } // namespace



  std::uint64_t
  size_of_checkpoint_file(const CheckpointData &data)
  {
    // Names and where things are take some hundred bytes each.
    std::uint64_t size = 65536;
    for (const auto &scalar : data.scalars)
      size += 512 + 2 * scalar.first.size();
    for (const auto &[name, values] : data.vectors)
      size += 2048 + 2 * name.size() + values.size() * sizeof(double);
    for (const auto &[name, numbers] : data.distributed)
      size += 2048 + 2 * name.size() + numbers.size * sizeof(double);
    return size;
  }



  void
  write_checkpoint_file(const std::string &name,
                        const CheckpointData &data,
                        const MPI_Comm communicator)
  {
    // What is in the file is decided by all ranks together.
    const auto step    = MPI::broadcast(communicator, data.step, 0);
    const auto time    = MPI::broadcast(communicator, data.time, 0);
    const auto scalars = MPI::broadcast(communicator, data.scalars, 0);
    std::map<std::string, std::uint64_t> sizes;
    for (const auto &[name_of_vector, values] : data.vectors)
      sizes[name_of_vector] = values.size();
    sizes               = MPI::broadcast(communicator, sizes, 0);
    const bool is_first = MPI::this_mpi_process(communicator) == 0;

    ErrorRecorder errors;
    {
      HDF5::File file(name, Mode::create, communicator);
      if (!errors.has_error(communicator))
        {
          file.set_attribute("step", static_cast<double>(step));
          file.set_attribute("time", time);
          auto group = file.create_group("scalars");
          for (const auto &scalar : scalars)
            group.set_attribute(encode(scalar.first), scalar.second);
          const auto vectors = file.create_group("vectors");
          for (const auto &[vector, size] : sizes)
            write_dataset(vectors,
                          vector,
                          size,
                          0,
                          is_first ? data.vectors.at(vector)
                                   : std::vector<double>());
          const auto distributed = file.create_group("distributed");
          for (const auto &[vector, numbers] : data.distributed)
            write_dataset(distributed,
                          vector,
                          numbers.size,
                          numbers.begin,
                          numbers.values);
        }
    }
    on_all_ranks(communicator, [&]() { errors.check("write", name); });
  }



  CheckpointData
  read_checkpoint_file(const std::string &name)
  {
    CheckpointData data;
    ErrorRecorder errors;
    {
      // By MPI as well, which locks no file: not all file systems can.
      HDF5::File file(name, Mode::open, MPI_COMM_SELF);
      if (!errors.has_error(MPI_COMM_SELF))
        {
          data.step =
            static_cast<unsigned long int>(file.get_attribute<double>("step"));
          data.time = file.get_attribute<double>("time");
          const Listing scalars(file, "scalars");
          for (const std::string &scalar : scalars.attributes())
            data.scalars[decode(scalar)] =
              scalars.get_attribute<double>(scalar);
          const Listing vectors(file, "vectors");
          for (const std::string &vector : vectors.datasets())
            {
              auto dataset = vectors.open_dataset(vector);
              auto &values = data.vectors[decode(vector)];
              if (dataset.get_dimensions().at(0) > 0)
                values = dataset.read<std::vector<double>>();
            }
          const Listing distributed(file, "distributed");
          for (const std::string &vector : distributed.datasets())
            data.distributed[decode(vector)].size =
              distributed.open_dataset(vector).get_dimensions().at(0);
        }
    }
    errors.check("read", name);
    return data;
  }



  void
  read_checkpoint_pieces(const std::string &name,
                         std::map<std::string, DistributedNumbers> &pieces,
                         const MPI_Comm communicator)
  {
    ErrorRecorder errors;
    {
      const HDF5::File file(name, Mode::open, communicator);
      if (!errors.has_error(communicator))
        {
          const auto group = file.open_group("distributed");
          for (auto &[vector, numbers] : pieces)
            {
              auto dataset = group.open_dataset(encode(vector));
              if (numbers.size == 0)
                continue;
              if (numbers.values.empty())
                dataset.read_none<double>();
              else
                numbers.values = dataset.read_hyperslab<std::vector<double>>(
                  {numbers.begin},
                  {numbers.values.size()});
            }
        }
    }
    on_all_ranks(communicator, [&]() { errors.check("read", name); });
  }



  void
  verify_checkpoint_file(const std::string &name,
                         const CheckpointData &data,
                         const MPI_Comm communicator)
  {
    const auto require_same = [&](const bool is_same) {
      if (!is_same)
        throw RunError(
          "The checkpoint '" + name +
          "' does not have what was written to it. Check free space and the "
          "disk, or write elsewhere (--output DIR). An earlier checkpoint is "
          "still there.");
    };
    on_first_rank(communicator, [&]() {
      const CheckpointData copy = read_checkpoint_file(name);
      const auto is_same        = [](const auto &a, const auto &b) {
        return a.first == b.first && have_same_bits(a.second, b.second);
      };
      const auto is_same_scalar = [](const auto &a, const auto &b) {
        return a.first == b.first && have_same_bits({a.second}, {b.second});
      };
      require_same(copy.step == data.step &&
                   have_same_bits({copy.time}, {data.time}));
      require_same(std::equal(copy.scalars.begin(),
                              copy.scalars.end(),
                              data.scalars.begin(),
                              data.scalars.end(),
                              is_same_scalar));
      require_same(std::equal(copy.vectors.begin(),
                              copy.vectors.end(),
                              data.vectors.begin(),
                              data.vectors.end(),
                              is_same));
    });
    // One after the other, which takes less memory.
    for (const auto &[vector, numbers] : data.distributed)
      {
        std::map<std::string, DistributedNumbers> copy = {{vector, numbers}};
        auto &values                                   = copy.at(vector).values;
        std::fill(values.begin(), values.end(), 0.);
        read_checkpoint_pieces(name, copy, communicator);
        on_all_ranks(communicator, [&, &written = numbers.values]() {
          require_same(have_same_bits(values, written));
        });
      }
  }
} // namespace Ricochet
