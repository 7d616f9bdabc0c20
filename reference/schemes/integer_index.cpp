#include "reference/schemes/integer_index.hpp"

namespace vernier {
namespace {

std::unique_ptr<Encoding> parse(ObjectReader& reader) {
  IntegerIndexSpec spec;
  spec.first_index = reader.optional_integer("first_index", 0, 1).value_or(spec.first_index);
  return std::make_unique<IntegerIndexEncoding>(spec);
}

}  // namespace

std::vector<ValueTable> IntegerIndexEncoding::values() const {
  const auto factor = [first = spec_.first_index](std::int64_t position, std::size_t) {
    return Rational(position + first);
  };
  return {{.role = "encoding", .columns = 1, .factor = factor}};
}

std::string IntegerIndexEncoding::summary() const {
  return std::string("integer index, from ") + std::to_string(spec_.first_index);
}

OrderedJson IntegerIndexEncoding::spec() const {
  return {{"scheme", "integer_index"}, {"first_index", spec_.first_index}};
}

Scheme integer_index_scheme() {
  return {"integer_index", "the position itself: unbounded, one column", parse};
}

}  // namespace vernier
