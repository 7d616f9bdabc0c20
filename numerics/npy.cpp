#include "numerics/npy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include "reference/input_error.hpp"

namespace vernier {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = 1 << 20;
constexpr std::size_t greatest_rank = 32;
constexpr std::uintmax_t largest_file = std::uintmax_t{8} << 30;
constexpr std::size_t longest_excerpt = 40;

/// Text from the file for one line of a terminal: what is not printable ASCII shown as '?', long text cut.
std::string excerpt(std::string_view text) {
  std::string result(text.substr(0, longest_excerpt));
  std::ranges::replace_if(
      result, [](char c) { return c < ' ' || c > '~'; }, '?');
  return result + (text.size() > longest_excerpt ? "..." : "");
}

struct Header {
  std::string descr;
  bool fortran_order = false;
  Shape shape;
};

/// Reads the header: a dictionary as Python writes one, of which .npy uses strings, True, False, integers and
/// tuples.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  Header parse() {
    Header header;
    std::array<bool, 3> seen{};
    const auto first_time = [&](std::size_t key) {
      if (std::exchange(seen[key], true)) {
        refuse("a key twice", "each once");
      }
    };
    expect('{');
    while (!accept('}')) {
      const auto key = string();
      expect(':');
      if (key == "descr") {
        first_time(0);
        header.descr = descr();
      } else if (key == "fortran_order") {
        first_time(1);
        header.fortran_order = boolean();
      } else if (key == "shape") {
        first_time(2);
        header.shape = shape();
      } else {
        refuse("the header key '" + excerpt(key) + "'", "only descr, fortran_order and shape");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (at_ != text_.size() || std::ranges::find(seen, false) != seen.end()) {
      refuse("a header that is not one whole dictionary",
             "the keys descr, fortran_order and shape and nothing after them");
    }
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const {
    throw InputError(source_ + ": found " + found + ", expected " + expected);
  }

  void skip_spaces() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  bool accept(char wanted) {
    skip_spaces();
    const bool found = at_ < text_.size() && text_[at_] == wanted;
    at_ += found ? 1 : 0;
    return found;
  }

  void expect(char wanted) {
    if (!accept(wanted)) {
      const auto rest = text_.substr(at_);
      refuse(rest.empty() ? "the end of the header" : std::string("\"") + excerpt(rest) + "\" in the header",
             std::string{'\'', wanted, '\''});
    }
  }

  std::string string() {
    skip_spaces();
    const char quote = at_ < text_.size() && text_[at_] == '"' ? '"' : '\'';
    expect(quote);
    const auto end = text_.find(quote, at_);
    if (end == std::string_view::npos) {
      refuse("a string without an end in the header", "a closing quote");
    }
    const auto content = text_.substr(at_, end - at_);
    at_ = end + 1;
    return std::string(content);
  }

  std::string descr() {
    skip_spaces();
    if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '(')) {
      refuse("a structured dtype", "one number type such as '<f4'");
    }
    return string();
  }

  bool boolean() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    refuse("a fortran_order that is neither", "True or False");
  }

  Shape shape() {
    Shape result;
    expect('(');
    while (!accept(')')) {
      if (result.size() == greatest_rank) {
        refuse("a shape of more than " + std::to_string(greatest_rank) + " dimensions", "fewer");
      }
      result.push_back(dimension());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return result;
  }

  std::size_t dimension() {
    skip_spaces();
    std::size_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{}) {
      refuse("the dimension \"" + excerpt(text_.substr(at_, text_.find_first_of(",)", at_) - at_)) +
                 "\" in the shape",
             "a count that fits in 64 bits");
    }
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::string_view text_;
  std::string source_;
  std::size_t at_ = 0;
};

/// The element type of a NumPy type string. bfloat16 has none: it arrives as uint16.
ElementType element_type(const std::string& descr, const std::string& source) {
  struct Code {
    std::string_view text;
    ElementType type;
  };
  static constexpr std::array codes{
      Code{"f8", ElementType::float64}, Code{"f4", ElementType::float32}, Code{"f2", ElementType::float16},
      Code{"i8", ElementType::int64},   Code{"i4", ElementType::int32},   Code{"i2", ElementType::int16},
      Code{"i1", ElementType::int8},    Code{"u8", ElementType::uint64},  Code{"u4", ElementType::uint32},
      Code{"u2", ElementType::uint16},  Code{"u1", ElementType::uint8},
  };
  const auto refuse = [&](std::string_view what) {
    throw InputError(source + ": found the dtype '" + excerpt(descr) + "'" + std::string(what) +
                     ", expected little-endian numbers: f8, f4, f2, i8, i4, i2, i1, u8, u4, u2 or u1");
  };
  const std::string_view order = std::string_view(descr).substr(0, 1);
  const std::string_view code = std::string_view(descr).substr(order.size());
  const auto* known = std::ranges::find(codes, code, &Code::text);
  if (order == ">") {
    refuse(" (big-endian)");
  }
  if (order == "|" && code.starts_with("O")) {
    refuse(" (pickled Python objects)");
  }
  if (order == "|" && code == "b1") {
    refuse(" (booleans)");
  }
  const bool one_byte = known != codes.end() && traits(known->type).bytes == 1;
  if (known == codes.end() || !(order == "<" || (order == "|" && one_byte))) {
    refuse("");
  }
  return known->type;
}

