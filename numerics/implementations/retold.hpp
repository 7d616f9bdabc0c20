#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "numerics/cases/quantization.hpp"
#include "numerics/implementations/asked_through.hpp"

namespace vernier {

/// Retells questions as an implementation is told them.
///
/// Positions. Whoever takes real ones is told them as numbers of that type, n u for the integers n of a
/// question that counts in u, and no `position_unit` in its spec. A number that the type does not hold cannot
/// be asked for: the question is rejected in its name, with that reason.
///
/// Quantization. Where a format of eight bits is wanted, the spec says under `quantization` how numbers are
/// stored in it, as the key of a case does.
class Retold final : public AskedThrough {
 public:
  Retold(LiveImplementation& inner, std::optional<Quantization> quantization)
      : AskedThrough(inner), quantization_(std::move(quantization)) {}

  Response ask(const Request& request) override;

 private:
  std::optional<Quantization> quantization_;
};

/// Whether a type of positions holds a position. \param unit what it counts in
bool holds_position(ElementType type, std::int64_t position, double unit);

}  // namespace vernier
