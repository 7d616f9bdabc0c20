#include <cstdint>

#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The position itself, in one column: 0, 1, 2 ... or 1, 2, 3 and so on.
struct IntegerIndexSpec {
  std::int64_t first_index = 0;  ///< the index of position 0: 0 or 1
};

class IntegerIndexEncoding final : public Encoding {
 public:
  explicit IntegerIndexEncoding(const IntegerIndexSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "integer_index"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  IntegerIndexSpec spec_;
};

std::unique_ptr<Encoding> parse_integer_index(ObjectReader& reader) {
  IntegerIndexSpec spec;
  spec.first_index = reader.optional_integer("first_index", 0, 1).value_or(spec.first_index);
  return std::make_unique<IntegerIndexEncoding>(spec);
}

std::vector<TensorDefinition> IntegerIndexEncoding::define_tensors() const {
  const auto factor = [first = spec_.first_index](std::int64_t position, std::size_t) {
    return Rational(position + first);
  };
  return {ExactTable{.role = "encoding", .columns = 1, .factor = factor}};
}

std::string IntegerIndexEncoding::summary() const {
  return std::string("integer index, from ") + std::to_string(spec_.first_index);
}

OrderedJson IntegerIndexEncoding::spec() const {
  return {{"scheme", "integer_index"}, {"first_index", spec_.first_index}};
}

}  // namespace

Scheme integer_index_scheme() {
  return {"integer_index",
          "the position itself: unbounded, one column",
          parse_integer_index,
          {R"({"scheme":"integer_index"})"}};
}

}  // namespace vernier
