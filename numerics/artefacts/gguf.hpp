#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "numerics/artefacts/stored_tensor.hpp"

namespace vernier {

/// The metadata and the tensors of a GGUF file, version 2 or 3 (ggml, docs/gguf.md). Nothing in the file is
/// trusted. Weights are listed and never looked at.
class Gguf {
 public:
  struct Array {
    std::uint64_t count = 0;
    std::vector<double> numbers = {};  ///< all of them; none of text, and none of more than 4096
  };
  /// Whole numbers and truth values are numbers too: a double holds those that concern positions exactly.
  using Value = std::variant<double, std::string, Array>;

  /// \param file the whole file's bytes \param owner what keeps them where they are; every tensor shares it
  /// \param source what to call the file in errors
  /// \throws InputError for anything that the format does not allow
  Gguf(std::span<const std::byte> file, const std::shared_ptr<const void>& owner, const std::string& source);

  std::uint32_t version() const { return version_; }
  const std::map<std::string, Value, std::less<>>& metadata() const { return metadata_; }
  const std::vector<StoredTensor>& tensors() const { return tensors_; }

 private:
  std::uint32_t version_ = 0;
  std::map<std::string, Value, std::less<>> metadata_;
  std::vector<StoredTensor> tensors_;
};

}  // namespace vernier
