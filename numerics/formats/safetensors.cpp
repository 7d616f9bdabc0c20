#include "numerics/formats/safetensors.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "numerics/formats/mapped_file.hpp"
#include "numerics/formats/unfinished_file.hpp"
#include "reference/json/json.hpp"
#include "reference/numbers/parsed_number.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

constexpr std::size_t length_bytes = sizeof(std::uint64_t);
/// Room for a hundred thousand tensors. The format allows 100 MB, which would take gigabytes to parse.
constexpr std::uint64_t longest_safetensors_header = std::uint64_t{16} << 20;
constexpr std::string_view metadata_key = "__metadata__";

/// Complex numbers, which are read as their parts.
constexpr std::string_view complex64 = "C64";

std::optional<ElementType> element_type(std::string_view dtype) {
  return dtype == complex64 ? ElementType::float32 : element_type_by(&ElementTraits::safetensors, dtype);
}

/// A count, if the value is one that fits in 64 bits and is written in digits alone.
std::optional<std::size_t> count_of(const JsonValue& value) {
  const auto* number = std::get_if<JsonValue::Number>(&value.value());
  return number == nullptr ? std::nullopt : parsed_number<std::size_t>(number->text);
}

std::vector<std::size_t> read_counts(ObjectReader& entry, std::string_view key, std::string_view expected) {
  std::vector<std::size_t> counts;
  for (const auto& value : entry.array(key, expected)) {
    const auto count = count_of(value);
    if (!count) {
      entry.refuse_within(key, value, expected);
    }
    counts.push_back(*count);
  }
  return counts;
}

std::string header_of(std::span<const std::byte> file, const std::string& source) {
  refuse_if(file.size() < length_bytes,
            "{}: found {} bytes, expected a .safetensors file, which begins with the length of its header",
            source, file.size());
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), length_bytes);
  refuse_if(length > longest_safetensors_header,
            "{}: found a header of {} bytes, expected at most {} (is it a .safetensors file?)", source,
            length, longest_safetensors_header);
  refuse_if(length > file.size() - length_bytes, "{}: found {} bytes where the header should be, expected {}",
            source, file.size() - length_bytes, length);
  // A copy, which stays as it is even if somebody changes a mapped file meanwhile.
  const auto header = file.subspan(length_bytes, static_cast<std::size_t>(length));
  return {reinterpret_cast<const char*>(header.data()), header.size()};
}

}  // namespace

Safetensors::Safetensors(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                         std::string source)
    : owner_(std::move(owner)), source_(std::move(source)) {
  const auto header = header_of(file, source_);
  data_ = file.subspan(length_bytes + header.size());
  read_header(header);
  check_layout();
}

void Safetensors::read_header(const std::string& text) {
  if (!text.starts_with('{')) {
    throw InputError(source_ + ": found a header that does not begin with '{', expected a JSON object");
  }
  const auto document = parse_json(text, source_ + ": header");
  for (const auto& [name, value] : std::get<JsonValue::Object>(document.value())) {
    ObjectReader entry(value, source_ + ": " + in_quotes(name), "");
    if (name == metadata_key) {
      for (const auto& [key, text_value] : std::get<JsonValue::Object>(value.value())) {
        const auto* words = std::get_if<std::string>(&text_value.value());
        if (words == nullptr) {
          entry.refuse_within(in_quotes(key), text_value, "a string");
        }
        metadata_.emplace(key, *words);
      }
      continue;
    }
    Entry read;
    read.dtype = entry.string("dtype");
    read.shape = read_counts(entry, "shape", "an array of counts");
    const auto offsets = read_counts(entry, "data_offsets", "two counts of bytes");
    entry.finish();
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_.size()) {
      entry.refuse_all(
          fmt::format("found data_offsets {}, expected a begin and an end within the {} bytes of data",
                      to_string(offsets), data_.size()));
    }
    if (read.shape.size() > greatest_rank) {
      entry.refuse_all(fmt::format("found a shape of {} dimensions, expected at most {}", read.shape.size(),
                                   greatest_rank));
    }
    if (read.dtype == complex64) {
      read.shape.push_back(2);
    }
    read.begin = offsets[0];
    read.end = offsets[1];
    entries_.emplace(name, std::move(read));
  }
}

