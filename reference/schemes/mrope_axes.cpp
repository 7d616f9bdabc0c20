#include "reference/schemes/mrope_axes.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

using Order = MropeAxes::Order;
using Reading = MropeAxes::Reading;

constexpr std::string_view section_key = "mrope_section";
constexpr std::string_view interleaved_key = "mrope_interleaved";
constexpr std::string_view reading_key = "mrope_reading";
constexpr std::array<std::string_view, 2> reading_names{"huggingface", "ggml"};

}  // namespace

std::optional<MropeAxes> MropeAxes::read(ObjectReader& reader, int pairs) {
  const bool interleaved = reader.optional_boolean(interleaved_key).value_or(false);
  if (!reader.has(section_key)) {
    return std::nullopt;
  }
  const auto expected = "three numbers of pairs that add up to " + std::to_string(pairs);
  const auto numbers = read_exact_numbers(
      reader, std::string(section_key), reader.array(section_key, expected),
      [](const Rational& x) { return x >= 0 && denominator(x) == 1; }, "an integer from 0");
  MropeAxes result{{},
                   interleaved ? Order::interleaved : Order::sections,
                   static_cast<Reading>(reader.choice(reading_key, {reading_names[0], reading_names[1]}, 0))};
  if (numbers.size() != result.section.size() ||
      std::accumulate(numbers.begin(), numbers.end(), Rational(0)) != pairs) {
    reader.refuse(section_key, expected);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    result.section[i] = static_cast<int>(*as_integer(numbers[i]));
  }
  return result;
}

void MropeAxes::write(OrderedJson& to) const {
  to[section_key] = section;
  to[interleaved_key] = order == Order::interleaved;
  to[reading_key] = reading_names[static_cast<std::size_t>(reading)];
}

std::string MropeAxes::summary() const {
  return fmt::format("M-RoPE sections {}, {}, {}{}{}", section[0], section[1], section[2],
                     order == Order::interleaved ? " interleaved" : "",
                     reading == Reading::ggml ? ", ggml's reading" : "");
}

int MropeAxes::axis(int pair) const {
  if (order == Order::sections) {
    return pair < section[0] ? 0 : pair < section[0] + section[1] ? 1 : 2;
  }
  const int wanted = pair % sections;
  const bool within = pair < sections * section[static_cast<std::size_t>(wanted)];
  return within ? wanted : reading == Reading::ggml ? sections : 0;
}

std::vector<std::int64_t> MropeAxes::of_text(std::int64_t position) const {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(count()), 0);
  std::fill_n(positions.begin(), sections, position);
  return positions;
}

}  // namespace vernier
