#include "numerics/program/rounding.hpp"

namespace vernier {
namespace {

template <Format format>
void round_each(std::span<double> values) {
  for (double& value : values) {
    value = round_to(format, value);
  }
}

}  // namespace

void round_each(Format format, std::span<double> values) {
  switch (format) {
    case Format::binary32:
      return round_each<Format::binary32>(values);
    case Format::binary16:
      return round_each<Format::binary16>(values);
    case Format::bfloat16:
      return round_each<Format::bfloat16>(values);
    case Format::float8_e4m3fn:
      return round_each<Format::float8_e4m3fn>(values);
    case Format::float8_e5m2:
      return round_each<Format::float8_e5m2>(values);
    case Format::float8_e4m3fnuz:
      return round_each<Format::float8_e4m3fnuz>(values);
    case Format::float8_e5m2fnuz:
      return round_each<Format::float8_e5m2fnuz>(values);
    case Format::binary64:
      return;
  }
}

}  // namespace vernier