void Safetensors::check_layout() const {
  for (const auto& [name, entry] : entries_) {
    const auto type = element_type(entry.dtype);
    const auto needed = type ? size_in_bytes(*type, entry.shape) : std::optional(entry.end - entry.begin);
    refuse_if(needed != entry.end - entry.begin,
              "{}: {}: found {} bytes of data, expected {} for {} of shape {}", source_, in_quotes(name),
              entry.end - entry.begin, needed ? std::to_string(*needed) : "more than any file holds",
              entry.dtype, to_string(entry.shape));
  }
  std::size_t covered = 0;
  for (const auto& name : names()) {
    const auto& entry = entries_.find(name)->second;
    refuse_if(entry.begin != covered,
              "{}: {}: found data from byte {} on, expected from {}, where the tensor before it ends",
              source_, in_quotes(name), entry.begin, covered);
    covered = entry.end;
  }
  refuse_if(covered != data_.size(), "{}: found {} bytes of data, expected {} for its tensors", source_,
            data_.size(), covered);
}

std::vector<std::string> Safetensors::names() const {
  auto ordered = mapped(entries_, [&](const auto& named) { return &named; });
  std::ranges::stable_sort(
      ordered, {}, [](const auto* named) { return std::pair(named->second.begin, named->second.end); });
  return mapped(ordered, [&](const auto* named) { return named->first; });
}

Tensor Safetensors::tensor(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    refuse_tensor_name(source_, names(), name);
  }
  const auto& entry = found->second;
  const auto type = element_type(entry.dtype);
  refuse_if(!type,
            "{}: {}: found the dtype {}, expected F64, F32, F16, BF16, C64, F8_E4M3, F8_E5M2, F8_E4M3FNUZ, "
            "F8_E5M2FNUZ or integers of 8 to 64 bits, I8 to U64",
            source_, in_quotes(name), in_quotes(entry.dtype));
  refuse_if(std::ranges::find(entry.shape, std::size_t{0}) != entry.shape.end(),
            "{}: {}: found the shape {}, expected at least one element", source_, in_quotes(name),
            to_string(entry.shape));
  return {*type, entry.shape, data_.subspan(entry.begin, entry.end - entry.begin), owner_};
}

Safetensors read_safetensors(const std::filesystem::path& file) {
  const auto mapped = std::make_shared<const MappedFile>(file);
  return {mapped->bytes(), mapped, file.string()};
}

void refuse_tensor_name(const std::string& source, const std::vector<std::string>& names,
                        std::string_view name) {
  constexpr std::size_t most_names_listed = 8;
  const std::span listed(names.data(), std::min(names.size(), most_names_listed));
  throw InputError("{}: found {}{}, expected one named {}", source,
                   names.empty() ? "no tensors" : "the tensors " + joined(listed, in_quotes),
                   names.size() > listed.size() ? " ..." : "", in_quotes(name));
}

std::string safetensors_preamble(std::span<const SafetensorsEntry> entries,
                                 const std::map<std::string, std::string>& metadata) {
  constexpr std::size_t alignment = 8;
  OrderedJson header = OrderedJson::object();
  if (!metadata.empty()) {
    header[std::string(metadata_key)] = metadata;
  }
  std::uintmax_t begin = 0;
  for (const auto& entry : entries) {
    const auto end = begin + size_in_bytes(entry.type, entry.shape).value_or(0);
    header[entry.name] = {
        {"dtype", traits(entry.type).safetensors}, {"shape", entry.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  auto text = header.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  text.append((alignment - text.size() % alignment) % alignment, ' ');
  std::string preamble;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    preamble += static_cast<char>(text.size() >> (8 * i) & 0xff);
  }
  return preamble + text;
}

void write_safetensors(const std::filesystem::path& file,
                       const std::map<std::string, Tensor, std::less<>>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  auto ordered = mapped(tensors, [&](const auto& named) { return &named; });
  // Wide elements first, so that all are aligned: readers in other languages map them as they lie.
  std::ranges::stable_sort(ordered, std::greater{},
                           [](const auto* named) { return traits(named->second.type()).bytes; });
  const auto entries = mapped(ordered, [&](const auto* named) -> SafetensorsEntry {
    return {named->first, named->second.type(), named->second.shape()};
  });
  const auto preamble = safetensors_preamble(entries, metadata);
  UnfinishedFile output(file);
  output.append(std::as_bytes(std::span(preamble)));
  for (const auto* named : ordered) {
    output.append(named->second.bytes());
  }
  output.finish();
}

}  // namespace vernier
