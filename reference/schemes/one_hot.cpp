#include "reference/schemes/one_hot.hpp"

#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

std::unique_ptr<Encoding> parse(ObjectReader& reader) {
  return std::make_unique<OneHotEncoding>(
      OneHotSpec{.num_positions = reader.integer("num_positions", 1, most_listed_positions)});
}

}  // namespace

std::vector<ValueTable> OneHotEncoding::values() const {
  const auto factor = [](std::int64_t position, std::size_t column) {
    return Rational(static_cast<std::int64_t>(column) == position ? 1 : 0);
  };
  return {{.role = "encoding",
           .columns = static_cast<std::size_t>(spec_.num_positions),
           .factor = factor,
           .first_position = 0,
           .last_position = spec_.num_positions - 1}};
}

std::string OneHotEncoding::summary() const {
  return std::string("one-hot, ") + std::to_string(spec_.num_positions) + " positions";
}

OrderedJson OneHotEncoding::spec() const {
  return {{"scheme", "one_hot"}, {"num_positions", spec_.num_positions}};
}

Scheme one_hot_scheme() {
  return {"one_hot", "a one in the column of the position, zeros in all others", parse};
}

}  // namespace vernier
