// Values that are others at the right positions: another spec, columns in another order, factors, formats.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/values/value_model.hpp"
#include "numerics/diagnosis/spec_patch.hpp"

namespace vernier {
namespace {

ValueEdits with_spec(const ValueSubject& subject, std::string sentence, double bits, OrderedJson patch) {
  const auto other = patched(subject.encoding, patch);
  if (other == nullptr) {
    return {};
  }
  const auto tables = other->all<ExactTable>();
  if (tables.empty() || tables.front().columns != subject.columns()) {
    return {};
  }
  return {{{nullptr, std::move(sentence), std::move(patch)},
           bits,
           value_order::table,
           [table = tables.front()](ValueModel& model) { model.table = table; }}};
}

/// Kernels and corners of resampled tables.
ValueEdits other_kernels(const ValueSubject& subject) {
  ValueEdits edits;
  const auto spec = subject.encoding.spec();
  const auto add = [&](std::string_view key, const OrderedJson& value, std::string sentence,
                       OrderedJson more = OrderedJson::array()) {
    const auto declared = spec.find(key);
    if (declared != spec.end() && *declared != value) {
      auto patch = replacement(key, value);
      std::ranges::move(more, std::back_inserter(patch));
      std::ranges::move(with_spec(subject, std::move(sentence), flag_bits, std::move(patch)),
                        std::back_inserter(edits));
    }
  };
  const auto a_of = [&](double a) { return spec.contains("a") ? replacement("a", a) : OrderedJson::array(); };
  if (subject.is("resampled")) {
    add("align_corners", true, "the first and the last place stay where they are");
    add("align_corners", false, "places are the middles of their cells");
    add("a", -0.5, "the cubic kernel has a = -0.5");
    add("a", -0.75, "the cubic kernel has a = -0.75");
    add("antialias", true, "the kernel is as wide as a step", a_of(-0.5));
    add("antialias", false, "the kernel is as wide as a place", a_of(-0.75));
  }
  return edits;
}

ValueEdits other_flags(const ValueSubject& subject) {
  const auto spec = subject.encoding.spec();
  ValueEdits edits;
  const auto add = [&](std::string_view key, const OrderedJson& value, std::string sentence, double bits) {
    const auto declared = spec.find(key);
    if (declared != spec.end() && *declared != value) {
      std::ranges::move(with_spec(subject, std::move(sentence), bits, replacement(key, value)),
                        std::back_inserter(edits));
    }
  };
  if (subject.is("binary")) {
    add("bit_order", "least_significant_first", "the least significant digit comes first", flag_bits - 0.5);
    add("bit_order", "most_significant_first", "the most significant digit comes first", flag_bits - 0.5);
  } else if (subject.is("normalised")) {
    add("reading", "zero_to_one", "values are t/(L - 1)", flag_bits);
    add("reading", "zero_to_below_one", "values are t/L", flag_bits);
    add("reading", "above_zero_to_one", "values are (t + 1)/L", flag_bits);
  } else if (subject.is("integer_index")) {
    for (const int first : {0, 1}) {
      add("first_index", first, fmt::format("indices are counted from {}", first), flag_bits);
    }
  } else if (subject.is("query_scale")) {
    for (const int offset : {0, 1}) {
      add("position_offset", offset, fmt::format("{} is added to positions", offset == 0 ? "nothing" : "1"),
          flag_bits);
    }
  } else if (subject.is("position_ids")) {
    constexpr std::string_view behind = "the segment behind an image or a video starts";
    add("next_start", "after_greatest", fmt::format("{} one beyond its greatest position", behind),
        flag_bits);
    add("next_start", "after_grid", fmt::format("{} beyond its rows or columns, whatever its frames", behind),
        flag_bits);
    add("next_start", "at_greatest", fmt::format("{} at its greatest position, not one beyond it", behind),
        flag_bits);
    if (spec.contains("frames")) {
      auto patch = replacement("frames", "at_once");
      patch.push_back(replacement("next_start", "after_grid").front());
      std::ranges::move(
          with_spec(subject,
                    "all frames have one time and change faster than rows do, as in transformers 5.3",
                    variant_bits, std::move(patch)),
          std::back_inserter(edits));
    }
    add("temporal_rounding", "product", "steps of time are cut off when they are complete", flag_bits);
    add("temporal_rounding", "interval", "the seconds between frames are cut off before they are multiplied",
        flag_bits);
    add("temporal_rounding", "nearest", "steps of time are rounded to the nearest integer", flag_bits);
    add("centre", "rounded_up", "half an odd number of rows is rounded up", flag_bits);
    add("centre", "rounded_down", "half an odd number of rows is rounded down", flag_bits);
    add("centre", "none", "rows and columns count from the corner, not from the middle", flag_bits);
  }
  return edits;
}

/// The last row in which a number shows the length, or the divisor.
double last_value(const ValueSubject& subject) {
  return subject.at(subject.rows() - 1, 0);
}

ValueEdits other_parameters(const ValueSubject& subject) {
  auto spec = subject.encoding.spec();
  ValueEdits edits;
  const auto add = [&](std::string_view key, const OrderedJson& value, double bits) {
    const auto& declared = spec.at(std::string(key));
    if (declared != value) {
      std::ranges::move(
          with_spec(subject, fmt::format("{} is {}, not {}", key, value.dump(), declared.dump()), bits,
                    replacement(key, value)),
          std::back_inserter(edits));
    }
  };
  const auto position = static_cast<double>(subject.positions.back());
  if (subject.is("normalised")) {
    const auto declared = spec.at("length").get<std::int64_t>();
    std::vector<std::int64_t> lengths{declared + 1, declared - 1};
    for (const double units : {position, position + 1}) {
      const double length = units / last_value(subject);
      if (std::isfinite(length) && std::fabs(length) < 0x1p31) {
        lengths.insert(lengths.end(), {std::llround(length), std::llround(length) + 1});
      }
    }
    std::ranges::sort(lengths);
    lengths.erase(std::ranges::unique(lengths).begin(), lengths.end());
    for (const auto length : lengths) {
      if (length >= 1) {
        add("length", length,
            std::abs(length - declared) == 1 ? variant_bits : std::min(14.0, integer_bits(length)));
      }
    }
  } else if (subject.is("transformer_xl")) {
    for (std::int64_t length = 1; length <= 1 << 20; length *= 2) {
      add("clamp_len", length, listed_bits);
    }
  } else if (subject.is("log_coordinates")) {
    const auto window = spec.at("window");
    spec["pretrained_window"] = spec.value("pretrained_window", window);
    add("pretrained_window", window, flag_bits);
    for (const int side : {6, 7, 8, 12, 16, 24}) {  // those of Swin's published models
      if (const OrderedJson square{side, side}; square != window) {
        add("pretrained_window", square, variant_bits);
      }
    }
  }
  for (const auto* length : {"floor_scale", "training_length"}) {
    for (std::int64_t usual = 1024; spec.contains(length) && usual <= 1 << 20; usual *= 2) {
      add(length, usual, listed_bits);
    }
  }
  if (spec.contains("tokens_per_second")) {
    for (const int tokens : {0, 1, 2, 4, 25, 50}) {
      add("tokens_per_second", tokens, variant_bits);
    }
  }
  if (spec.contains("divisor")) {
    for (const int divisor : {1, 2, 4, 8, 10, 16, 32, 50, 64, 100, 128, 256, 512, 1000, 1024, 10000}) {
      add("divisor", divisor, variant_bits);
    }
  }
  if (spec.contains("base")) {
    for (const int base : {100, 1000, 10000, 50000, 100000, 500000, 1000000}) {
      add("base", base, listed_bits);
    }
  }
  return edits;
}

ValueEdits column_orders(const ValueSubject& subject) {
  const auto count = subject.columns();
  ValueEdits edits;
  if (count < 2) {
    return edits;
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  const auto add = [&](std::string sentence, double bits, const std::vector<std::size_t>& source) {
    edits.push_back({{nullptr, std::move(sentence)}, bits, value_order::columns, [source](ValueModel& model) {
                       reorder_columns(model, source);
                     }});
  };
  add("columns are in reverse order", flag_bits, {order.rbegin(), order.rend()});
  auto moved = order;
  std::ranges::rotate(moved, moved.begin() + 1);
  add("columns are moved by one to the left", variant_bits, moved);
  moved = order;
  std::ranges::rotate(moved, moved.end() - 1);
  add("columns are moved by one to the right", variant_bits, moved);
  for (std::size_t a = 0; subject.is("position_ids") && a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      moved = order;
      std::swap(moved[a], moved[b]);
      add(fmt::format("columns {} and {} are exchanged", a, b), flag_bits, moved);
    }
  }
  if (count % 2 == 0 && count > 2) {
    moved = order;
    std::ranges::rotate(moved, moved.begin() + static_cast<std::ptrdiff_t>(count / 2));
    add("the halves of the columns are exchanged", variant_bits, moved);
    for (std::size_t i = 0; i < count; ++i) {
      moved[i] = i ^ 1;
    }
    add("neighbouring columns are exchanged", variant_bits, moved);
    for (std::size_t i = 0; i < count; ++i) {
      moved[i] = i < count / 2 ? 2 * i : 2 * (i - count / 2) + 1;
    }
    add("columns are laid out in halves, not interleaved", variant_bits, moved);
    for (std::size_t i = 0; i < count; ++i) {
      moved[i] = i % 2 == 0 ? i / 2 : count / 2 + i / 2;
    }
    add("columns are interleaved, not laid out in halves", variant_bits, moved);
  }
  return edits;
}

ValueEdit with_factor(std::string sentence, double bits, double factor) {
  return {{nullptr, std::move(sentence)}, bits, value_order::amplitude, [factor](ValueModel& model) {
            map_factors(model, [exact = exact_rational(factor)](const Rational& value) {
              return Rational(value * exact);
            });
            // A product is rounded, what is read is not.
            if (factor != -1) {
              model.table.making = ExactTable::Making::quotient;
            }
          }};
}

ValueEdits value_factors(const ValueSubject& subject) {
  constexpr int most_digits = 7;
  constexpr double least_difference = 1e-6;
  const double root = std::sqrt(static_cast<double>(subject.columns()));
  ValueEdits edits;
  if (subject.columns() > 1) {
    edits.push_back(
        with_factor("every value is multiplied by the root of the number of columns", variant_bits, root));
    edits.push_back(
        with_factor("every value is divided by the root of the number of columns", variant_bits, 1 / root));
  }
  if (subject.is("log_coordinates")) {
    edits.push_back(with_factor("logarithms are natural, and divided by 3", variant_bits, std::numbers::ln2));
    edits.push_back(with_factor("logarithms are of base 2, and divided by the natural one of 8", variant_bits,
                                std::numbers::log2e));
  }
  const auto declared = subject.declared();
  double products = 0;
  double squares = 0;
  const auto step = 1 + subject.rows() / 64;
  for (std::size_t row = 0; row < subject.rows(); row += step) {
    for (std::size_t column = 0; column < subject.columns(); ++column) {
      const double truth = declared.estimate(row, column);
      const double got = subject.at(row, column);
      if (std::isfinite(got)) {
        products += truth * got;
        squares += truth * truth;
      }
    }
  }
  const double found = products / squares;
  if (std::isfinite(found) && std::fabs(found) > least_difference &&
      std::fabs(std::fabs(found) - 1) > least_difference) {
    for (const auto& decimal : short_decimals(found, most_digits)) {
      edits.push_back(with_factor(fmt::format("every value is multiplied by {}", decimal.text),
                                  decimal_bits(decimal.digits), decimal.value));
    }
  }
  return edits;
}

ValueEdits value_signs(const ValueSubject&) {
  return {with_factor("every value has the other sign", flag_bits, -1)};
}

ValueEdits two_valued(const ValueSubject& subject) {
  ValueEdits edits;
  if (subject.is("binary") || subject.is("one_hot")) {
    const auto add = [&](std::string sentence, std::function<Rational(const Rational&)> map) {
      edits.push_back({{nullptr, std::move(sentence)},
                       flag_bits + 1,
                       value_order::amplitude,
                       [map = std::move(map)](ValueModel& model) { map_factors(model, map); }});
    };
    add("zeros and ones are exchanged", [](const Rational& value) { return Rational(1 - value); });
    add("digits are -1 and 1, not 0 and 1", [](const Rational& value) { return Rational(2 * value - 1); });
  }
  return edits;
}

ValueEdits value_formats(const ValueSubject& subject) {
  ValueEdits edits;
  for (const auto format : {Format::binary32, Format::binary16, Format::bfloat16}) {
    if (traits(format).precision < traits(subject.tensor.stored()).precision) {
      edits.push_back({{nullptr, fmt::format("values are rounded to {}", traits(format).name)},
                       variant_bits,
                       value_order::storage,
                       [format](ValueModel& model) { model.format = format; }});
    }
  }
  return edits;
}

/// What is left of a value that is cut off at the last place of a format.
Rational cut_off(Format format, const Rational& value) {
  const double near = approximately(value);
  const double rounded = round_to(format, near);
  if (!std::isfinite(rounded)) {
    return value;
  }
  const bool is_beyond = abs(exact_rational(rounded)) > abs(value);
  return exact_rational(!is_beyond    ? rounded
                        : rounded > 0 ? next_down(format, rounded)
                                      : next_up(format, rounded));
}

ValueEdits truncations(const ValueSubject& subject) {
  ValueEdits edits;
  const auto add = [&](std::string sentence, std::function<Rational(const Rational&)> map) {
    edits.push_back({{nullptr, std::move(sentence)},
                     variant_bits,
                     value_order::storage,
                     [map = std::move(map)](ValueModel& model) {
                       map_factors(model, map);
                       model.table.making = ExactTable::Making::lookup;
                     }});
  };
  if (!subject.tensor.table.is_rational()) {
    return edits;
  }
  for (const auto format : {Format::binary32, Format::binary16, Format::bfloat16}) {
    if (traits(format).precision <= traits(subject.tensor.stored()).precision) {
      add(fmt::format("values are cut off to {}, not rounded", traits(format).name),
          [format](const Rational& value) { return cut_off(format, value); });
    }
  }
  add("values are cut off to whole numbers",
      [](const Rational& value) { return Rational(std::trunc(approximately(value))); });
  add("values are rounded to whole numbers",
      [](const Rational& value) { return Rational(std::nearbyint(approximately(value))); });
  return edits;
}

ValueEdits integer_wraps(const ValueSubject& subject) {
  ValueEdits edits;
  if (!subject.is("integer_index")) {
    return edits;
  }
  for (const int bits : {8, 16, 32}) {
    for (const bool is_signed : {true, false}) {
      edits.push_back(
          {{nullptr, fmt::format("values wrap at the ends of {}int{}", is_signed ? "" : "u", bits)},
           variant_bits,
           value_order::storage,
           [bits, is_signed](ValueModel& model) {
             map_factors(model, [bits, is_signed](const Rational& value) {
               const auto count = std::int64_t{1} << bits;
               const auto low = is_signed ? -count / 2 : 0;
               const auto whole = as_integer(value).value_or(0);
               return Rational(((whole - low) % count + count) % count + low);
             });
           }});
    }
  }
  return edits;
}

constexpr std::array<ValueFault, 10> value_faults{{{"mapping/reading", other_flags},
                                                   {"mapping/reading", other_kernels},
                                                   {"mapping/parameter", other_parameters},
                                                   {"mapping/columns", column_orders},
                                                   {"amplitude/factor", value_factors},
                                                   {"direction/value-sign", value_signs},
                                                   {"amplitude/digits", two_valued},
                                                   {"storage/format", value_formats},
                                                   {"storage/truncated", truncations},
                                                   {"storage/wrapped", integer_wraps}}};

constexpr std::string_view other_rows = "Tokens get what was trained for other positions.";

constexpr std::array<std::string_view, 3> offset_bugs{"sentence-transformers #3879", "ANEForge #257",
                                                      "huggingface/transformers #36537"};

constexpr std::array<FaultKind, 7> own_kinds{{
    {"mapping/reading", Stage::mapping, "another reading of the scheme", other_rows,
     "If it is intended, declare it in the spec."},
    {"mapping/parameter", Stage::mapping, "another parameter", other_rows,
     "If it is intended, declare it in the spec."},
    {"direction/value-sign", Stage::direction, "values of the other sign",
     "Every embedding points the other way.", "Look at where values are subtracted."},
    {"amplitude/digits", Stage::amplitude, "other digits", "Embeddings have another length and another mean.",
     "Look at what zeros and ones are made of."},
    {"mapping/gray-code", Stage::mapping, "another code of the position", other_rows,
     "Look at how digits are taken."},
    {"mapping/columns", Stage::mapping, "columns in another order", "Features change places.",
     "Look at the order of columns, and at transposed copies."},
    {"storage/wrapped", Stage::storage, "values in a narrow integer type", "Far positions repeat near ones.",
     "Store indices as integers of 32 bits."},
}};

FaultKinds pointers_to(std::span<const FaultKind> kinds) {
  FaultKinds pointers;
  for (const auto& kind : kinds) {
    pointers.push_back(&kind);
  }
  return pointers;
}

}  // namespace

FaultKinds value_kinds() {
  return pointers_to(own_kinds);
}

ValueEdits value_edits(const ValueSubject& subject) {
  ValueEdits edits;
  for (const auto& fault : value_faults) {
    for (auto& edit : fault.propose(subject)) {
      edit.finding.kind = fault_kind_named(fault.kind);
      edits.push_back(std::move(edit));
    }
  }
  return edits;
}

}  // namespace vernier
