// Any text is a case file or is refused with an InputError. Its tensors may be the files that lie beside it:
// cos.npy, heads.npy, positions.npy, bits.npy and all.safetensors.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "numerics/formats/npy.hpp"
#include "numerics/formats/safetensors.hpp"
#include "numerics/tensors/case_file.hpp"
#include "reference/support/input_error.hpp"

namespace {

using vernier::ElementType;
using vernier::Shape;
using vernier::Tensor;

/// A tensor of zeros.
Tensor zeros(ElementType type, const Shape& shape) {
  return {type, shape, std::vector<std::byte>(*vernier::size_in_bytes(type, shape))};
}

void write(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

void write_npy(const std::filesystem::path& file, const Tensor& tensor) {
  const auto bytes = tensor.bytes();
  write(file, vernier::npy_preamble(tensor.type(), tensor.shape()) +
                  std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

/// A folder with the files that cases may name, gone when the process ends.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "vernier_case_fuzz_XXXXXX") {
    auto name = path_.string();
    path_ = mkdtemp(name.data());
    write_npy(path_ / "cos.npy", zeros(ElementType::float32, {3, 2}));
    write_npy(path_ / "heads.npy", zeros(ElementType::float32, {2, 3, 4}));
    write_npy(path_ / "positions.npy", zeros(ElementType::int64, {3}));
    write_npy(path_ / "bits.npy", zeros(ElementType::uint16, {3, 4}));
    vernier::write_safetensors(path_ / "all.safetensors",
                               {{"cos", zeros(ElementType::bfloat16, {3, 2})},
                                {"sin", zeros(ElementType::float64, {3, 2})},
                                {"bias", zeros(ElementType::float32, {2, 3})}},
                               {});
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const auto file = folder.path() / "case.json";
  write(file, {reinterpret_cast<const char*>(data), size});
  try {
    (void)vernier::read_case(file);
  } catch (const vernier::InputError&) {
  }
  return 0;
}
