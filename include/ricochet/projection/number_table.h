// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_number_table_h
#define ricochet_projection_number_table_h

#include <deal.II/base/types.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace Ricochet
{
  /**
   * Numbers of things that are kept elsewhere, to be found by what the things
   * are: a hash table without a memory of its own for each of them, since
   * thousands of gaps are found and forgotten again in each step.
   */
  class NumberTable
  {
  public:
    /** No number. */
    static constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;

    /** Forget all numbers, and keep the memory. */
    void
    clear()
    {
      if (n_numbers > 0)
        places.assign(places.size(), Place());
      n_numbers = 0;
    }

    /** The number that was inserted with this hash and for which
     * is_it(number), or none. */
    template <typename Predicate>
    unsigned int
    find(const std::size_t hash, const Predicate &is_it) const
    {
      if (n_numbers == 0)
        return none;
      for (std::size_t p = hash & (places.size() - 1); places[p].number != none;
           p             = (p + 1) & (places.size() - 1))
        if (places[p].hash == hash && is_it(places[p].number))
          return places[p].number;
      return none;
    }

    /** Insert a number that is not there yet. */
    void
    insert(const std::size_t hash, const unsigned int number)
    {
      // At most half of the places are taken.
      if (2 * (n_numbers + 1) > places.size())
        {
          std::vector<Place> old(std::max<std::size_t>(16, 2 * places.size()));
          old.swap(places);
          for (const Place &place : old)
            if (place.number != none)
              put(place);
        }
      put({hash, number});
      ++n_numbers;
    }

  private:
    struct Place
    {
      std::size_t hash    = 0;
      unsigned int number = none;
    };

    void
    put(const Place &place)
    {
      std::size_t p = place.hash & (places.size() - 1);
      while (places[p].number != none)
        p = (p + 1) & (places.size() - 1);
      places[p] = place;
    }

    std::vector<Place> places; // a power of two
    std::size_t n_numbers = 0;
  };
} // namespace Ricochet

#endif
