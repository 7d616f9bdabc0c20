#include <algorithm>
#include <array>
#include <cmath>

#include "reference/numbers/format.hpp"
#include "reference/support/mapped.hpp"
#include "reports/exchange/vectors/vector_tensor.hpp"

namespace vernier {
namespace {

/// Whether `holds` of any element of the row that is a real number other than zero.
template <class Holds>
bool any_element(const VectorRow& row, Holds holds) {
  return std::ranges::any_of(row.tensors, [&](const VectorTensor& tensor) {
    for (std::size_t i = 0; tensor.rows != 0 && i < tensor.truth.size(); ++i) {
      const double value = tensor.truth[i].approximately();
      if (tensor.row_of(i) == row.index && value != 0 && holds(tensor, i, value)) {
        return true;
      }
    }
    return false;
  });
}

/// Below 2^-10 an error of the phase is a thousand times as many ulp as near 1.
bool is_near_zero(const VectorRow& row) {
  return any_element(row, [](const VectorTensor& tensor, std::size_t, double value) {
    return tensor.role != "bias" && std::fabs(value) < 0x1p-10;
  });
}

/// How far a number is from the middle between two numbers of a format, in ulp: from 0 to 1/2.
double off_midpoint(Format format, double value) {
  const double off = std::fabs(value - round_to(format, value)) / ulp_at(format, value);
  return std::fabs(off - 0.5);
}

/// Within 2^-7 ulp of the middle between two numbers of the format: one element in 64 is.
template <Format format>
bool is_near_midpoint(const VectorRow& row) {
  return any_element(row, [](const VectorTensor&, std::size_t, double value) {
    return off_midpoint(format, value) < 0x1p-7;
  });
}

bool has_subnormal(const VectorRow& row) {
  return any_element(
      row, [](const VectorTensor&, std::size_t, double value) { return is_subnormal_float16(value); });
}

template <Format format>
bool is_not_held(const VectorRow& row) {
  return !is_member(format, static_cast<double>(row.position));
}

bool is_at_bucket_step(const VectorRow& row) {
  const auto* bucket = row.encoding.bucket_rule();
  const auto index_at = [&](std::int64_t position) { return (*bucket)(position).index; };
  return bucket != nullptr && (index_at(row.position - 1) != index_at(row.position) ||
                               index_at(row.position + 1) != index_at(row.position));
}

bool is_on_bucket_edge(const VectorRow& row) {
  const auto* bucket = row.encoding.bucket_rule();
  return bucket != nullptr && (*bucket)(row.position).across.has_value();
}

std::int64_t last_of(const VectorRow& row) {
  return row.context.at(row.context.count - 1);
}

constexpr std::array all_row_flags{
    RowFlag{"first-row", "The first position of the context.",
            [](const VectorRow& row) { return row.position == row.context.first; }},
    RowFlag{"last-row", "The last position of the context: loops that end too early leave it unwritten.",
            [](const VectorRow& row) { return row.position == last_of(row); }},
    RowFlag{"far", "Beyond the context, for implementations that take any position.",
            [](const VectorRow& row) { return row.position > std::max(row.context.first, last_of(row)); }},
    RowFlag{"past-65536",
            "Positions of 17 bits: a float32 phase has 7 bits behind the point left, and tables of 2^16 rows "
            "end.",
            [](const VectorRow& row) { return row.position > 65536; }},
    RowFlag{"not-bfloat16", "bfloat16 does not hold the position: nothing may compute with it in bfloat16.",
            is_not_held<Format::bfloat16>},
    RowFlag{"not-float16", "float16 does not hold the position.", is_not_held<Format::binary16>},
    RowFlag{"near-zero",
            "An element is below 2^-10: if its phase is reduced or rounded badly, its error is many ulp.",
            is_near_zero},
    RowFlag{"midpoint-float32",
            "An element is within 1/128 ulp of the middle between two float32 numbers: rounding twice, or "
            "toward zero, shows.",
            is_near_midpoint<Format::binary32>},
    RowFlag{"midpoint-float16", "The same of float16.", is_near_midpoint<Format::binary16>},
    RowFlag{"midpoint-bfloat16", "The same of bfloat16.", is_near_midpoint<Format::bfloat16>},
    RowFlag{"subnormal-float16", "An element is a subnormal float16 number: flushing to zero shows.",
            has_subnormal},
    RowFlag{"bucket-step", "A neighbouring relative position has a different bucket.", is_at_bucket_step},
    RowFlag{"bucket-edge",
            "The relative position lies on an edge between buckets: a rounded logarithm may fall on either "
            "side.",
            is_on_bucket_edge},
};

}  // namespace

bool is_subnormal_float16(double value) {
  const double rounded = round_to(Format::binary16, value);
  return rounded != 0 && std::fabs(rounded) < traits(Format::binary16).smallest_normal();
}

std::span<const RowFlag> row_flags() {
  return all_row_flags;
}

std::vector<std::string_view> flags_of(const VectorRow& row) {
  return mapped(filtered(row_flags(), [&](const RowFlag& flag) { return flag.holds(row); }), &RowFlag::id);
}

}  // namespace vernier
