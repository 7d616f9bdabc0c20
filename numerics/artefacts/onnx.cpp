#include "numerics/artefacts/onnx.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include <google/protobuf/io/coded_stream.h>

#include "numerics/formats/mapped_file.hpp"
#include "reference/json/json.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

using OnnxBytes = std::span<const std::byte>;

constexpr int deepest_subgraph = 16;

/// Data types (onnx.proto, TensorProto.DataType).
std::optional<ElementType> onnx_type(std::uint64_t type) {
  constexpr std::array<std::pair<std::uint64_t, ElementType>, 12> types{{{1, ElementType::float32},
                                                                         {2, ElementType::uint8},
                                                                         {3, ElementType::int8},
                                                                         {4, ElementType::uint16},
                                                                         {5, ElementType::int16},
                                                                         {6, ElementType::int32},
                                                                         {7, ElementType::int64},
                                                                         {10, ElementType::float16},
                                                                         {11, ElementType::float64},
                                                                         {12, ElementType::uint32},
                                                                         {13, ElementType::uint64},
                                                                         {16, ElementType::bfloat16}}};
  const auto found = std::ranges::find(types, type, &std::pair<std::uint64_t, ElementType>::first);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

/// A field of a message.
struct OnnxField {
  int number = 0;
  std::uint64_t value = 0;  ///< of numbers, fixed ones too
  OnnxBytes bytes = {};     ///< of what has a length

  std::string text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

}  // namespace

/// Reads the wire format of Protocol Buffers field by field, by the numbers that onnx.proto gives them.
class OnnxReader {
 public:
  OnnxReader(Onnx& model, const std::shared_ptr<const void>& owner, std::string source)
      : model_(model), owner_(owner), source_(std::move(source)) {}

  void read_model(OnnxBytes model) {
    bool has_graph = false;
    for_each_field(model, [&](const OnnxField& field) {
      if (field.number == 7) {
        has_graph = true;
        read_graph(field.bytes, 0);
      }
    });
    if (!has_graph) {
      refuse();
    }
  }

 private:
  [[noreturn]] void refuse() const {
    throw InputError("{}: found bytes that are not an ONNX model, expected one with a graph", source_);
  }

  void for_each_field(OnnxBytes message, const std::function<void(const OnnxField&)>& visit) const {
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(message.data()),
                                                  static_cast<int>(message.size()));
    while (const auto tag = stream.ReadTag()) {
      OnnxField field{.number = static_cast<int>(tag >> 3)};
      std::uint32_t narrow = 0;
      bool is_read = false;
      switch (tag & 7) {
        case 0:
          is_read = stream.ReadVarint64(&field.value);
          break;
        case 1:
          is_read = stream.ReadLittleEndian64(&field.value);
          break;
        case 2: {
          is_read = stream.ReadVarint32(&narrow);
          const auto begin = static_cast<std::size_t>(stream.CurrentPosition());
          is_read = is_read && narrow <= message.size() - begin && stream.Skip(static_cast<int>(narrow));
          field.bytes = is_read ? message.subspan(begin, narrow) : OnnxBytes();
          break;
        }
        case 5:
          is_read = stream.ReadLittleEndian32(&narrow);
          field.value = narrow;
          break;
        default:
          break;
      }
      if (!is_read) {
        refuse();
      }
      visit(field);
    }
    if (static_cast<std::size_t>(stream.CurrentPosition()) != message.size()) {
      refuse();
    }
  }

  void read_graph(OnnxBytes graph, int depth) {
    if (depth > deepest_subgraph) {
      throw InputError("{}: found graphs in graphs, expected at most {} deep", source_, deepest_subgraph);
    }
    for_each_field(graph, [&](const OnnxField& field) {
      if (field.number == 1) {
        read_node(field.bytes, depth);
      } else if (field.number == 5) {
        read_tensor(field.bytes, "");
      }
    });
  }

  void read_node(OnnxBytes bytes, int depth) {
    Onnx::Node node;
    std::string output;
    std::vector<OnnxBytes> attributes;
    for_each_field(bytes, [&](const OnnxField& field) {
      switch (field.number) {
        case 1:
          return node.inputs.push_back(field.text());
        case 2:
          output = output.empty() ? field.text() : output;
          return;
        case 3:
          node.name = field.text();
          return;
        case 4:
          node.operation = field.text();
          return;
        case 5:
          return attributes.push_back(field.bytes);
        case 7:
          node.domain = field.text();
          return;
        default:
          return;
      }
    });
    for (const auto& attribute : attributes) {
      read_attribute(attribute, node, output, depth);
    }
    // GroupQueryAttention rotates where its attribute do_rotary says so.
    const auto turns = node.attributes.find("do_rotary");
    if (node.operation == "RotaryEmbedding" ||
        (turns != node.attributes.end() && turns->second != Onnx::Attribute(std::int64_t{0}))) {
      model_.rotations_.push_back(std::move(node));
    }
  }

  void read_attribute(OnnxBytes bytes, Onnx::Node& node, const std::string& output, int depth) {
    std::string name;
    std::optional<Onnx::Attribute> value;
    for_each_field(bytes, [&](const OnnxField& field) {
      switch (field.number) {
        case 1:
          name = field.text();
          return;
        case 2:
          value = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
          return;
        case 3:
          value = static_cast<std::int64_t>(field.value);
          return;
        case 4:
          value = field.text();
          return;
        case 5:
          return read_tensor(field.bytes, output);
        case 6:
        case 11:
          return read_graph(field.bytes, depth + 1);
        default:
          return;
      }
    });
    if (value) {
      node.attributes.insert_or_assign(name, *value);
    }
  }

  /// \param name where the tensor has none of its own: that of what the constant makes
  void read_tensor(OnnxBytes bytes, const std::string& name) {
    StoredTensor stored{.name = name};
    std::uint64_t type = 0;
    std::optional<OnnxBytes> raw;
    std::optional<OnnxBytes> floats;
    for_each_field(bytes, [&](const OnnxField& field) {
      switch (field.number) {
        case 1:
          if (field.bytes.empty()) {
            stored.shape.push_back(static_cast<std::size_t>(field.value));
          }
          return read_packed(field.bytes, stored.shape);
        case 2:
          type = field.value;
          return;
        case 4:
          floats = field.bytes;
          return;
        case 8:
          stored.name = field.text();
          return;
        case 9:
          raw = field.bytes;
          return;
        default:
          return;
      }
    });
    const auto known = onnx_type(type);
    stored.type = known ? std::string(traits(*known).name) : fmt::format("ONNX type {}", type);
    const auto& data = raw ? raw : known == ElementType::float32 ? floats : std::nullopt;
    if (known && data && !data->empty() && stored.shape.size() <= greatest_rank &&
        size_in_bytes(*known, stored.shape) == data->size()) {
      stored.tensor = Tensor(*known, stored.shape, *data, owner_);
    }
    model_.tensors_.push_back(std::move(stored));
  }

  /// Dimensions that stand behind one another in one field.
  static void read_packed(OnnxBytes bytes, Shape& shape) {
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                  static_cast<int>(bytes.size()));
    std::uint64_t dimension = 0;
    while (stream.CurrentPosition() < static_cast<int>(bytes.size()) && stream.ReadVarint64(&dimension)) {
      shape.push_back(static_cast<std::size_t>(dimension));
    }
  }

  Onnx& model_;
  std::shared_ptr<const void> owner_;
  std::string source_;
};

Onnx::Onnx(std::span<const std::byte> file, const std::shared_ptr<const void>& owner,
           const std::string& source) {
  if (file.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw InputError("{}: found {} bytes, expected at most 2147483647, as Protocol Buffers allow", source,
                     file.size());
  }
  OnnxReader(*this, owner, source).read_model(file);
}

Onnx read_onnx(const std::filesystem::path& file) {
  const auto mapped = std::make_shared<const MappedFile>(file);
  return {mapped->bytes(), mapped, file.string()};
}

}  // namespace vernier
