#include "reports/html/charts/bits_chart.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/core.h>

#include "reports/html/charts/svg/axes.hpp"
#include "reports/html/charts/svg/labels.hpp"
#include "reports/html/charts/svg/scale.hpp"

namespace vernier {
namespace {

constexpr double left_of_bits = 76;
constexpr double above_bits = 24;
constexpr double row_height = 24;

/// A part of an encoding, from its first bit on the left up to the next part.
struct Field {
  std::string_view name;
  int first;
  int last;
};

std::array<Field, 3> fields_of(Format format) {
  const int fraction = traits(format).bits - traits(format).precision + 1;
  return {{{"sign", 0, 1}, {"exponent", 1, fraction}, {"fraction", fraction, traits(format).bits}}};
}

std::string_view field_at(Format format, int place) {
  const auto fields = fields_of(format);
  return std::ranges::find_if(fields, [&](const Field& field) { return place < field.last; })->name;
}

bool bit_at(Format format, std::uint64_t bits, int place) {
  return (bits >> (traits(format).bits - 1 - place) & 1U) != 0;
}

std::string draw_bits(const BitsChart& chart, std::uint64_t expected, std::uint64_t got) {
  const int count = traits(chart.format).bits;
  constexpr double right = drawing_width - 2;
  const double cell = std::min(row_height, (right - left_of_bits) / count);
  const DrawnBox plot{left_of_bits, above_bits, left_of_bits + cell * count, above_bits + 2 * row_height};
  const Scale x(AxisScale::linear, 0, count, plot.left, plot.right);
  const Scale y(AxisScale::linear, 0, 2, plot.bottom, plot.top);
  Drawing drawing;
  const double gap = std::min(1.0, cell / 8);
  const auto draw_row = [&](std::string_view name, std::uint64_t bits, double top) {
    drawing.text(0, top + row_height / 2, TextAnchor::start, name);
    for (int place = 0; place < count; ++place) {
      const DrawnBox box{x.place(place) + gap, top + 1, x.place(place + 1) - gap, top + row_height - 1};
      drawing.rectangle(box, bit_at(chart.format, bits, place) ? "mark bit one" : "mark bit");
    }
  };
  draw_row("expected", expected, plot.top);
  draw_row("got", got, plot.top + row_height);
  for (const auto& field : fields_of(chart.format)) {
    const bool is_sign = field.first == 0;
    const double at = is_sign ? x.place(1) - 4 : (x.place(field.first) + x.place(field.last)) / 2;
    const bool fits = text_width(field.name, Drawing::letters) < x.place(field.last) - x.place(field.first);
    if (is_sign || fits) {
      drawing.text(at, plot.top - Drawing::line_spacing / 2 - 3,
                   is_sign ? TextAnchor::end : TextAnchor::middle, field.name, "axis-title");
    }
    if (!is_sign) {
      drawing.line(x.place(field.first), plot.top - above_bits + 6, x.place(field.first), plot.bottom + 4,
                   "border");
    }
  }
  for (int place = 0; place < count; ++place) {
    if (bit_at(chart.format, expected ^ got, place)) {
      const double middle = x.place(place + 0.5);
      const double half = std::min(cell / 2 - 1, 5.0);
      drawing.path(moved_to(middle, plot.bottom + 3) + lined_to(middle - half, plot.bottom + 11) +
                       lined_to(middle + half, plot.bottom + 11) + "Z",
                   "bad");
    }
  }
  return drawing.finish(drawing_width, plot.bottom + 14, "picture cells", caption_id(chart.id),
                        cell_attributes(x, y, {"bit", "value", "is"}));
}

DataTable table_of(const BitsChart& chart, std::uint64_t expected, std::uint64_t got) {
  const int count = traits(chart.format).bits;
  DataTable table{chart.title, {{"Value"}}, {{"got"}, {"expected"}}};
  for (int place = 0; place < count; ++place) {
    table.columns.push_back({fmt::format("{}, {}", count - 1 - place, field_at(chart.format, place)), true});
    table.rows[0].emplace_back(bit_at(chart.format, got, place) ? "1" : "0");
    table.rows[1].emplace_back(bit_at(chart.format, expected, place) ? "1" : "0");
  }
  return table;
}

}  // namespace

Figure bits_chart(const BitsChart& chart) {
  const auto expected = encode_bits(chart.format, chart.expected);
  const auto got = encode_bits(chart.format, chart.got);
  return {chart, draw_bits(chart, expected, got), table_of(chart, expected, got), "The bits as a table"};
}

}  // namespace vernier
