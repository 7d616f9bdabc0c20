#include "reference/ladder/rounded_table.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <string>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include "reference/ladder/float_environment.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/real.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

static_assert(std::endian::native == std::endian::little,
              "elements are written as they lie in memory, which files have little-endian");

/// Elements of the scratch rows a kernel writes before they are laid out: few enough for the first-level
/// cache.
constexpr std::size_t most_scratch_elements = 2048;

Kernel kernel_for(const KernelSet& kernels, Format format) {
  switch (format) {
    case Format::binary64:
      return kernels.binary64;
    case Format::binary32:
      return kernels.binary32;
    case Format::binary16:
      return kernels.binary16;
    case Format::bfloat16:
      return kernels.bfloat16;
    case Format::float8_e4m3fn:
      return kernels.float8_e4m3fn;
    case Format::float8_e5m2:
      return kernels.float8_e5m2;
    case Format::float8_e4m3fnuz:
      return kernels.float8_e4m3fnuz;
    case Format::float8_e5m2fnuz:
      return kernels.float8_e5m2fnuz;
  }
  return nullptr;
}

/// Whether the kernel surely decided an element of a row of which it left some undecided: the same test with
/// the same operations. Saves the narrow formats, which leave one row in a hundred, most of settling it.
bool decided_by_kernel(Format format, double x, double bound) {
  if (format == Format::binary64) {
    return false;
  }
  const auto below = std::bit_cast<std::uint32_t>(static_cast<float>(x - bound));
  const auto above = std::bit_cast<std::uint32_t>(static_cast<float>(x + bound));
  const auto cut = 24 - traits(format).precision;
  const std::uint32_t midpoint = cut == 0 ? 1 : std::uint32_t{1} << (cut - 1);
  const bool at_midpoint = (below & ((std::uint32_t{1} << cut) - 1)) == midpoint;
  const bool normal = std::fabs(x) - bound > 2 * traits(format).smallest_normal() &&
                      std::fabs(x) < traits(format).largest() / 2;
  return below == above && !at_midpoint && normal;
}

/// The stored element of a value of its format.
template <class Element>
Element stored(Format format, double value) {
  if constexpr (std::is_integral_v<Element>) {
    return static_cast<Element>(encode_bits(format, value));
  } else {
    return static_cast<Element>(value);
  }
}

template <class Element>
bool is_finite(Format format, Element element) {
  if constexpr (std::is_integral_v<Element>) {
    return std::isfinite(decode_bits(format, element));
  } else {
    return std::isfinite(element);
  }
}

}  // namespace

StageCounts& StageCounts::operator+=(const StageCounts& other) {
  values += other.values;
  stage_two += other.stage_two;
  stage_three += other.stage_three;
  return *this;
}

RoundedTable::RoundedTable(TrigTable table, const PositionRange& positions, Format format,
                           LadderOptions options)
    : table_(std::move(table)),
      positions_(positions),
      format_(format),
      options_(options),
      kernels_(options.kernels != nullptr ? options.kernels : &kernel_sets().back()),
      kernel_(kernel_for(*kernels_, format)),
      seeds_(table_.frequencies, table_.amplitude, positions),
      segments_(segments_of(table_)),
      has_sines_(has(Component::sine)),
      has_cosines_(has(Component::cosine)),
      can_overflow_(approximately(table_.amplitude) > traits(format).largest()) {
  assert(positions.step != 0 && positions.count >= 0);
}

std::vector<RoundedTable::Segment> RoundedTable::segments_of(const TrigTable& table) {
  std::vector<Segment> segments;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto& [pair, component] = table.columns[c];
    const auto first_pair = static_cast<std::size_t>(pair);
    // The segment this column continues: the same component, the next pair, and the same step if it has one
    // yet.
    const auto found = std::ranges::find_if(segments, [&](const Segment& segment) {
      const auto last_column = segment.first_column + (segment.length - 1) * segment.column_step;
      return component == segment.component && component != Component::zero &&
             first_pair == segment.first_pair + segment.length &&
             (segment.length == 1 || c - last_column == segment.column_step);
    });
    if (found == segments.end()) {
      segments.push_back({component, first_pair, c, 1, 1});
    } else {
      found->column_step = c - (found->first_column + (found->length - 1) * found->column_step);
      ++found->length;
    }
  }
  return segments;
}

