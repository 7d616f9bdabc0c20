#pragma once

// Small files of models, as their own libraries write them.

#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace vernier {

template <class Number>
std::string little_endian(Number value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

inline std::string float_bytes(std::span<const float> values) {
  std::string bytes;
  for (const float value : values) {
    bytes += little_endian(value);
  }
  return bytes;
}

/// A value of GGUF's metadata: uint32, float32, a string or an array of int32.
using GgufValue = std::variant<std::uint32_t, float, std::string, std::vector<std::int32_t>>;

/// A GGUF file with these keys and float32 tensors of one dimension.
inline std::string gguf_bytes(const std::vector<std::pair<std::string, GgufValue>>& metadata,
                              const std::vector<std::pair<std::string, std::vector<float>>>& tensors = {},
                              std::uint32_t version = 3) {
  const auto text = [](const std::string& words) {
    return little_endian(std::uint64_t{words.size()}) + words;
  };
  auto file = "GGUF" + little_endian(version) + little_endian(std::uint64_t{tensors.size()}) +
              little_endian(std::uint64_t{metadata.size()});
  for (const auto& [key, value] : metadata) {
    file += text(key);
    if (const auto* whole = std::get_if<std::uint32_t>(&value)) {
      file += little_endian(std::uint32_t{4}) + little_endian(*whole);
    } else if (const auto* real = std::get_if<float>(&value)) {
      file += little_endian(std::uint32_t{6}) + little_endian(*real);
    } else if (const auto* words = std::get_if<std::string>(&value)) {
      file += little_endian(std::uint32_t{8}) + text(*words);
    } else {
      const auto& array = std::get<std::vector<std::int32_t>>(value);
      file += little_endian(std::uint32_t{9}) + little_endian(std::uint32_t{5}) +
              little_endian(std::uint64_t{array.size()});
      for (const auto number : array) {
        file += little_endian(number);
      }
    }
  }
  std::string data;
  for (const auto& [name, values] : tensors) {
    file += text(name) + little_endian(std::uint32_t{1}) + little_endian(std::uint64_t{values.size()}) +
            little_endian(std::uint32_t{0}) + little_endian(std::uint64_t{data.size()});
    data += float_bytes(values);
    data.resize((data.size() + 31) / 32 * 32);
  }
  file.resize((file.size() + 31) / 32 * 32);
  return file + data;
}

/// A zip archive of members that are not compressed.
inline std::string zip_bytes(const std::vector<std::pair<std::string, std::string>>& members,
                             std::uint16_t method = 0) {
  std::string file;
  std::string list;
  for (const auto& [name, bytes] : members) {
    const auto sizes = little_endian(static_cast<std::uint32_t>(bytes.size())) +
                       little_endian(static_cast<std::uint32_t>(bytes.size())) +
                       little_endian(static_cast<std::uint16_t>(name.size())) + std::string(2, '\0');
    const auto begin = static_cast<std::uint32_t>(file.size());
    file += std::string("PK\3\4\0\0\0\0", 8) + little_endian(method) + std::string(8, '\0') + sizes + name +
            bytes;
    list += std::string("PK\1\2\0\0\0\0\0\0", 10) + little_endian(method) + std::string(8, '\0') + sizes +
            std::string(10, '\0') + little_endian(begin) + name;
  }
  const auto begin = static_cast<std::uint32_t>(file.size());
  const auto count = little_endian(static_cast<std::uint16_t>(members.size()));
  return file + list + std::string("PK\5\6\0\0\0\0", 8) + count + count +
         little_endian(static_cast<std::uint32_t>(list.size())) + little_endian(begin) + std::string(2, '\0');
}

/// What numpy.savez_compressed writes of inv_freq, 64 rows of 1, 1/2, 1/4 and 1/8.
inline std::string compressed_npz() {
  constexpr std::string_view hex =
      "504b03041400000008000000210034c6b1075c000000800400000c001400696e765f667265712e6e7079010010008004"
      "0000000000005c000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f545294"
      "98179f5f94920a12774bcc294e058a17672416a402f91a66263a0a269a3a0ab50ae4022e0686067b060606206eb003d2"
      "76a3fc51fe287fe4f001504b010214031400000008000000210034c6b1075c000000800400000c000000000000000000"
      "0000800100000000696e765f667265712e6e7079504b050600000000010001003a0000009a0000000000";
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

/// What torch.save({name: torch.tensor(values)}) writes, but for what nobody reads.
inline std::string torch_bytes(const std::string& name, std::span<const float> values) {
  const auto word = [](const std::string& text) {
    return "X" + little_endian(static_cast<std::uint32_t>(text.size())) + text;
  };
  const auto count = little_endian(static_cast<std::int32_t>(values.size()));
  const auto pickle =
      std::string("\x80\x02}q\0(", 6) + word(name) + "ctorch._utils\n_rebuild_tensor_v2\nq\1((" +
      word("storage") + "ctorch\nFloatStorage\nq\2" + word("0") + word("cpu") + "J" + count + "tq\3Q" +
      std::string("K\0", 2) + "J" + count + "\x85K\1\x85\x89" + "ccollections\nOrderedDict\n)Rtq\4Rq\5u.";
  return zip_bytes({{"archive/data.pkl", pickle}, {"archive/data/0", float_bytes(values)}});
}

/// \name Messages of Protocol Buffers
/// @{
inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) {
    bytes += static_cast<char>((value & 127) | 128);
  }
  return bytes + static_cast<char>(value);
}
inline std::string number_field(std::uint64_t field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}
inline std::string bytes_field(std::uint64_t field, const std::string& bytes) {
  return varint(field << 3 | 2) + varint(bytes.size()) + bytes;
}
/// @}

/// A float32 tensor of ONNX.
inline std::string onnx_tensor(const std::string& name, const std::vector<std::uint64_t>& shape,
                               std::span<const float> values) {
  std::string message;
  for (const auto dimension : shape) {
    message += number_field(1, dimension);
  }
  return message + number_field(2, 1) + bytes_field(8, name) + bytes_field(9, float_bytes(values));
}

/// A float32 tensor [2] of ONNX whose data stands in another file.
inline std::string onnx_tensor_outside(const std::string& location, std::uint64_t offset,
                                       std::uint64_t length) {
  const auto entry = [](const std::string& key, const std::string& value) {
    return bytes_field(13, bytes_field(1, key) + bytes_field(2, value));
  };
  return number_field(1, 2) + number_field(2, 1) + bytes_field(8, "cos_cache") + entry("location", location) +
         entry("offset", std::to_string(offset)) + entry("length", std::to_string(length)) +
         number_field(14, 1);
}

/// An ONNX model with these tensors and one RotaryEmbedding of com.microsoft that reads "cos_cache" and
/// "sin_cache".
inline std::string onnx_bytes(const std::vector<std::string>& tensors,
                              const std::map<std::string, std::uint64_t>& attributes) {
  std::string node;
  for (const auto* input : {"q", "position_ids", "cos_cache", "sin_cache"}) {
    node += bytes_field(1, input);
  }
  node += bytes_field(2, "rotated") + bytes_field(4, "RotaryEmbedding") + bytes_field(7, "com.microsoft");
  for (const auto& [name, value] : attributes) {
    node += bytes_field(5, bytes_field(1, name) + number_field(3, value) + number_field(20, 2));
  }
  auto graph = bytes_field(1, node);
  for (const auto& tensor : tensors) {
    graph += bytes_field(5, tensor);
  }
  return number_field(1, 9) + bytes_field(7, graph);
}

}  // namespace vernier
