#include "numerics/artefacts/gguf.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "numerics/formats/byte_reader.hpp"
#include "reference/json/json.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

constexpr std::string_view gguf_magic = "GGUF";
constexpr std::uint64_t longest_gguf_key = 65535;
constexpr std::uint64_t longest_gguf_text = std::uint64_t{64} << 20;
constexpr std::uint64_t most_numbers_kept = 4096;
constexpr std::uint32_t most_gguf_dimensions = 4;
constexpr std::uint64_t default_alignment = 32;
constexpr int deepest_array = 4;

/// The types of metadata (gguf.h, enum gguf_type).
enum class GgufType : std::uint32_t {
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  float32,
  boolean,
  text,
  array,
  uint64,
  int64,
  float64
};

template <class Number>
double number_in(ByteReader& bytes) {
  return static_cast<double>(bytes.number<Number>("a number"));
}

/// What a value of a type takes at least, and how it is read if it is a number.
struct GgufTraits {
  std::uint64_t least_bytes;
  double (*number)(ByteReader& bytes) = nullptr;
};

/// In the order of the types.
constexpr std::array<GgufTraits, 13> gguf_traits{{{1, number_in<std::uint8_t>},
                                                  {1, number_in<std::int8_t>},
                                                  {2, number_in<std::uint16_t>},
                                                  {2, number_in<std::int16_t>},
                                                  {4, number_in<std::uint32_t>},
                                                  {4, number_in<std::int32_t>},
                                                  {4, number_in<float>},
                                                  {1, number_in<std::uint8_t>},
                                                  {8},
                                                  {12},
                                                  {8, number_in<std::uint64_t>},
                                                  {8, number_in<std::int64_t>},
                                                  {8, number_in<double>}}};

const GgufTraits& traits(GgufType type) {
  return gguf_traits[static_cast<std::size_t>(type)];
}

GgufType read_type(ByteReader& bytes, const std::string& key) {
  const auto type = bytes.number<std::uint32_t>("the type of a value");
  refuse_if(type > static_cast<std::uint32_t>(GgufType::float64),
            "{}: {}: found a value of type {}, expected one from 0 to 12", bytes.source(), in_quotes(key),
            type);
  return static_cast<GgufType>(type);
}

std::string read_text_value(ByteReader& bytes, std::uint64_t longest, std::string_view what) {
  const auto length = bytes.number<std::uint64_t>("the length of text");
  return bytes.text(length, longest, what);
}

Gguf::Array read_array(ByteReader& bytes, const std::string& key, int depth) {
  const auto type = read_type(bytes, key);
  const auto count = bytes.number<std::uint64_t>("the length of an array");
  refuse_if(count > bytes.left() / traits(type).least_bytes,
            "{}: {}: found an array of {} values and {} bytes for them, expected at least {} a value",
            bytes.source(), in_quotes(key), count, bytes.left(), traits(type).least_bytes);
  Gguf::Array array{.count = count};
  refuse_if(type == GgufType::array && depth == deepest_array,
            "{}: {}: found arrays in arrays, expected at most {} deep", bytes.source(), in_quotes(key),
            deepest_array);
  if (type != GgufType::array && type != GgufType::text && count > most_numbers_kept) {
    bytes.skip(count * traits(type).least_bytes, "an array");
    return array;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    if (type == GgufType::array) {
      read_array(bytes, key, depth + 1);
    } else if (type == GgufType::text) {
      bytes.skip(bytes.number<std::uint64_t>("the length of text"), "text");
    } else {
      array.numbers.push_back(traits(type).number(bytes));
    }
  }
  return array;
}

Gguf::Value read_value(ByteReader& bytes, const std::string& key) {
  switch (const auto type = read_type(bytes, key)) {
    case GgufType::text:
      return read_text_value(bytes, longest_gguf_text, "text");
    case GgufType::array:
      return read_array(bytes, key, 1);
    default:
      return traits(type).number(bytes);
  }
}

