#include "reference/schemes/no_encoding.hpp"

#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

std::unique_ptr<Encoding> parse(ObjectReader& reader) {
  return std::make_unique<NoEncoding>(
      NoEncodingSpec{.d_model = reader.integer("d_model", 1, largest_dimension)});
}

}  // namespace

std::vector<ValueTable> NoEncoding::values() const {
  const auto factor = [](std::int64_t, std::size_t) { return Rational(0); };
  return {{.role = "encoding", .columns = static_cast<std::size_t>(spec_.d_model), .factor = factor}};
}

std::string NoEncoding::summary() const {
  return std::string("no positional encoding, d_model ") + std::to_string(spec_.d_model);
}

OrderedJson NoEncoding::spec() const {
  return {{"scheme", "none"}, {"d_model", spec_.d_model}};
}

Scheme no_encoding_scheme() {
  return {"none", "no positional encoding: zeros", parse};
}

}  // namespace vernier
