// Any bytes are a tensor in NumPy's format or are refused with an InputError, and nothing beyond them is
// touched.

#include "numerics/formats/npy.hpp"
#include "numerics/fuzz/read_elements.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return vernier::read_bytes(data, size, [](const auto& bytes) {
    vernier::read_elements(vernier::parse_npy(*bytes, bytes, "fuzz.npy"));
  });
}
