// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_checkpoint_archive_h
#define ricochet_output_checkpoint_archive_h

#include <ricochet/base/error.h>
#include <ricochet/output/checkpoint.h>

#include <deal.II/base/tensor.h>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace Ricochet
{
  /**
   * The values of one owner in a checkpoint, by name. The owner names each of
   * its values once, and the same call saves or restores it:
   * @code
   *   void serialize(CheckpointArchive &archive)
   *   {
   *     archive("largest gain", largest_gain);
   *     archive("step of the largest gain", largest_gain_step);
   *   }
   * @endcode
   * A value is a number, a tensor of rank one, or a std::vector of them. All
   * are kept as double. Only what rank 0 saves is kept; all ranks restore it.
   */
  class CheckpointArchive
  {
  public:
    /** Save into @p data; names start with that of the @p owner. */
    CheckpointArchive(CheckpointData &data, const std::string &owner)
      : target(&data)
      , source(data)
      , prefix(owner + ": ")
    {}

    /** Restore from @p data. */
    CheckpointArchive(const CheckpointData &data, const std::string &owner)
      : source(data)
      , prefix(owner + ": ")
    {}

    /** Whether values are restored, not saved. */
    bool
    is_loading() const
    {
      return target == nullptr;
    }

    /** Whether the checkpoint has anything of this owner. */
    bool
    has_values() const
    {
      const auto starts_here = [this](const auto &map) {
        const auto next = map.lower_bound(prefix);
        return next != map.end() &&
               next->first.compare(0, prefix.size(), prefix) == 0;
      };
      return starts_here(source.scalars) || starts_here(source.vectors);
    }

    /** Save or restore a value. Throws a UserError if the checkpoint does not
     * have it, or not as many numbers as its type wants. */
    template <typename Value>
    void
    operator()(const std::string &name, Value &value)
    {
      if constexpr (std::is_arithmetic_v<Value>)
        {
          if (is_loading())
            value = static_cast<Value>(find(source.scalars, name));
          else
            target->scalars[prefix + name] = static_cast<double>(value);
        }
      else if (is_loading())
        {
          Reader reader(find(source.vectors, name));
          reader.read(value);
          require(reader.is_at_end(), message(name));
        }
      else
        append(value, target->vectors[prefix + name]);
    }

  private:
    std::string
    message(const std::string &name) const
    {
      return "The checkpoint does not have the '" + prefix + name +
             "' of this run. Restart with the parameter file and the version "
             "of the program that it was made with.";
    }

    template <typename Map>
    const typename Map::mapped_type &
    find(const Map &map, const std::string &name) const
    {
      const auto entry = map.find(prefix + name);
      require(entry != map.end(), message(name));
      return entry->second;
    }

    template <typename Number>
    static std::enable_if_t<std::is_arithmetic_v<Number>>
    append(const Number value, std::vector<double> &numbers)
    {
      numbers.push_back(static_cast<double>(value));
    }

    template <int n>
    static void
    append(const dealii::Tensor<1, n> &value, std::vector<double> &numbers)
    {
      numbers.insert(numbers.end(), value.begin_raw(), value.end_raw());
    }

    template <typename Number, std::size_t n>
    static void
    append(const std::array<Number, n> &values, std::vector<double> &numbers)
    {
      for (const Number value : values)
        append(value, numbers);
    }

    template <typename Value>
    static void
    append(const std::vector<Value> &values, std::vector<double> &numbers)
    {
      for (const Value &value : values)
        append(value, numbers);
    }

    /** The numbers of a vector one after the other; more than there are, are
     * zero. */
    class Reader
    {
    public:
      explicit Reader(const std::vector<double> &numbers)
        : numbers(numbers)
      {}

      /** Whether as many were read as there are. */
      bool
      is_at_end() const
      {
        return n_read == numbers.size();
      }

      template <typename Number>
      std::enable_if_t<std::is_arithmetic_v<Number>>
      read(Number &value)
      {
        value = n_read < numbers.size() ? static_cast<Number>(numbers[n_read])
                                        : Number();
        ++n_read;
      }

      template <int n>
      void
      read(dealii::Tensor<1, n> &value)
      {
        for (double *entry = value.begin_raw(); entry != value.end_raw();
             ++entry)
          read(*entry);
      }

      template <typename Number, std::size_t n>
      void
      read(std::array<Number, n> &values)
      {
        for (Number &value : values)
          read(value);
      }

      template <typename Value>
      void
      read(std::vector<Value> &values)
      {
        values.clear();
        while (n_read < numbers.size())
          read(values.emplace_back());
      }

    private:
      const std::vector<double> &numbers;
      std::size_t n_read = 0;
    };

    CheckpointData *target = nullptr;
    const CheckpointData &source;
    const std::string prefix;
  };
} // namespace Ricochet

#endif
