#include "reference/scheme_registry.hpp"

#include <algorithm>
#include <array>

#include "reference/schemes/alibi.hpp"
#include "reference/schemes/axial_rope.hpp"
#include "reference/schemes/binary.hpp"
#include "reference/schemes/deberta_bucket.hpp"
#include "reference/schemes/deberta_span.hpp"
#include "reference/schemes/frequency_family.hpp"
#include "reference/schemes/frequency_list.hpp"
#include "reference/schemes/integer_index.hpp"
#include "reference/schemes/learned.hpp"
#include "reference/schemes/no_encoding.hpp"
#include "reference/schemes/normalised.hpp"
#include "reference/schemes/one_hot.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/scaled_sinusoid.hpp"
#include "reference/schemes/shaw.hpp"
#include "reference/schemes/sine_only.hpp"
#include "reference/schemes/sine_powers_of_two.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/schemes/t5_bucket.hpp"
#include "reference/schemes/transformer_xl.hpp"
#include "reference/schemes/xpos.hpp"

namespace vernier {

std::span<const Scheme> schemes() {
  static const std::array all{
      sinusoidal_scheme(),
      rope_scheme(),
      axial_rope_scheme(),
      xpos_scheme(),
      alibi_scheme(),
      t5_bucket_scheme(),
      deberta_bucket_scheme(),
      integer_index_scheme(),
      normalised_scheme(),
      binary_scheme(),
      learned_scheme(),
      one_hot_scheme(),
      scaled_sinusoid_scheme(),
      no_encoding_scheme(),
      sine_only_scheme(),
      sine_powers_of_two_scheme(),
      frequency_list_scheme(),
      frequency_family_scheme(),
      shaw_scheme(),
      transformer_xl_scheme(),
      deberta_span_scheme(),
  };
  return all;
}

std::unique_ptr<Encoding> parse_spec(ObjectReader spec) {
  const auto name = spec.string("scheme");
  const auto found = std::ranges::find(schemes(), name, &Scheme::name);
  if (found == schemes().end()) {
    std::string known;
    for (const auto& scheme : schemes()) {
      known += (known.empty() ? "\"" : ", \"") + std::string(scheme.name) + '"';
    }
    spec.refuse("scheme", "one of " + known);
  }
  auto encoding = found->parse(spec);
  spec.finish();
  return encoding;
}

}  // namespace vernier
