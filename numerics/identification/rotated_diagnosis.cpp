#include "numerics/identification/rotated_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "numerics/identification/spec_edits.hpp"
#include "reference/schemes/rope.hpp"

namespace vernier {
namespace {

constexpr double least_conclusive_share = 0.2;
constexpr std::size_t screened_rows = 16;

using Layout = RopeSpec::Layout;

/// The rotation and the positions as an edited spec would have them.
struct Hypothesis {
  std::string edit;
  HeadRotation rotation;
  std::vector<std::int64_t> positions;
};

using Proposals = std::vector<Hypothesis>;

Hypothesis declared(const RotatedTensor& seen, std::string edit) {
  return {std::move(edit), seen.rotation, seen.positions};
}

std::size_t pairs_of(const HeadRotation& rotation) {
  return rotation.pairs.size();
}

/// That of the pairs. \pre more than one pair: of one, both layouts are the same
Layout layout_of(const HeadRotation& rotation) {
  return rotation.pairs.front().second == 1 ? Layout::interleaved : Layout::half;
}

Layout other(Layout layout) {
  return layout == Layout::half ? Layout::interleaved : Layout::half;
}

/// The two dimensions of a pair among `pairs`.
std::array<std::size_t, 2> dimensions(Layout layout, std::size_t pair, std::size_t pairs) {
  return layout == Layout::half ? std::array{pair, pair + pairs} : std::array{2 * pair, 2 * pair + 1};
}

/// The pair whose column of a duplicated table a dimension takes.
int column_pair(Layout layout, std::size_t dimension, std::size_t pairs) {
  return static_cast<int>(layout == Layout::half ? dimension % pairs : dimension / 2);
}

/// Where pairs are read, where their results are written, and how the columns of the table lie.
struct Layouts {
  Layout read;
  Layout written;
  Layout table;
};

/// The sine's sign in the first component of a pair: -1 turns counterclockwise.
int sign_of_first(const HeadRotation& rotation) {
  return rotation.rotated.front().sign;
}

std::vector<RotatedDimension> rotated_dimensions(const Layouts& layouts, std::size_t pairs, int sign) {
  std::vector<RotatedDimension> result;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto in = dimensions(layouts.read, pair, pairs);
    const auto out = dimensions(layouts.written, pair, pairs);
    for (const std::size_t second : {0, 1}) {
      result.push_back({out[second], in[second], in[1 - second], second == 0 ? sign : -sign,
                        column_pair(layouts.table, in[second], pairs)});
    }
  }
  return result;
}

std::string_view words(Layout layout) {
  return layout == Layout::half ? "half the width apart" : "interleaved";
}

void other_direction(const RotatedTensor& seen, Proposals& out) {
  auto edited =
      declared(seen, fmt::format("the rotation is {} (or, the same here, positions are negated)",
                                 sign_of_first(seen.rotation) < 0 ? "clockwise, not counterclockwise"
                                                                  : "counterclockwise, not clockwise"));
  for (auto& dimension : edited.rotation.rotated) {
    dimension.sign = -dimension.sign;
  }
  out.push_back(std::move(edited));
}

void other_layouts(const RotatedTensor& seen, Proposals& out) {
  const auto pairs = pairs_of(seen.rotation);
  if (pairs < 2) {
    return;
  }
  const auto own = layout_of(seen.rotation);
  const auto another = other(own);
  const int sign = sign_of_first(seen.rotation);
  const auto propose = [&](std::string edit, const Layouts& layouts, int with_sign) {
    auto edited = declared(seen, std::move(edit));
    edited.rotation.rotated = rotated_dimensions(layouts, pairs, with_sign);
    out.push_back(std::move(edited));
  };
  const std::string apart(words(another));
  const std::string here(words(own));
  propose(fmt::format("pairs are {}, not {}", apart, here), {another, another, another}, sign);
  propose(fmt::format("pairs are {}, not {}, and turn the other way", apart, here),
          {another, another, another}, -sign);
  propose(fmt::format("the columns of the table are {}, though the pairs are {}", apart, here),
          {own, own, another}, sign);
  propose(fmt::format("pairs are {}, though the columns of the table are {}", apart, here),
          {another, another, own}, sign);
  propose(fmt::format("the results of the pairs are written {}, though they are read {}", apart, here),
          {own, another, own}, sign);
  propose(fmt::format("pairs are read {}, though their results are written {}", apart, here),
          {another, own, another}, sign);
}

/// Another number of rotating dimensions, each with frequencies of its own; or as many, with exponents that
/// divide by the whole head.
void other_rotating_part(const RotatedTensor& seen, Proposals& out) {
  const auto* progression = seen.rotation.table.frequencies.geometric();
  const auto head_dim = seen.rotation.head_dim;
  const auto rotating = 2 * pairs_of(seen.rotation);
  if (progression == nullptr) {
    return;
  }
  const auto layout = pairs_of(seen.rotation) < 2 ? Layout::half : layout_of(seen.rotation);
  for (const auto part : std::set{head_dim, head_dim / 2, head_dim / 4}) {
    if (part == rotating || part < 2 || part % 2 != 0) {
      continue;
    }
    auto edited = declared(seen, fmt::format("{} of {} dimensions rotate, not {}", part, head_dim, rotating));
    edited.rotation.rotated =
        rotated_dimensions({layout, layout, layout}, part / 2, sign_of_first(seen.rotation));
    edited.rotation.table.columns.clear();
    for (int pair = 0; pair < static_cast<int>(part / 2); ++pair) {
      edited.rotation.table.columns.push_back({pair, Component::cosine});
    }
    edited.rotation.table.frequencies =
        GeometricFrequencies{progression->base, Rational(2, part), static_cast<int>(part / 2)};
    out.push_back(std::move(edited));
  }
  if (rotating < head_dim) {
    auto edited = declared(
        seen, fmt::format("the exponents divide by head_dim, {}, not by the {} dimensions that rotate",
                          head_dim, rotating));
    edited.rotation.table.frequencies =
        GeometricFrequencies{progression->base, Rational(2, head_dim), static_cast<int>(rotating / 2)};
    out.push_back(std::move(edited));
  }
}

void left_as_they_are(const RotatedTensor& seen, Proposals& out) {
  auto edited = declared(seen, "the vectors are not turned: as at position 0");
  std::ranges::fill(edited.positions, 0);
  out.push_back(std::move(edited));
}

/// By how much the rotated dimensions are larger than the input and the amplitude make them.
double factor_of(const RotatedTensor& seen) {
  constexpr std::size_t most_rows = 1024;
  std::vector<double> in(seen.head_dim());
  std::vector<double> out(seen.head_dim());
  double before = 0;
  double after = 0;
  for (std::size_t r = 0; r < seen.rows(); r += 1 + seen.rows() / most_rows) {
    seen.input.numbers(r * in.size(), in);
    seen.rotated.numbers(r * out.size(), out);
    for (const auto& dimension : seen.rotation.rotated) {
      before += in[dimension.own] * in[dimension.own];
      after += out[dimension.out] * out[dimension.out];
    }
  }
  return std::sqrt(after / before) / approximately(seen.rotation.table.amplitude);
}

/// The readings of the spec that rotations share with tables.
void other_spec_readings(const RotatedTensor& seen, Proposals& out) {
  const SpecReading as_declared{"", seen.rotation.table.frequencies, seen.rotation.table.amplitude,
                                seen.positions};
  auto readings = other_readings(as_declared);
  if (auto multiplied = reading_with_factor(as_declared, factor_of(seen))) {
    readings.push_back(*std::move(multiplied));
  }
  for (auto& reading : readings) {
    auto edited = declared(seen, std::move(reading.edit));
    edited.rotation.table.frequencies = std::move(reading.frequencies);
    edited.rotation.table.amplitude = std::move(reading.amplitude);
    edited.positions = std::move(reading.positions);
    out.push_back(std::move(edited));
  }
}

/// The edits, the likeliest first. A new one is one function and one line.
constexpr std::array edits{other_layouts, other_direction, left_as_they_are, other_spec_readings,
                           other_rotating_part};

/// These rows of a tensor. \param chosen ascending
Tensor rows_of(const Tensor& tensor, std::span<const std::size_t> chosen) {
  const auto width = tensor.bytes().size() / tensor.shape().front();
  std::vector<std::byte> bytes;
  for (const auto row : chosen) {
    const auto from = tensor.bytes().subspan(row * width, width);
    bytes.insert(bytes.end(), from.begin(), from.end());
  }
  return {tensor.type(), {chosen.size(), tensor.shape().back()}, std::move(bytes)};
}

/// The tensor as a hypothesis has it.
RotatedTensor under(const RotatedTensor& seen, const Hypothesis& hypothesis) {
  auto result = seen;
  result.rotation = hypothesis.rotation;
  result.rotation.pairs.clear();  // norms decide nothing here
  result.positions = hypothesis.positions;
  return result;
}

/// Some rows of a tensor.
RotatedTensor sample(const RotatedTensor& tensor, std::span<const std::size_t> chosen) {
  RotatedTensor result{tensor.rotation,
                       rows_of(tensor.input, chosen),
                       rows_of(tensor.rotated, chosen),
                       tensor.contract,
                       {},
                       {}};
  for (const auto row : chosen) {
    result.positions.push_back(tensor.positions[row]);
  }
  return result;
}

/// Rows spread evenly over all. \param most how many
std::vector<std::size_t> evenly_spread_rows(std::size_t rows, std::size_t most) {
  const auto count = std::min(rows, most);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(count == 1 ? 0 : i * (rows - 1) / (count - 1));
  }
  return result;
}

bool agrees(const RotatedReport& report) {
  return report.elements.failing == 0 && report.changed.count == 0;
}

}  // namespace

std::vector<SpecEdit> diagnose_rotated(const RotatedTensor& tensor, unsigned threads) {
  if (!tensor.positions_by_axis.empty() || tensor.rotation.scale) {
    return {};
  }
  Proposals proposals;
  for (const auto propose : edits) {
    propose(tensor, proposals);
  }
  const auto few = evenly_spread_rows(tensor.rows(), screened_rows);
  std::vector<SpecEdit> findings;
  for (const auto& hypothesis : proposals) {
    const auto supposed = under(tensor, hypothesis);
    if (!agrees(audit_rotated(sample(supposed, few)))) {
      continue;
    }
    const auto report = audit_rotated(supposed, threads);
    const double conclusive =
        static_cast<double>(report.elements.judged) / static_cast<double>(report.elements.elements);
    if (agrees(report) && conclusive > least_conclusive_share) {
      findings.push_back(
          {hypothesis.edit, report.elements.worst ? report.elements.worst->budget_ratio : 0, conclusive});
    }
  }
  return findings;
}

}  // namespace vernier
