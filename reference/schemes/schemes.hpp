#pragma once

#include "reference/encoding.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// Every scheme. A new one is a file here, which defines its function, and a line here.
VERNIER_REGISTRY(scheme_makers, Scheme,
                 sinusoidal_scheme,          // sinusoidal.cpp
                 rope_scheme,                // rope.cpp
                 axial_rope_scheme,          // axial_rope.cpp
                 xpos_scheme,                // xpos.cpp
                 alibi_scheme,               // alibi.cpp
                 t5_bucket_scheme,           // t5_bucket.cpp
                 deberta_bucket_scheme,      // deberta_bucket.cpp
                 integer_index_scheme,       // integer_index.cpp
                 normalised_scheme,          // normalised.cpp
                 binary_scheme,              // binary.cpp
                 learned_scheme,             // learned.cpp
                 one_hot_scheme,             // one_hot.cpp
                 scaled_sinusoid_scheme,     // scaled_sinusoid.cpp
                 no_encoding_scheme,         // no_encoding.cpp
                 sine_only_scheme,           // sine_only.cpp
                 sine_powers_of_two_scheme,  // sine_powers_of_two.cpp
                 frequency_list_scheme,      // frequency_list.cpp
                 frequency_family_scheme,    // frequency_family.cpp
                 shaw_scheme,                // shaw.cpp
                 transformer_xl_scheme,      // transformer_xl.cpp
                 deberta_span_scheme         // deberta_span.cpp
);

}  // namespace vernier