double RoundedTable::resolve(const SumOfProducts& x, std::int64_t position, std::size_t pair,
                             Component component, StageCounts& counts) const {
  if (x.bounded && format_ != Format::binary64) {
    // The kernel's test, rounded straight to the format.
    const double sum = x.in_double();
    const double bound = stage_one_bound * options_.bound_scale * x.magnitude();
    const double below = round_to(format_, sum - bound);
    const double above = round_to(format_, sum + bound);
    if (below == above && std::signbit(below) == std::signbit(above)) {
      return below;
    }
  }
  ++counts.stage_two;
  if (x.bounded) {
    if (const auto decided = rounded(format_, x.enclosure(options_.bound_scale))) {
      return *decided;
    }
  }
  ++counts.stage_three;
  if (const auto decided =
          correctly_rounded(format_, table_.value(position, static_cast<int>(pair), component))) {
    return *decided;
  }
  throw InputError(table_.role + ": found the element of position " + std::to_string(position) + ", pair " +
                   std::to_string(pair) + " undecided at " + std::to_string(ziv_precision_cap) +
                   " bits, expected a number that is not halfway between two of " +
                   std::string(traits(format_).name));
}

template <class Element>
void RoundedTable::settle_overflow(std::int64_t position, std::span<Element> line) const {
  for (std::size_t column = 0; column < line.size(); ++column) {
    if (is_finite(format_, line[column])) {
      continue;
    }
    const double truth = tight_enclosure(table_.entry(position, column)).approximately();
    if (options_.overflow == Overflow::undeclared) {
      throw InputError(
          "{}: found {} at position {}, column {}, beyond {}, the greatest number of {}; expected a type "
          "that "
          "holds every element, or a declared overflow",
          table_.role, truth, table_.positions.text(position), column, traits(format_).largest(),
          traits(format_).name);
    }
    if (options_.overflow == Overflow::saturate) {
      line[column] = stored<Element>(format_, round_saturating(format_, truth));
    }
  }
}

template <class Element>
StageCounts RoundedTable::resolve_row(const CoarseRows& coarse, std::size_t coarse_row, std::size_t fine_row,
                                      std::int64_t position, Element* sine, Element* cosine) const {
  StageCounts counts;
  const auto planes = coarse.planes(coarse_row);
  for (std::size_t pair = 0; pair < seeds_.pairs(); ++pair) {
    const auto resolved = [&](const SumOfProducts& x, Component component) {
      return stored<Element>(format_, resolve(x, position, pair, component, counts));
    };
    const auto element = [&](Component component) {
      return sum_of_products(coarse, coarse_row, seeds_.fine(), fine_row, pair, component);
    };
    const auto sine_sum = element(Component::sine);
    const auto cosine_sum = element(Component::cosine);
    const double scale = stage_one_bound * options_.bound_scale;
    if (has_sines_ &&
        !decided_by_kernel(format_, sine_sum.in_double(), scale * planes.sine_magnitude[pair])) {
      sine[pair] = resolved(sine_sum, Component::sine);
    }
    if (has_cosines_ &&
        !decided_by_kernel(format_, cosine_sum.in_double(), scale * planes.cosine_magnitude[pair])) {
      cosine[pair] = resolved(cosine_sum, Component::cosine);
    }
  }
  return counts;
}

