// Any bytes are a zip archive of arrays or of a pickle, or are refused with an InputError, and nothing beyond
// them is touched.

#include <cstdint>
#include <vector>

#include "numerics/artefacts/torch_file.hpp"
#include "numerics/fuzz/read_elements.hpp"
#include "reference/support/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* first = reinterpret_cast<const std::byte*>(data);
  const auto bytes = std::make_shared<const std::vector<std::byte>>(first, first + size);
  try {
    const vernier::ZipArchive archive(*bytes, "fuzz.zip");
    const auto tensors = vernier::is_torch_archive(archive)
                             ? vernier::torch_tensors(archive, bytes, "fuzz.pt")
                             : vernier::npz_tensors(archive, bytes, "fuzz.npz");
    for (const auto& stored : tensors) {
      if (stored.tensor) {
        vernier::read_elements(*stored.tensor);
      }
    }
  } catch (const vernier::InputError&) {
  }
  return 0;
}
