// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_output_checkpoint_contents_h
#define ricochet_tests_output_checkpoint_contents_h

#include <ricochet/output/checkpoint.h>

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "temporary_directory.h"

namespace Ricochet
{
  namespace Testing
  {
    /** The newest checkpoint with all values on all ranks. Collective. */
    inline CheckpointData
    whole_checkpoint(const TemporaryDirectory &directory,
                     const MPI_Comm communicator)
    {
      Checkpoint checkpoint(directory.output(), communicator);
      CheckpointData data = checkpoint.read();
      for (auto &[name, numbers] : data.distributed)
        numbers.values.resize(numbers.size);
      checkpoint.read_pieces(data.distributed);
      return data;
    }



    inline void
    expect_same_bits(const double a,
                     const double b,
                     const std::string &name = "time")
    {
      EXPECT_EQ(std::memcmp(&a, &b, sizeof(double)), 0)
        << name << ": " << a << " and " << b;
    }



    inline void
    expect_same_bits(const std::vector<double> &a,
                     const std::vector<double> &b,
                     const std::string &name)
    {
      ASSERT_EQ(a.size(), b.size()) << name;
      for (unsigned int i = 0; i < a.size(); ++i)
        expect_same_bits(a[i], b[i], name);
    }



    /** The same in all values, to the last bit. */
    inline void
    expect_same(const CheckpointData &data, const CheckpointData &expected)
    {
      EXPECT_EQ(data.step, expected.step);
      expect_same_bits(data.time, expected.time);
      ASSERT_EQ(data.scalars.size(), expected.scalars.size());
      for (const auto &[name, value] : expected.scalars)
        expect_same_bits(data.scalars.at(name), value, name);
      ASSERT_EQ(data.vectors.size(), expected.vectors.size());
      for (const auto &[name, values] : expected.vectors)
        expect_same_bits(data.vectors.at(name), values, name);
      ASSERT_EQ(data.distributed.size(), expected.distributed.size());
      for (const auto &[name, numbers] : expected.distributed)
        {
          EXPECT_EQ(data.distributed.at(name).size, numbers.size) << name;
          expect_same_bits(data.distributed.at(name).values,
                           numbers.values,
                           name);
        }
    }
  } // namespace Testing
} // namespace Ricochet

#endif
