#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/recipes/under_test.hpp"
#include "numerics/tensors/table_tensor.hpp"

namespace vernier {

inline ElementType element_type_of(Format format) {
  return *element_type_named(traits(format).name);
}

/// A tensor of these values, rounded to the format.
inline Tensor tensor_of(Format format, Shape shape, std::span<const double> values) {
  std::vector<double> stored(values.size());
  std::ranges::transform(values, stored.begin(), [&](double value) { return round_to(format, value); });
  return number_tensor(element_type_of(format), std::move(shape), stored);
}

/// The values that an implementation gives at these positions, row after row.
inline std::vector<double> values_of(const TableUnderTest& implementation,
                                     std::span<const std::int64_t> positions) {
  std::vector<double> values(positions.size() * implementation.columns());
  for (std::size_t r = 0; r < positions.size(); ++r) {
    implementation.row(positions[r],
                       std::span(values).subspan(r * implementation.columns(), implementation.columns()));
  }
  return values;
}

/// \pre there is one of this id
inline const Recipe& recipe_named(std::string_view id) {
  return *std::ranges::find(recipes(), id, &Recipe::id);
}

inline std::vector<std::int64_t> positions_from(std::int64_t first, std::size_t count) {
  std::vector<std::int64_t> positions(count);
  for (std::size_t i = 0; i < count; ++i) {
    positions[i] = first + static_cast<std::int64_t>(i);
  }
  return positions;
}

inline Tensor positions_tensor(const std::vector<std::int64_t>& positions) {
  return integer_tensor({positions.size()}, positions);
}

/// For two elements of the encoding of position 0.
inline Request small_request() {
  return {{{"scheme", "sinusoidal"}},
          positions_tensor({0}),
          std::nullopt,
          {{"encoding", ElementType::float32, {1, 2}}}};
}

/// The bytes of a .npy file, version 1.0, with this header and this data.
inline std::string npy_bytes(std::string_view header, std::string_view data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + std::string(header) + std::string(data);
}

inline std::string npy_header(std::string_view descr, std::string_view shape) {
  return "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': " + std::string(shape) +
         ", }\n";
}

/// The .npy file of a tensor; bfloat16 and the formats of eight bits go as their bits.
inline std::string npy_bytes(const Tensor& tensor) {
  const auto width = std::to_string(traits(tensor.type()).bytes);
  const bool is_bits = tensor.type() == ElementType::bfloat16 || (tensor.format() && width == "1");
  const bool is_signed = !tensor.format() && traits(tensor.type()).name.starts_with("int");
  const char kind = is_bits ? 'u' : tensor.format() ? 'f' : is_signed ? 'i' : 'u';
  std::string shape = "(";
  for (const auto size : tensor.shape()) {
    shape += std::to_string(size) + ",";
  }
  const auto bytes = tensor.bytes();
  return npy_bytes(npy_header("<" + std::string(1, kind) + width, shape + ")"),
                   {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// A folder of its own for a test, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::random_device entropy;
    do {
      path_ = std::filesystem::temp_directory_path() / ("vernier_test_" + std::to_string(entropy()));
    } while (!std::filesystem::create_directory(path_));
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file into the folder. \return its path
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    auto file = path_ / name;
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace vernier