template <class Element>
StageCounts RoundedTable::write_chunk(std::int64_t chunk, std::int64_t first, std::int64_t last,
                                      std::span<std::byte> out, bool is_large) const {
  require_ieee_arithmetic();
  const auto columns = table_.columns.size();
  const auto width = seeds_.width();
  const auto fine_rows = static_cast<std::int64_t>(seeds_.fine_rows());
  const auto coarse = seeds_.coarse(chunk, kernels_->combine);
  auto* const table = reinterpret_cast<Element*>(out.data());

  // A component whose columns are one run of all pairs is written in place, others into scratch rows.
  const auto whole_run = [&](Component component) {
    return std::ranges::find_if(segments_, [&](const Segment& segment) {
      return segment.component == component && segment.length == width && segment.column_step == 1;
    });
  };
  const auto sine_run = whole_run(Component::sine);
  const auto cosine_run = whole_run(Component::cosine);
  const bool in_place = sine_run != segments_.end() && cosine_run != segments_.end();
  const auto rows_at_once = static_cast<std::int64_t>(
      in_place ? seeds_.fine_rows() : std::max<std::size_t>(most_scratch_elements / width, 1));
  std::vector<Element> scratch(in_place ? 0 : 2 * width * static_cast<std::size_t>(rows_at_once));
  std::vector<std::uint8_t> undecided(static_cast<std::size_t>(rows_at_once));

  const auto is_streamable = [&](const Segment& run) {
    return reinterpret_cast<std::uintptr_t>(table + run.first_column) % 16 == 0 && columns % 4 == 0;
  };
  const auto kernel = is_large && format_ == Format::binary32 && in_place && is_streamable(*sine_run) &&
                              is_streamable(*cosine_run)
                          ? kernels_->binary32_streamed
                          : kernel_;

  StageCounts counts;
  const std::int64_t chunk_first = chunk * seeds_.rows_per_chunk();
  for (std::int64_t row = std::max(first, chunk_first);
       row < std::min(last, chunk_first + seeds_.rows_per_chunk());) {
    const auto coarse_row = static_cast<std::size_t>((row - chunk_first) / fine_rows);
    const auto fine_row = static_cast<std::size_t>((row - chunk_first) % fine_rows);
    const auto limit = std::min(
        {last, chunk_first + static_cast<std::int64_t>(coarse_row + 1) * fine_rows, row + rows_at_once});
    const auto rows = static_cast<std::size_t>(limit - row);
    auto* const here = table + static_cast<std::size_t>(row - first) * columns;
    auto* const sine = in_place ? here + sine_run->first_column : scratch.data();
    auto* const cosine = in_place ? here + cosine_run->first_column : scratch.data() + scratch.size() / 2;
    const auto stride = in_place ? columns : width;
    kernel(coarse.planes(coarse_row), seeds_.fine().planes(fine_row), rows, width, options_.bound_scale,
           {sine, cosine, stride, undecided.data()});
    for (std::size_t r = 0; r < rows; ++r) {
      const auto position = positions_.at(row + static_cast<std::int64_t>(r));
      if (undecided[r] != 0) {
        counts +=
            resolve_row(coarse, coarse_row, fine_row + r, position, sine + r * stride, cosine + r * stride);
      }
      auto* const line = here + r * columns;
      if (position == table_.zero_position) {
        std::fill_n(line, columns, Element{});
        continue;
      }
      for (const auto& segment : segments_) {
        const bool is_sine = segment.component == Component::sine;
        if (in_place && (&segment == &*sine_run || &segment == &*cosine_run)) {
          continue;
        }
        const auto* from = (is_sine ? sine : cosine) + r * stride + segment.first_pair;
        auto* to = line + segment.first_column;
        if (segment.component == Component::zero) {
          *to = Element{};
        } else if (segment.column_step == 1) {
          std::copy_n(from, segment.length, to);
        } else {
          for (std::size_t i = 0; i < segment.length; ++i) {
            to[i * segment.column_step] = from[i];
          }
        }
      }
      if (can_overflow_) {
        settle_overflow(position, std::span(line, columns));
      }
    }
    counts.values += 2 * seeds_.pairs() * rows;
    row = limit;
  }
  return counts;
}

StageCounts RoundedTable::write(std::int64_t first, std::int64_t last, std::span<std::byte> out) const {
  assert(first >= 0 && first <= last && last <= rows());
  assert(out.size() == static_cast<std::size_t>(last - first) * row_bytes());
  if (first == last) {
    return {};
  }
  const bool is_large = out.size() >= options_.streamed_bytes;
  const auto write_one = [&](std::int64_t chunk) {
    const auto begin = std::max(first, chunk * rows_per_block());
    const auto end = std::min(last, (chunk + 1) * rows_per_block());
    const auto part = out.subspan(static_cast<std::size_t>(begin - first) * row_bytes(),
                                  static_cast<std::size_t>(end - begin) * row_bytes());
    switch (format_) {
      case Format::binary64:
        return write_chunk<double>(chunk, begin, end, part, is_large);
      case Format::binary32:
        return write_chunk<float>(chunk, begin, end, part, is_large);
      case Format::binary16:
      case Format::bfloat16:
        return write_chunk<std::uint16_t>(chunk, begin, end, part, is_large);
      default:
        return write_chunk<std::uint8_t>(chunk, begin, end, part, is_large);
    }
  };
  const auto first_chunk = first / rows_per_block();
  const auto last_chunk = (last - 1) / rows_per_block() + 1;
  if (options_.threads <= 1) {
    StageCounts counts;
    for (auto chunk = first_chunk; chunk < last_chunk; ++chunk) {
      counts += write_one(chunk);
    }
    return counts;
  }
  return with_threads(options_.threads, [&] {
    return oneapi::tbb::parallel_reduce(
        oneapi::tbb::blocked_range<std::int64_t>(first_chunk, last_chunk, 1), StageCounts{},
        [&](const auto& range, StageCounts counts) {
          for (auto chunk = range.begin(); chunk != range.end(); ++chunk) {
            counts += write_one(chunk);
          }
          return counts;
        },
        [](StageCounts a, const StageCounts& b) { return a += b; });
  });
}

}  // namespace vernier
