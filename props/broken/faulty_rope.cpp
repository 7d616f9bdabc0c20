#include "props/broken/faulty_rope.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "props/specs.hpp"
#include "reference/keys/encoding_of.hpp"

namespace vernier {
namespace {

class FunctionTable final : public TableUnderTest {
 public:
  FunctionTable(const SinusoidalSpec& spec, std::function<double(std::int64_t, const Element&)> value)
      : value_(std::move(value)) {
    const auto table = spec.table();
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto& [pair, component] = table.columns[c];
      elements_.push_back(
          {component, pair, c, table.frequencies.approximate(pair), approximately(table.amplitude)});
    }
  }

  Format stored() const override { return Format::binary32; }
  std::size_t columns() const override { return elements_.size(); }
  void row(std::int64_t position, std::span<double> out) const override {
    std::ranges::transform(elements_, out.begin(), [&](const Element& element) {
      return element.component == Component::zero ? 0 : round_to(Format::binary32, value_(position, element));
    });
  }

 private:
  std::function<double(std::int64_t, const Element&)> value_;
  std::vector<Element> elements_;
};

class FunctionRotation final : public RotationUnderTest {
 public:
  FunctionRotation(std::int64_t head_dim, Rotate rotate)
      : head_dim_(static_cast<std::size_t>(head_dim)), rotate_(std::move(rotate)) {}

  Format stored() const override { return Format::binary32; }
  std::size_t head_dim() const override { return head_dim_; }
  void rotate(std::int64_t position, std::span<const double> x, std::span<double> y) const override {
    std::ranges::copy(x, y.begin());
    rotate_(position, x, y);
    for (double& value : y) {
      value = round_to(Format::binary32, value);
    }
  }

 private:
  std::size_t head_dim_;
  Rotate rotate_;
};

}  // namespace

std::unique_ptr<TableUnderTest> table_of(const SinusoidalSpec& spec,
                                         std::function<double(std::int64_t, const Element&)> value) {
  return std::make_unique<FunctionTable>(spec, std::move(value));
}

double honest_value(double phase, const Element& element) {
  return element.amplitude * (element.component == Component::sine ? std::sin(phase) : std::cos(phase));
}

std::unique_ptr<RotationUnderTest> rotation_of(const RopeSpec& spec, Rotate rotate) {
  return std::make_unique<FunctionRotation>(spec.head_dim, std::move(rotate));
}

const RopeSpec& rope_with_amplitude() {
  static const auto encoding = encoding_of(R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type":
      "yarn", "factor": 4, "original_max_position_embeddings": 1024}})");
  return dynamic_cast<const RopeEncoding&>(*encoding).parameters();
}

double angle(const RopeSpec& spec, double position, int pair) {
  const double sign = spec.direction == RopeSpec::Direction::counterclockwise ? 1 : -1;
  return sign * position * spec.frequencies().approximate(pair);
}

void turn(const RopeSpec& spec, double position, std::span<const double> x, std::span<double> y, double sense,
          double factor) {
  for (int pair = 0; pair < spec.pairs(); ++pair) {
    const auto [first, second] = spec.dimensions(pair);
    const auto a = static_cast<std::size_t>(first);
    const auto b = static_cast<std::size_t>(second);
    const double phi = sense * angle(spec, position, pair);
    y[a] = factor * (x[a] * std::cos(phi) - x[b] * std::sin(phi));
    y[b] = factor * (x[a] * std::sin(phi) + x[b] * std::cos(phi));
  }
}

}  // namespace vernier
