#include "numerics/formats/npy.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstdint>
#include <utility>

#include <fmt/core.h>

#include "numerics/formats/byte_reader.hpp"
#include "numerics/formats/mapped_file.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_npy_header = 1 << 20;
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
      refuse_if(std::exchange(seen[key], true), "a key twice", "each once");
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
        refuse(fmt::format("the header key '{}'", excerpt(key)), "only descr, fortran_order and shape");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    refuse_if(at_ != text_.size() || std::ranges::find(seen, false) != seen.end(),
              "a header that is not one whole dictionary",
              "the keys descr, fortran_order and shape and nothing after them");
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const {
    throw InputError("{}: found {}, expected {}", source_, found, expected);
  }
  void refuse_if(bool condition, std::string_view found, std::string_view expected) const {
    vernier::refuse_if(condition, "{}: found {}, expected {}", source_, found, expected);
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
      refuse(rest.empty() ? "the end of the header" : fmt::format("\"{}\" in the header", excerpt(rest)),
             std::string{'\'', wanted, '\''});
    }
  }

  std::string string() {
    skip_spaces();
    const char quote = at_ < text_.size() && text_[at_] == '"' ? '"' : '\'';
    expect(quote);
    const auto end = text_.find(quote, at_);
    refuse_if(end == std::string_view::npos, "a string without an end in the header", "a closing quote");
    const auto content = text_.substr(at_, end - at_);
    at_ = end + 1;
    return std::string(content);
  }

  std::string descr() {
    skip_spaces();
    refuse_if(at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '('), "a structured dtype",
              "one number type such as '<f4'");
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
      refuse_if(result.size() == greatest_rank,
                fmt::format("a shape of more than {} dimensions", greatest_rank), "fewer");
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
      refuse(fmt::format("the dimension \"{}\" in the shape",
                         excerpt(text_.substr(at_, text_.find_first_of(",)", at_) - at_))),
             "a count that fits in 64 bits");
    }
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::string_view text_;
  std::string source_;
  std::size_t at_ = 0;
};

/// NumPy's type string. bfloat16 and the formats of eight bits have none: they go as unsigned integers.
std::string descr_of(ElementType type) {
  const auto& t = traits(type);
  const auto& as = !t.npy.empty() ? t : traits(t.bytes == 1 ? ElementType::uint8 : ElementType::uint16);
  return fmt::format("{}{}", t.bytes == 1 ? "|" : "<", as.npy);
}

/// What an element of a file is.
struct StoredElement {
  ElementType type;
  std::size_t numbers = 1;  ///< two of a complex one: the real part and the imaginary one

  std::size_t bytes() const { return numbers * traits(type).bytes; }
};

/// The element of a NumPy type string: of those that have none, that of their bits.
StoredElement element_of(const std::string& descr, const std::string& source) {
  const auto refuse_if = [&](bool condition, std::string_view what) {
    vernier::refuse_if(
        condition,
        "{}: found the dtype '{}'{}, expected little-endian numbers: f8, f4, f2, c16, c8, i8, i4, i2, i1, "
        "u8, u4, u2 or u1",
        source, excerpt(descr), what);
  };
  const std::string_view order = std::string_view(descr).substr(0, 1);
  const std::string_view code = std::string_view(descr).substr(order.size());
  if (order == "<" && (code == "c8" || code == "c16")) {
    return {code == "c8" ? ElementType::float32 : ElementType::float64, 2};
  }
  const auto types = element_types();
  const auto known = code.empty() ? types.end() : std::ranges::find(types, code, &ElementTraits::npy);
  refuse_if(order == ">", " (big-endian)");
  refuse_if(order == "|" && code.starts_with("O"), " (pickled Python objects)");
  refuse_if(order == "|" && code == "b1", " (booleans)");
  const bool one_byte = known != types.end() && known->bytes == 1;
  refuse_if(known == types.end() || !(order == "<" || (order == "|" && one_byte)), "");
  return {known->type};
}

/// The elements with the last index fastest, of those with the first one fastest.
std::vector<std::byte> in_c_order(std::span<const std::byte> data, const Shape& shape, std::size_t width) {
  std::vector<std::byte> result(data.size());
  std::vector<std::size_t> strides(shape.size(), width);  // in the file
  for (std::size_t i = 1; i < shape.size(); ++i) {
    strides[i] = strides[i - 1] * shape[i - 1];
  }
  std::vector<std::size_t> index(shape.size());
  std::size_t from = 0;
  for (std::size_t to = 0; to < data.size(); to += width) {
    std::ranges::copy(data.subspan(from, width), result.begin() + static_cast<std::ptrdiff_t>(to));
    for (std::size_t i = shape.size(); i-- > 0;) {
      from += strides[i];
      if (++index[i] < shape[i]) {
        break;
      }
      from -= index[i] * strides[i];
      index[i] = 0;
    }
  }
  return result;
}

std::string take_header(ByteReader& bytes, const std::string& source) {
  refuse_if(bytes.text(magic.size(), magic.size(), "the name of the format") != magic,
            "{}: found other first bytes, expected those of a .npy file, \\x93NUMPY", source);
  const auto major = bytes.number<std::uint8_t>("the version");
  const auto minor = bytes.number<std::uint8_t>("the version");
  refuse_if(major < 1 || major > 3 || minor != 0, "{}: found .npy version {}.{}, expected 1.0, 2.0 or 3.0",
            source, major, minor);
  const auto length = major == 1 ? bytes.number<std::uint16_t>("the header's length")
                                 : bytes.number<std::uint32_t>("the header's length");
  return bytes.text(length, longest_npy_header, "the header");
}

}  // namespace

Tensor parse_npy(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                 const std::string& source) {
  ByteReader bytes(file, source);
  const auto text = take_header(bytes, source);
  const auto header = HeaderParser(text, source).parse();
  const auto element = element_of(header.descr, source);
  refuse_if(std::ranges::find(header.shape, std::size_t{0}) != header.shape.end(),
            "{}: found the shape {}, expected at least one element", source, to_string(header.shape));
  const auto data = bytes.take(bytes.left(), "the data");
  auto shape = header.shape;
  if (element.numbers > 1) {
    shape.push_back(element.numbers);
  }
  const auto expected = size_in_bytes(element.type, shape);
  refuse_if(expected != data.size(), "{}: found {} bytes of data, expected {} for {} of shape {}", source,
            data.size(), expected ? std::to_string(*expected) : "more than any file holds",
            traits(element.type).name, to_string(shape));
  if (header.fortran_order && header.shape.size() > 1) {
    return {element.type, std::move(shape), in_c_order(data, header.shape, element.bytes())};
  }
  return {element.type, std::move(shape), data, std::move(owner)};
}

Tensor read_npy(const std::filesystem::path& file) {
  const auto mapped = std::make_shared<const MappedFile>(file);
  return parse_npy(mapped->bytes(), mapped, file.string());
}

std::string npy_preamble(ElementType type, const Shape& shape) {
  constexpr std::size_t alignment = 64;
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': (", descr_of(type));
  for (const auto dimension : shape) {
    header += fmt::format("{}, ", dimension);
  }
  header += "), }";
  // The header ends in a newline, and the name, the version and the header's length come before it.
  const auto others = magic.size() + 5;
  header.append((alignment - (others + header.size()) % alignment) % alignment, ' ');
  header += '\n';
  assert(header.size() <= 0xffff);
  return std::string(magic) + std::string("\x01\x00", 2) + static_cast<char>(header.size() & 0xff) +
         static_cast<char>(header.size() >> 8) + header;
}

}  // namespace vernier
