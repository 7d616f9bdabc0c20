#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "numerics/artefacts/stored_tensor.hpp"

namespace vernier {

/// What an ONNX model (onnx.proto, IR versions 3 on) holds that concerns positions: its tensors, those of
/// constants and of branches too, and the nodes that rotate. Nothing in the file is trusted.
class Onnx {
 public:
  using Attribute = std::variant<std::int64_t, float, std::string>;
  /// A node of an operator that rotates: com.microsoft's RotaryEmbedding, or that of ONNX 23.
  struct Node {
    std::string name;
    std::string operation;
    std::string domain;  ///< empty: ONNX's own
    std::vector<std::string> inputs;
    std::map<std::string, Attribute> attributes;
  };

  /// \param file the whole file's bytes \param owner what keeps them where they are; every tensor shares it
  /// \param source what to call the file in errors \param folder of the model, where files with data of its
  /// tensors are; empty: they are not read
  /// \throws InputError for what is no message of a model, or has subgraphs more than 16 deep, and for data
  /// outside the folder or beyond the end of their file
  Onnx(std::span<const std::byte> file, const std::shared_ptr<const void>& owner, const std::string& source,
       const std::filesystem::path& folder = {});

  const std::vector<StoredTensor>& tensors() const { return tensors_; }
  const std::vector<Node>& rotations() const { return rotations_; }

 private:
  friend class OnnxReader;

  std::vector<StoredTensor> tensors_;
  std::vector<Node> rotations_;
};

}  // namespace vernier
