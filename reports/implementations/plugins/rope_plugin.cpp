// RoPE as kernels compute it, by somebody's cosines and sines: frequencies 1 / pow(base, 2i/d), phases and
// the rotation in the type of the tensors.

#include "reports/implementations/plugins/rope_plugin.hpp"

#include <cmath>
#include <string_view>
#include <vector>

#include <boost/align/aligned_allocator.hpp>
#include <nlohmann/json.hpp>

#include "numerics/plugin/vernier_plugin.h"

namespace interop {
namespace {

template <typename Real>
using Lanes = std::vector<Real, boost::alignment::aligned_allocator<Real, alignment>>;

struct Rope {
  std::size_t pairs;
  double base;
  bool interleaved;

  /// Where the elements of a pair are in a vector of 2 pairs.
  std::size_t first(std::size_t pair) const { return interleaved ? 2 * pair : pair; }
  std::size_t second(std::size_t pair) const { return interleaved ? 2 * pair + 1 : pair + pairs; }
};

nlohmann::json parsed(const char* spec) {
  constexpr bool throws = false;
  return nlohmann::json::parse(spec, nullptr, throws);
}

bool is_plain_rope(const nlohmann::json& spec) {
  return spec.is_object() && spec.value("scheme", "") == "rope" && !spec.contains("rope_scaling") &&
         spec.value("direction", "") == "counterclockwise" && spec.value("partial_rotary_factor", 1.0) == 1;
}

Rope rope_of(const char* text) {
  const auto spec = parsed(text);
  return {spec.at("head_dim").get<std::size_t>() / 2, spec.at("rope_theta").get<double>(),
          spec.at("layout") == "interleaved"};
}

/// One row of cosines and sines at a time.
template <typename Real>
class Rows {
 public:
  Rows(const Rope& rope, CosinesAndSines<Real> compute)
      : compute_(compute), frequencies_((rope.pairs + lanes - 1) / lanes * lanes) {
    for (std::size_t i = 0; i < rope.pairs; ++i) {
      const auto exponent = static_cast<Real>(2 * i) / static_cast<Real>(2 * rope.pairs);
      frequencies_[i] = Real{1} / std::pow(static_cast<Real>(rope.base), exponent);
    }
  }

  void move_to(std::int64_t position) {
    for (std::size_t i = 0; i < frequencies_.size(); ++i) {
      phases_[i] = static_cast<Real>(position) * frequencies_[i];
    }
    compute_(phases_.data(), phases_.size(), cosines_.data(), sines_.data());
  }

  const Lanes<Real>& cosines() const { return cosines_; }
  const Lanes<Real>& sines() const { return sines_; }

 private:
  CosinesAndSines<Real> compute_;
  Lanes<Real> frequencies_;
  Lanes<Real> phases_ = Lanes<Real>(frequencies_.size());
  Lanes<Real> cosines_ = Lanes<Real>(frequencies_.size());
  Lanes<Real> sines_ = Lanes<Real>(frequencies_.size());
};

template <typename Real>
std::int32_t fill_table(const Rope& rope, CosinesAndSines<Real> compute, std::string_view role,
                        const VernierTensor& positions, const VernierTensor& out) {
  const auto width = static_cast<std::size_t>(out.shape[1]);
  if (width != rope.pairs && width != 2 * rope.pairs) {
    return VERNIER_UNSUPPORTED;
  }
  const auto* position = static_cast<const std::int64_t*>(positions.data);
  auto* row = static_cast<Real*>(out.data);
  Rows<Real> rows(rope, compute);
  for (std::int64_t t = 0; t < out.shape[0]; ++t, row += width) {
    rows.move_to(position[t]);
    const auto& values = role == "cos" ? rows.cosines() : rows.sines();
    for (std::size_t i = 0; i < rope.pairs; ++i) {
      if (width == rope.pairs) {
        row[i] = values[i];
      } else {
        row[rope.first(i)] = row[rope.second(i)] = values[i];
      }
    }
  }
  return VERNIER_OK;
}

template <typename Real>
std::int32_t fill_rotated(const Rope& rope, CosinesAndSines<Real> compute, const VernierTensor& positions,
                          const VernierTensor& input, const VernierTensor& out) {
  const auto width = 2 * rope.pairs;
  const auto length = static_cast<std::size_t>(input.shape[input.ndim - 2]);
  std::size_t sequences = 1;
  for (std::int32_t i = 0; i < input.ndim - 2; ++i) {
    sequences *= static_cast<std::size_t>(input.shape[i]);
  }
  const auto* position = static_cast<const std::int64_t*>(positions.data);
  Rows<Real> rows(rope, compute);
  for (std::size_t t = 0; t < length; ++t) {
    rows.move_to(position[t]);
    for (std::size_t sequence = 0; sequence < sequences; ++sequence) {
      const auto start = (sequence * length + t) * width;
      const auto* x = static_cast<const Real*>(input.data) + start;
      auto* y = static_cast<Real*>(out.data) + start;
      for (std::size_t i = 0; i < rope.pairs; ++i) {
        const auto a = rope.first(i);
        const auto b = rope.second(i);
        y[a] = x[a] * rows.cosines()[i] - x[b] * rows.sines()[i];
        y[b] = x[a] * rows.sines()[i] + x[b] * rows.cosines()[i];
      }
    }
  }
  return VERNIER_OK;
}

bool is_float32(VernierDataType type) {
  return type.code == VERNIER_FLOAT && type.bits == 32;
}

std::int32_t supports(const char* spec, const char* role, VernierDataType dtype) {
  const std::string_view name(role);
  const bool known_role = name == "cos" || name == "sin" || name == "rotated";
  const bool known_type = dtype.code == VERNIER_FLOAT && (dtype.bits == 32 || dtype.bits == 64);
  return known_role && known_type && is_plain_rope(parsed(spec)) ? VERNIER_OK : VERNIER_UNSUPPORTED;
}

std::int32_t table(const char* spec, const char* role, const VernierTensor* positions,
                   const VernierTensor* out) {
  const auto rope = rope_of(spec);
  return is_float32(out->dtype) ? fill_table(rope, trigonometry.in_float32, role, *positions, *out)
                                : fill_table(rope, trigonometry.in_float64, role, *positions, *out);
}

std::int32_t rotate(const char* spec, const VernierTensor* positions, const VernierTensor* input,
                    const VernierTensor* out) {
  const auto rope = rope_of(spec);
  return is_float32(out->dtype) ? fill_rotated(rope, trigonometry.in_float32, *positions, *input, *out)
                                : fill_rotated(rope, trigonometry.in_float64, *positions, *input, *out);
}

}  // namespace
}  // namespace interop

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  static const VernierPlugin plugin = {VERNIER_PLUGIN_ABI_VERSION,
                                       sizeof(VernierPlugin),
                                       0,
                                       interop::trigonometry.name,
                                       interop::trigonometry.version,
                                       interop::supports,
                                       interop::table,
                                       interop::rotate,
                                       nullptr,
                                       nullptr};
  return &plugin;
}
