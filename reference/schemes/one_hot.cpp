#include <cstdint>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// One column a position, one in its own column and zero in all others: what a learned table multiplies.
struct OneHotSpec {
  std::int64_t num_positions = 0;  ///< [1, 2^20]
};

class OneHotEncoding final : public Encoding {
 public:
  explicit OneHotEncoding(const OneHotSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "one_hot"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  OneHotSpec spec_;
};

std::unique_ptr<Encoding> parse_one_hot(ObjectReader& reader) {
  return std::make_unique<OneHotEncoding>(
      OneHotSpec{.num_positions = reader.integer("num_positions", 1, most_listed_positions)});
}

std::vector<TensorDefinition> OneHotEncoding::define_tensors() const {
  const auto factor = [](std::int64_t position, std::size_t column) {
    return Rational(static_cast<std::int64_t>(column) == position ? 1 : 0);
  };
  return {ExactTable{.role = "encoding",
                     .columns = static_cast<std::size_t>(spec_.num_positions),
                     .factor = factor,
                     .first_position = 0,
                     .last_position = spec_.num_positions - 1}};
}

std::string OneHotEncoding::summary() const {
  return fmt::format("one-hot, {} positions", spec_.num_positions);
}

OrderedJson OneHotEncoding::spec() const {
  return {{"scheme", "one_hot"}, {"num_positions", spec_.num_positions}};
}

}  // namespace

Scheme one_hot_scheme() {
  return {"one_hot",
          "a one in the column of the position, zeros in all others",
          parse_one_hot,
          {R"({"scheme":"one_hot","num_positions":300})"}};
}

}  // namespace vernier
