// SPDX-License-Identifier: LGPL-2.1-or-later

// As source/base/precompiled.h, for the tests.

#ifndef ricochet_tests_precompiled_h
#define ricochet_tests_precompiled_h

#include <gtest/gtest.h>

#include "../source/base/precompiled.h"

#endif
