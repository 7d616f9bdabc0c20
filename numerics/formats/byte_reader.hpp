#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {

/// Takes little-endian numbers, text and bytes off the front of a file. Nothing is read beyond its end, and
/// nothing is allocated that the file has no bytes for.
class ByteReader {
 public:
  /// \param source what to call the file in errors
  ByteReader(std::span<const std::byte> bytes, std::string source)
      : bytes_(bytes), source_(std::move(source)) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  const std::string& source() const { return source_; }

  /// \param what is to be there, for the sentence \throws InputError if there are fewer bytes
  std::span<const std::byte> take(std::uint64_t count, std::string_view what) {
    refuse_if(count > left(), "{}: found {} bytes where {} should be, expected {}", source_, left(), what,
              count);
    const auto taken = bytes_.subspan(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }
  void skip(std::uint64_t count, std::string_view what) { take(count, what); }

  template <class Number>
  requires std::is_arithmetic_v<Number> Number number(std::string_view what) {
    Number value;
    std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
    return value;
  }
  /// \throws InputError also for more bytes than `longest`
  std::string text(std::uint64_t length, std::uint64_t longest, std::string_view what) {
    refuse_if(length > longest, "{}: found {} of {} bytes, expected at most {}", source_, what, length,
              longest);
    const auto taken = take(length, what);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

 private:
  static_assert(std::endian::native == std::endian::little);

  std::span<const std::byte> bytes_;
  std::string source_;
  std::size_t at_ = 0;
};

}  // namespace vernier
