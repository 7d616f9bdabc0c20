#include "numerics/artefacts/zip_archive.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "numerics/artefacts/byte_reader.hpp"
#include "reference/json/json.hpp"

namespace vernier {
namespace {

constexpr std::uint32_t local_header = 0x04034b50;
constexpr std::uint32_t central_header = 0x02014b50;
constexpr std::uint32_t end_record = 0x06054b50;
constexpr std::uint32_t end_record_64 = 0x06064b50;
constexpr std::uint32_t locator_64 = 0x07064b50;
constexpr std::size_t end_record_bytes = 22;
constexpr std::size_t locator_bytes = 20;
constexpr std::size_t longest_comment = 65535;
constexpr std::uint32_t in_64_bits = 0xffffffff;
constexpr std::uint16_t extra_64 = 1;

std::uint32_t signature_at(std::span<const std::byte> file, std::size_t at) {
  std::uint32_t signature = 0;
  std::memcpy(&signature, file.data() + at, sizeof signature);
  return signature;
}

/// Where the record at the end of the archive begins: it is the last one.
std::size_t find_end(std::span<const std::byte> file, const std::string& source) {
  if (file.size() >= end_record_bytes) {
    const auto last = file.size() - end_record_bytes;
    for (std::size_t back = 0; back <= std::min(last, longest_comment); ++back) {
      if (signature_at(file, last - back) == end_record) {
        return last - back;
      }
    }
  }
  throw InputError("{}: found no list of members at its end, expected that of a whole zip archive", source);
}

/// Where the list of members begins.
std::uint64_t list_begin(std::span<const std::byte> file, const std::string& source) {
  const auto end = find_end(file, source);
  ByteReader record(file.subspan(end), source);
  record.skip(16, "the end of the archive");
  const auto begin = record.number<std::uint32_t>("where the list begins");
  if (begin != in_64_bits || end < locator_bytes || signature_at(file, end - locator_bytes) != locator_64) {
    return begin;
  }
  ByteReader locator(file.subspan(end - locator_bytes), source);
  locator.skip(8, "the locator");
  const auto wide = locator.number<std::uint64_t>("where the end of 64 bits is");
  ByteReader all(file, source);
  all.skip(wide, "the end of 64 bits");
  if (all.number<std::uint32_t>("the end of 64 bits") != end_record_64) {
    throw InputError("{}: found no record at byte {}, expected that of the archive's end", source, wide);
  }
  all.skip(44, "the end of 64 bits");
  return all.number<std::uint64_t>("where the list begins");
}

/// The size and the place of a member in 64 bits, where they have no room in 32.
void read_extra(ByteReader extra, std::uint64_t& packed, ZipArchive::Member& member) {
  while (extra.left() >= 4) {
    const auto kind = extra.number<std::uint16_t>("an extra field");
    const auto length = extra.number<std::uint16_t>("an extra field");
    ByteReader field(extra.take(length, "an extra field"), extra.source());
    if (kind != extra_64) {
      continue;
    }
    for (auto* value : {&member.size, &packed, &member.header}) {
      if (*value == in_64_bits) {
        *value = field.number<std::uint64_t>("an extra field of 64 bits");
      }
    }
  }
}

}  // namespace

ZipArchive::ZipArchive(std::span<const std::byte> file, std::string source)
    : file_(file), source_(std::move(source)) {
  ByteReader bytes(file_, source_);
  bytes.skip(list_begin(file_, source_), "the list of members");
  while (bytes.left() >= 4 && signature_at(file_, bytes.at()) == central_header) {
    bytes.skip(10, "an entry");
    Member member;
    const auto method = bytes.number<std::uint16_t>("an entry");
    bytes.skip(8, "an entry");
    std::uint64_t packed = bytes.number<std::uint32_t>("an entry");
    member.size = bytes.number<std::uint32_t>("an entry");
    const auto name_length = bytes.number<std::uint16_t>("an entry");
    const auto extra_length = bytes.number<std::uint16_t>("an entry");
    const auto comment_length = bytes.number<std::uint16_t>("an entry");
    bytes.skip(8, "an entry");
    member.header = bytes.number<std::uint32_t>("an entry");
    auto name = bytes.text(name_length, longest_comment, "the name of a member");
    read_extra(ByteReader(bytes.take(extra_length, "an extra field"), source_), packed, member);
    bytes.skip(comment_length, "a comment");
    member.is_stored = method == 0 && packed == member.size;
    members_.insert_or_assign(std::move(name), member);
  }
}

std::optional<std::span<const std::byte>> ZipArchive::bytes(std::string_view name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) {
    throw InputError("{}: found no member {}, expected one", source_, in_quotes(name));
  }
  const auto& member = found->second;
  if (!member.is_stored) {
    return std::nullopt;
  }
  ByteReader bytes(file_, source_ + ": " + in_quotes(name));
  bytes.skip(member.header, "the bytes before a member");
  if (bytes.number<std::uint32_t>("a member") != local_header) {
    throw InputError("{}: found no member at byte {}, expected one", bytes.source(), member.header);
  }
  bytes.skip(22, "a member");
  const auto name_length = bytes.number<std::uint16_t>("a member");
  const auto extra_length = bytes.number<std::uint16_t>("a member");
  bytes.skip(std::uint64_t{name_length} + extra_length, "a member");
  return bytes.take(member.size, "a member");
}

bool begins_as_zip(std::span<const std::byte> file) {
  return file.size() >= 4 && (signature_at(file, 0) == local_header || signature_at(file, 0) == end_record);
}

}  // namespace vernier