/// A tensor of the list, and where its data begins, counted from that of all.
std::pair<StoredTensor, std::uint64_t> read_listed(ByteReader& bytes) {
  StoredTensor stored;
  stored.name = read_text_value(bytes, longest_gguf_key, "the name of a tensor");
  const auto dimensions = bytes.number<std::uint32_t>("the number of dimensions");
  refuse_if(dimensions > most_gguf_dimensions, "{}: {}: found {} dimensions, expected at most {}",
            bytes.source(), in_quotes(stored.name), dimensions, most_gguf_dimensions);
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    // The first index is the fastest in GGUF.
    stored.shape.insert(stored.shape.begin(),
                        static_cast<std::size_t>(bytes.number<std::uint64_t>("a dimension")));
  }
  const auto type = bytes.number<std::uint32_t>("the type of a tensor");
  const auto dense = element_type_by(&ElementTraits::ggml, type);  // all others are quantized in blocks
  stored.type = dense ? std::string(traits(*dense).name) : fmt::format("ggml type {}", type);
  return {std::move(stored), bytes.number<std::uint64_t>("where a tensor begins")};
}

/// The elements of a dense tensor. \throws InputError if the file ends before them
std::optional<Tensor> dense_elements(const StoredTensor& stored, std::uint64_t begin,
                                     std::span<const std::byte> data,
                                     const std::shared_ptr<const void>& owner, const std::string& source) {
  const auto type = element_type_named(stored.type);
  const auto size = type ? size_in_bytes(*type, stored.shape) : std::nullopt;
  if (!type || size == 0) {
    return std::nullopt;
  }
  refuse_if(!size || begin > data.size() || *size > data.size() - begin,
            "{}: {}: found {} bytes of data, expected {} of shape {} from byte {} on", source,
            in_quotes(stored.name), data.size(), stored.type, to_string(stored.shape), begin);
  return Tensor(*type, stored.shape,
                data.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(*size)), owner);
}

/// The multiple of which data begin. \throws InputError unless it is a power of two
std::uint64_t alignment_of(const std::map<std::string, Gguf::Value, std::less<>>& metadata,
                           const std::string& source) {
  const auto found = metadata.find("general.alignment");
  const auto* value = found == metadata.end() ? nullptr : std::get_if<double>(&found->second);
  const double alignment = value == nullptr ? static_cast<double>(default_alignment) : *value;
  refuse_if(!(alignment >= 1 && alignment <= 1 << 20) ||
                !std::has_single_bit(static_cast<std::uint64_t>(alignment)),
            "{}: general.alignment: found {}, expected a power of two up to 1048576", source, alignment);
  return static_cast<std::uint64_t>(alignment);
}

}  // namespace

Gguf::Gguf(std::span<const std::byte> file, const std::shared_ptr<const void>& owner,
           const std::string& source) {
  ByteReader bytes(file, source);
  refuse_if(bytes.left() < gguf_magic.size() || bytes.text(4, 4, "the name of the format") != gguf_magic,
            "{}: found other first bytes, expected those of a GGUF file, \"GGUF\"", source);
  version_ = bytes.number<std::uint32_t>("the version");
  refuse_if(version_ != 2 && version_ != 3, "{}: found GGUF version {}, expected 2 or 3, little-endian",
            source, version_);
  const auto listed = bytes.number<std::uint64_t>("the number of tensors");
  const auto keys = bytes.number<std::uint64_t>("the number of keys");
  for (std::uint64_t i = 0; i < keys; ++i) {
    const auto key = read_text_value(bytes, longest_gguf_key, "a key");
    auto value = read_value(bytes, key);
    refuse_if(!metadata_.emplace(key, std::move(value)).second,
              "{}: {}: found the key twice, expected it once", source, in_quotes(key));
  }
  std::vector<std::uint64_t> begins;
  for (std::uint64_t i = 0; i < listed; ++i) {
    auto [stored, begin] = read_listed(bytes);
    tensors_.push_back(std::move(stored));
    begins.push_back(begin);
  }
  const auto alignment = alignment_of(metadata_, source);
  const auto data_begin =
      std::min<std::uint64_t>((bytes.at() + alignment - 1) / alignment * alignment, file.size());
  const auto data = file.subspan(static_cast<std::size_t>(data_begin));
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    tensors_[i].tensor = dense_elements(tensors_[i], begins[i], data, owner, source);
  }
}

}  // namespace vernier
