#include "numerics/artefacts/onnx.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include <google/protobuf/io/coded_stream.h>

#include "numerics/formats/mapped_file.hpp"
#include "reference/json/json.hpp"
#include "reference/numbers/parsed_number.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

using OnnxBytes = std::span<const std::byte>;

constexpr int deepest_subgraph = 16;

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
  OnnxReader(Onnx& model, const std::shared_ptr<const void>& owner, std::string source,
             std::filesystem::path folder)
      : model_(model), owner_(owner), source_(std::move(source)), folder_(std::move(folder)) {}

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
    refuse_if(depth > deepest_subgraph, "{}: found graphs in graphs, expected at most {} deep", source_,
              deepest_subgraph);
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
    std::vector<std::string> outputs;
    std::vector<OnnxBytes> attributes;
    const std::map<int, std::string*> texts{{3, &node.name}, {4, &node.operation}, {7, &node.domain}};
    for_each_field(bytes, [&](const OnnxField& field) {
      if (field.number == 1 || field.number == 2) {
        (field.number == 1 ? node.inputs : outputs).push_back(field.text());
      } else if (field.number == 5) {
        attributes.push_back(field.bytes);
      } else if (const auto text = texts.find(field.number); text != texts.end()) {
        *text->second = field.text();
      }
    });
    const auto named =
        std::ranges::find_if(outputs, [](const std::string& output) { return !output.empty(); });
    const auto output = named == outputs.end() ? std::string() : *named;
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
      if (field.number == 1) {
        name = field.text();
      } else if (field.number == 2) {
        value = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
      } else if (field.number == 3) {
        value = static_cast<std::int64_t>(field.value);
      } else if (field.number == 4) {
        value = field.text();
      } else if (field.number == 5) {
        read_tensor(field.bytes, output);
      } else if (field.number == 6 || field.number == 11) {
        read_graph(field.bytes, depth + 1);
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
    std::map<std::string, std::string> outside;
    for_each_field(bytes, [&](const OnnxField& field) {
      if (field.number == 1) {
        if (field.bytes.empty()) {
          stored.shape.push_back(static_cast<std::size_t>(field.value));
        }
        read_packed(field.bytes, stored.shape);
      } else if (field.number == 2) {
        type = field.value;
      } else if (field.number == 4 || field.number == 9) {
        (field.number == 4 ? floats : raw) = field.bytes;
      } else if (field.number == 8) {
        stored.name = field.text();
      } else if (field.number == 13) {
        read_entry(field.bytes, outside);
      }
    });
    auto owner = owner_;
    if (!raw && outside.contains("location") && !folder_.empty()) {
      if (const auto file = data_file(outside["location"], stored.name)) {
        raw = part_of(file->bytes(), outside, stored.name);
        owner = file;
      } else {
        stored.obstacle = fmt::format("its data are in {}, which is missing", in_quotes(outside["location"]));
      }
    }
    const auto known = element_type_by(&ElementTraits::onnx, type);
    stored.type = known ? std::string(traits(*known).name) : fmt::format("ONNX type {}", type);
    const auto& data = raw ? raw : known == ElementType::float32 ? floats : std::nullopt;
    if (known && data && !data->empty() && stored.shape.size() <= greatest_rank &&
        size_in_bytes(*known, stored.shape) == data->size()) {
      stored.tensor = Tensor(*known, stored.shape, *data, owner);
    }
    model_.tensors_.push_back(std::move(stored));
  }

  /// A key and its value.
  void read_entry(OnnxBytes bytes, std::map<std::string, std::string>& entries) const {
    std::string key;
    std::string value;
    for_each_field(bytes, [&](const OnnxField& field) { (field.number == 1 ? key : value) = field.text(); });
    entries.insert_or_assign(std::move(key), std::move(value));
  }

  /// A file of the model's folder; null if it is not there. Links that lead out of the folder count as what
  /// they lead to. \throws InputError for a place outside
  std::shared_ptr<const MappedFile> data_file(const std::string& location, const std::string& tensor) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path relative(location);
    const auto folder = fs::weakly_canonical(folder_, error);
    const auto file = fs::weakly_canonical(folder / relative, error);
    const auto inside = file.lexically_relative(folder);
    refuse_if(location.find('\0') != std::string::npos || relative.is_absolute() || error || inside.empty() ||
                  *inside.begin() == ".." || *inside.begin() == ".",
              "{}: {}: found its data in {}, expected a file in the folder of the model", source_,
              in_quotes(tensor), in_quotes(location));
    if (!fs::is_regular_file(file, error)) {
      return nullptr;
    }
    auto& mapped = files_[file.string()];
    mapped = mapped ? mapped : std::make_shared<const MappedFile>(file);
    return mapped;
  }

  OnnxBytes part_of(OnnxBytes file, const std::map<std::string, std::string>& entries,
                    const std::string& tensor) const {
    const auto number = [&](const char* key, std::uint64_t otherwise) {
      const auto found = entries.find(key);
      if (found == entries.end()) {
        return otherwise;
      }
      const auto value = parsed_number<std::uint64_t>(found->second);
      refuse_if(!value, "{}: {}: found the {} {}, expected a number of bytes", source_, in_quotes(tensor),
                key, in_quotes(found->second));
      return *value;
    };
    const auto offset = number("offset", 0);
    const auto length = number("length", file.size() - std::min<std::uint64_t>(offset, file.size()));
    refuse_if(offset > file.size() || length > file.size() - offset,
              "{}: {}: found {} bytes of data from byte {}, expected them in a file of {} bytes", source_,
              in_quotes(tensor), length, offset, file.size());
    return file.subspan(offset, length);
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
  std::filesystem::path folder_;
  std::map<std::string, std::shared_ptr<const MappedFile>> files_;  ///< of data, by their places
};

Onnx::Onnx(std::span<const std::byte> file, const std::shared_ptr<const void>& owner,
           const std::string& source, const std::filesystem::path& folder) {
  refuse_if(file.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()),
            "{}: found {} bytes, expected at most 2147483647, as Protocol Buffers allow", source,
            file.size());
  OnnxReader(*this, owner, source, folder).read_model(file);
}

}  // namespace vernier
