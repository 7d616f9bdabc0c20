#include <cstdint>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// No positional encoding: zeros, whatever the position.
struct NoEncodingSpec {
  std::int64_t d_model = 0;  ///< [1, 2^20]
};

class NoEncoding final : public Encoding {
 public:
  explicit NoEncoding(const NoEncodingSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "none"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  NoEncodingSpec spec_;
};

std::unique_ptr<Encoding> parse_no_encoding(ObjectReader& reader) {
  return std::make_unique<NoEncoding>(
      NoEncodingSpec{.d_model = reader.integer("d_model", 1, largest_dimension)});
}

std::vector<TensorDefinition> NoEncoding::define_tensors() const {
  const auto factor = [](std::int64_t, std::size_t) { return Rational(0); };
  return {
      ExactTable{.role = "encoding", .columns = static_cast<std::size_t>(spec_.d_model), .factor = factor}};
}

std::string NoEncoding::summary() const {
  return std::string("no positional encoding, d_model ") + std::to_string(spec_.d_model);
}

OrderedJson NoEncoding::spec() const {
  return {{"scheme", "none"}, {"d_model", spec_.d_model}};
}

}  // namespace

Scheme no_encoding_scheme() {
  return {"none", "no positional encoding: zeros", parse_no_encoding, {R"({"scheme":"none","d_model":4})"}};
}

}  // namespace vernier
