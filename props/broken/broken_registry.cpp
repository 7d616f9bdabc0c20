#include "props/broken/broken_registry.hpp"

#include <array>

namespace vernier {

std::span<const Broken> broken_implementations() {
  static const std::array all{
      broken_wrong_sign(),
      broken_wrong_exponent(),
      broken_column_exponent(),
      broken_modulo_4096(),
      broken_half_position(),
      broken_swapped_pair(),
      broken_amplitude(),
      broken_grows_with_position(),
      broken_sine_only(),
      broken_position_dependent_base(),
      broken_bfloat16_position(),
      broken_absolute_position(),
      broken_one_constant_reduction(),
      broken_shifted_by_one(),
      broken_rotates_backwards(),
      broken_rotary_dim_frequencies(),
      broken_key_not_rotated(),
      broken_key_opposite_direction(),
      broken_key_other_layout(),
      broken_aliasing(),
      broken_shear(),
      broken_reflection(),
      broken_pass_through_zeroed(),
      broken_pass_through_rotated(),
      broken_wrapped_position(),
      broken_bfloat16_rotary_position(),
      broken_dynamic_base(),
      broken_scaled_rotation(),
  };
  return all;
}

SubjectUnderLaw subject_of(const Broken& broken) {
  SubjectUnderLaw subject{.id = "broken:" + std::string(broken.id),
                          .description = std::string(broken.description),
                          .contract = "float32",
                          .positions = Format::binary32,
                          .stored = Format::binary32,
                          .table = broken.table,
                          .rotation = broken.rotation,
                          .key_rotation = broken.key_rotation};
  subject.domain.lowest_position = -(1 << 16);
  subject.domain.highest_position = 1 << 16;
  subject.domain.largest_dimension = 64;
  subject.coverage = {{"", 0.25}};
  return subject;
}

std::optional<SubjectUnderLaw> subject_named(std::string_view id) {
  for (auto& subject : subjects()) {
    if (subject.id == id) {
      return subject;
    }
  }
  for (const auto& broken : broken_implementations()) {
    if (auto subject = subject_of(broken); subject.id == id) {
      return subject;
    }
  }
  return std::nullopt;
}

}  // namespace vernier
