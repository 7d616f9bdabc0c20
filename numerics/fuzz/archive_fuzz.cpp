// Any bytes are a zip archive of arrays or of a pickle, or are refused with an InputError, and nothing beyond
// them is touched.

#include "numerics/artefacts/torch_file.hpp"
#include "numerics/fuzz/read_elements.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return vernier::read_bytes(data, size, [](const auto& bytes) {
    const vernier::ZipArchive archive(*bytes, "fuzz.zip");
    vernier::read_all(vernier::is_torch_archive(archive) ? vernier::torch_tensors(archive, bytes, "fuzz.pt")
                                                         : vernier::npz_tensors(archive, bytes, "fuzz.npz"));
  });
}
