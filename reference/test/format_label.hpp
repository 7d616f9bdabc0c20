#pragma once

#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "reference/numbers/format.hpp"

namespace vernier {

/// How GoogleTest prints a format.
inline void PrintTo(Format format, std::ostream* stream) {  // NOLINT(readability-identifier-naming)
  *stream << traits(format).name;
}

/// The part of a parametrised test's name that says the format.
inline std::string format_label(const ::testing::TestParamInfo<Format>& info) {
  return std::string(traits(info.param).name);
}

}  // namespace vernier
