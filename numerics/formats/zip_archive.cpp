#include "numerics/formats/zip_archive.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <zlib.h>

#include "numerics/formats/byte_reader.hpp"
#include "reference/json/json.hpp"
#include "reference/support/refusal.hpp"

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
constexpr int deflated = 8;
constexpr std::uint64_t most_inflated = std::uint64_t{1} << 30;
constexpr std::size_t inflated_at_once = std::size_t{1} << 20;

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
  refuse_if(all.number<std::uint32_t>("the end of 64 bits") != end_record_64,
            "{}: found no record at byte {}, expected that of the archive's end", source, wide);
  all.skip(44, "the end of 64 bits");
  return all.number<std::uint64_t>("where the list begins");
}

/// The size and the place of a member in 64 bits, where they have no room in 32.
void read_extra(ByteReader extra, ZipArchive::Member& member) {
  while (extra.left() >= 4) {
    const auto kind = extra.number<std::uint16_t>("an extra field");
    const auto length = extra.number<std::uint16_t>("an extra field");
    ByteReader field(extra.take(length, "an extra field"), extra.source());
    if (kind != extra_64) {
      continue;
    }
    for (auto* value : {&member.size, &member.packed, &member.header}) {
      if (*value == in_64_bits) {
        *value = field.number<std::uint64_t>("an extra field of 64 bits");
      }
    }
  }
}

/// What unpacks deflated bytes (RFC 1951), a part at a time.
class Inflation {
 public:
  Inflation() {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) {  // negative: without a header of zlib
      throw std::bad_alloc();
    }
  }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  ~Inflation() { inflateEnd(&stream_); }

  /// \param next is moved behind what is read \returns zlib's answer
  int step(const std::byte*& next, const std::byte* end, std::span<std::byte> out) {
    constexpr std::ptrdiff_t most_at_once = std::ptrdiff_t{1} << 30;
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(next));
    stream_.avail_in = static_cast<uInt>(std::min(end - next, most_at_once));
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int answer = inflate(&stream_, Z_NO_FLUSH);
    if (answer == Z_MEM_ERROR) {
      throw std::bad_alloc();
    }
    next = reinterpret_cast<const std::byte*>(stream_.next_in);
    written_ = out.size() - stream_.avail_out;
    return answer;
  }
  std::size_t written() const { return written_; }  ///< by the last step

 private:
  z_stream stream_{};
  std::size_t written_ = 0;
};

}  // namespace

ZipArchive::ZipArchive(std::span<const std::byte> file, std::string source)
    : file_(file), source_(std::move(source)) {
  ByteReader bytes(file_, source_);
  bytes.skip(list_begin(file_, source_), "the list of members");
  while (bytes.left() >= 4 && signature_at(file_, bytes.at()) == central_header) {
    bytes.skip(10, "an entry");
    Member member;
    member.method = bytes.number<std::uint16_t>("an entry");
    bytes.skip(4, "an entry");
    member.check = bytes.number<std::uint32_t>("an entry");
    member.packed = bytes.number<std::uint32_t>("an entry");
    member.size = bytes.number<std::uint32_t>("an entry");
    const auto name_length = bytes.number<std::uint16_t>("an entry");
    const auto extra_length = bytes.number<std::uint16_t>("an entry");
    const auto comment_length = bytes.number<std::uint16_t>("an entry");
    bytes.skip(8, "an entry");
    member.header = bytes.number<std::uint32_t>("an entry");
    auto name = bytes.text(name_length, longest_comment, "the name of a member");
    read_extra(ByteReader(bytes.take(extra_length, "an extra field"), source_), member);
    bytes.skip(comment_length, "a comment");
    members_.insert_or_assign(std::move(name), member);
  }
}

const ZipArchive::Member& ZipArchive::member(std::string_view name) const {
  const auto found = members_.find(name);
  refuse_if(found == members_.end(), "{}: found no member {}, expected one", source_, in_quotes(name));
  return found->second;
}

std::optional<std::span<const std::byte>> ZipArchive::bytes(std::string_view name) const {
  const auto& one = member(name);
  return one.is_stored() ? std::optional(packed(name, one)) : std::nullopt;
}

std::optional<std::vector<std::byte>> ZipArchive::inflated(std::string_view name) const {
  const auto& one = member(name);
  if (one.method != deflated || one.size > most_inflated) {
    return std::nullopt;
  }
  const auto from = packed(name, one);
  Inflation stream;
  std::vector<std::byte> result;
  auto ended = Z_OK;
  const auto* next = from.data();
  const auto* const end = next + from.size();
  // It grows with what is unpacked: a size that is made up takes no memory.
  while (ended == Z_OK) {
    const auto done = result.size();
    result.resize(std::min<std::size_t>(one.size + 1, done + inflated_at_once));
    ended = stream.step(next, end, std::span(result).subspan(done));
    result.resize(done + stream.written());
    ended = ended == Z_OK && stream.written() == 0 ? Z_DATA_ERROR : ended;
  }
  const auto check = crc32_z(0, reinterpret_cast<const Bytef*>(result.data()), result.size());
  refuse_if(ended != Z_STREAM_END || result.size() != one.size || check != one.check,
            "{}: {}: found bytes that do not unpack, expected {} bytes with their checksum", source_,
            in_quotes(name), one.size);
  return result;
}

std::span<const std::byte> ZipArchive::packed(std::string_view name, const Member& member) const {
  ByteReader bytes(file_, source_ + ": " + in_quotes(name));
  bytes.skip(member.header, "the bytes before a member");
  refuse_if(bytes.number<std::uint32_t>("a member") != local_header,
            "{}: found no member at byte {}, expected one", bytes.source(), member.header);
  bytes.skip(22, "a member");
  const auto name_length = bytes.number<std::uint16_t>("a member");
  const auto extra_length = bytes.number<std::uint16_t>("a member");
  bytes.skip(std::uint64_t{name_length} + extra_length, "a member");
  return bytes.take(member.packed, "a member");
}

bool begins_as_zip(std::span<const std::byte> file) {
  return file.size() >= 4 && (signature_at(file, 0) == local_header || signature_at(file, 0) == end_record);
}

}  // namespace vernier
