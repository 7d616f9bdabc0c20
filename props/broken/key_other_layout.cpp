#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_key_other_layout() {
  return {
      .id = "key-other-layout",
      .description =
          "queries pair their dimensions in one layout, keys in the other: weights permuted on one side "
          "only",
      .caught_by = {"rope/offset-only", "rope/accuracy", "rope/constant-norm"},
      .escapes = {"rope/pass-through"},
      .rotation =
          [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              turn(spec, static_cast<double>(m), x, y);
            });
          },
      .key_rotation =
          [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              RopeSpec other = spec;
              other.layout = spec.layout == RopeSpec::Layout::half ? RopeSpec::Layout::interleaved
                                                                   : RopeSpec::Layout::half;
              turn(other, static_cast<double>(m), x, y);
            });
          }};
}

}  // namespace vernier