/// The bytes that a tensor takes; nothing if 64 bits cannot count them.
std::optional<std::uintmax_t> size_of(ElementType type, const Shape& shape) {
  std::uintmax_t size = traits(type).bytes;
  for (const auto dimension : shape) {
    if (dimension > std::numeric_limits<std::uintmax_t>::max() / size) {
      return std::nullopt;
    }
    size *= dimension;
  }
  return size;
}

/// Takes bytes off the front of a stream of known size.
class Bytes {
 public:
  Bytes(std::istream& stream, std::uintmax_t size, const std::string& source)
      : stream_(stream), left_(size), source_(source) {}

  std::uintmax_t left() const { return left_; }

  void take(char* out, std::size_t count, std::string_view what) {
    if (count > left_) {
      throw InputError(source_ + ": found " + std::to_string(left_) + " bytes where " + std::string(what) +
                       " should be, expected " + std::to_string(count));
    }
    stream_.read(out, static_cast<std::streamsize>(count));
    if (!stream_) {
      throw InputError(source_ + ": cannot be read");
    }
    left_ -= count;
  }

  std::string take(std::size_t count, std::string_view what) {
    std::string text(count <= left_ ? count : 0, '\0');
    take(text.data(), count, what);
    return text;
  }

  /// A little-endian unsigned number.
  std::size_t take_number(std::size_t width, std::string_view what) {
    std::size_t value = 0;
    for (std::size_t shift = 0; const char byte : take(width, what)) {
      value |= static_cast<std::size_t>(static_cast<unsigned char>(byte)) << shift;
      shift += 8;
    }
    return value;
  }

 private:
  std::istream& stream_;
  std::uintmax_t left_;
  std::string source_;
};

std::string take_header(Bytes& bytes, const std::string& source) {
  if (bytes.take(magic.size(), "the name of the format") != magic) {
    throw InputError(source + ": found other first bytes, expected those of a .npy file, \\x93NUMPY");
  }
  const auto major = bytes.take_number(1, "the version");
  const auto minor = bytes.take_number(1, "the version");
  if (major < 1 || major > 3 || minor != 0) {
    throw InputError(source + ": found .npy version " + std::to_string(major) + "." + std::to_string(minor) +
                     ", expected 1.0, 2.0 or 3.0");
  }
  const auto length = bytes.take_number(major == 1 ? 2 : 4, "the header's length");
  if (length > longest_header) {
    throw InputError(source + ": found a header of " + std::to_string(length) + " bytes, expected at most " +
                     std::to_string(longest_header));
  }
  return bytes.take(length, "the header");
}

}  // namespace

Tensor read_npy(std::istream& stream, std::uintmax_t size, const std::string& source) {
  Bytes bytes(stream, size, source);
  const auto text = take_header(bytes, source);
  const auto header = HeaderParser(text, source).parse();
  const auto type = element_type(header.descr, source);
  if (header.fortran_order) {
    throw InputError(source + ": found Fortran order, expected C order (numpy.ascontiguousarray makes it)");
  }
  if (std::ranges::find(header.shape, std::size_t{0}) != header.shape.end()) {
    throw InputError(source + ": found the shape " + to_string(header.shape) +
                     ", expected at least one element");
  }
  const auto expected = size_of(type, header.shape);
  if (expected != bytes.left()) {
    throw InputError(source + ": found " + std::to_string(bytes.left()) + " bytes of data, expected " +
                     (expected ? std::to_string(*expected) : "more than any file holds") + " for " +
                     std::string(traits(type).name) + " of shape " + to_string(header.shape));
  }
  std::vector<std::byte> data(*expected);
  bytes.take(reinterpret_cast<char*>(data.data()), data.size(), "the data");
  return {type, header.shape, std::move(data)};
}

Tensor read_npy(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw InputError(file.string() + ": no such file");
  }
  const auto size = std::filesystem::file_size(file, error);
  if (error || size > largest_file) {
    throw InputError(file.string() + ": found more than 8 GiB, expected a tensor that fits in memory");
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError(file.string() + ": cannot be read");
  }
  return read_npy(stream, size, file.string());
}

}  // namespace vernier
