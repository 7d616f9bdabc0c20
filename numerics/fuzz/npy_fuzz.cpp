// Any bytes are a tensor in NumPy's format or are refused with an InputError, and nothing beyond them is
// touched.

#include <cstdint>
#include <vector>

#include "numerics/formats/npy.hpp"
#include "numerics/fuzz/read_elements.hpp"
#include "reference/support/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Of exactly this size, so that a byte too far is one that the sanitizer watches.
  const auto* first = reinterpret_cast<const std::byte*>(data);
  const auto bytes = std::make_shared<const std::vector<std::byte>>(first, first + size);
  try {
    vernier::read_elements(vernier::parse_npy(*bytes, bytes, "fuzz.npy"));
  } catch (const vernier::InputError&) {
  }
  return 0;
}
