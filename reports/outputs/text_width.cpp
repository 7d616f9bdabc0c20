#include "reports/outputs/text_width.hpp"

#include <array>
#include <cstddef>

namespace vernier {
namespace {

constexpr char first_listed = ' ';

/// Of an em, in thousandths, from the space to the tilde (Adobe's Helvetica.afm).
constexpr std::array<int, 95> advances{
    278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,  // space to /
    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,  // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,  // @ to O
    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,  // P to _
    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,  // ` to o
    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};      // p to ~

constexpr int em = 1000;

/// Whether a byte of UTF-8 begins no character.
bool continues(unsigned char byte) {
  return (byte & 0xc0U) == 0x80;
}

}  // namespace

double text_width(std::string_view text) {
  int width = 0;
  for (const char byte : text) {
    const auto place = static_cast<std::size_t>(static_cast<unsigned char>(byte)) - first_listed;
    width += place < advances.size() ? advances[place] : continues(static_cast<unsigned char>(byte)) ? 0 : em;
  }
  return static_cast<double>(width) / em;
}

}  // namespace vernier
