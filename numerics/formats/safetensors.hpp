#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// The tensors and the metadata of a file in the safetensors format
/// (https://github.com/huggingface/safetensors): the header's length in eight bytes, a JSON header, the data
/// without overlaps or holes. Nothing in the file is trusted. Copies share the file's bytes.
class Safetensors {
 public:
  /// \param file the whole file's bytes \param owner what keeps them where they are; every tensor shares it
  /// \param source what to call the file in errors
  /// \throws InputError for anything that the format does not allow, or a header of more than 16 MiB
  Safetensors(std::span<const std::byte> file, std::shared_ptr<const void> owner, std::string source);

  /// The tensors' names, in the order of their data.
  std::vector<std::string> names() const;
  bool contains(std::string_view name) const { return entries_.contains(name); }
  /// The type of a tensor as the file says it, and its shape. \pre contains(name)
  const std::string& dtype(std::string_view name) const { return entries_.find(name)->second.dtype; }
  const Shape& shape(std::string_view name) const { return entries_.find(name)->second.shape; }
  /// A tensor's elements where they lie in the file, at any alignment.
  /// \throws InputError if there is none of this name, it has no elements, or its type is none of ElementType
  Tensor tensor(std::string_view name) const;
  /// What the file says of itself.
  const std::map<std::string, std::string, std::less<>>& metadata() const { return metadata_; }

 private:
  struct Entry {
    std::string dtype;  ///< as the file says it: "BF16"
    Shape shape;
    std::size_t begin = 0;  ///< of its bytes, counted from the end of the header
    std::size_t end = 0;
  };

  void read_header(const std::string& text);
  /// That the tensors cover the data exactly, each with the bytes that its type and shape need.
  void check_layout() const;

  std::span<const std::byte> data_;
  std::shared_ptr<const void> owner_;
  std::string source_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::map<std::string, std::string, std::less<>> metadata_;
};

/// Reads a file of any size: it is mapped, not loaded (see MappedFile). \throws InputError as the
/// constructor, and if there is no such regular file or it cannot be read
Safetensors read_safetensors(const std::filesystem::path& file);

/// \throws InputError that a file of several tensors has none of a name \param source what to call the file
/// \param names of those that it has
[[noreturn]] void refuse_tensor_name(const std::string& source, const std::vector<std::string>& names,
                                     std::string_view name);

/// A tensor that a file is to hold.
struct SafetensorsEntry {
  std::string name;
  ElementType type;
  Shape shape;  ///< of no more bytes, with those of the tensors before, than 64 bits count
};

/// What precedes the data in a .safetensors file: a multiple of 8 bytes. \param entries in the order of their
/// data, of different names
std::string safetensors_preamble(std::span<const SafetensorsEntry> entries,
                                 const std::map<std::string, std::string>& metadata);

/// Writes a file of several tensors, each aligned to its element's size. The file has its name only once it
/// is whole: see UnfinishedFile. \param tensors by name \throws InputError if it cannot be written
void write_safetensors(const std::filesystem::path& file,
                       const std::map<std::string, Tensor, std::less<>>& tensors,
                       const std::map<std::string, std::string>& metadata);

}  // namespace vernier
