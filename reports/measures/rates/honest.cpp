#include "reports/measures/rates/honest.hpp"

#include <algorithm>
#include <cmath>

#include "props/judging/specs.hpp"
#include "reference/schemes/logarithmic_buckets.hpp"
#include "reference/support/input_error.hpp"
#include "reports/measures/rates/fault.hpp"
#include "reports/measures/rates/specs.hpp"
#include "reports/measures/rates/ways.hpp"

namespace vernier::rates {
namespace {

/// Mostly between 64 and 4096, where an answer takes little time; some shorter, some as long as may be.
std::int64_t draw_length(Draw& draw, std::int64_t longest) {
  const double share = draw.share();
  if (share < 0.1) {
    return draw.between(8, 63);
  }
  const std::int64_t usual = std::min<std::int64_t>(4096, longest);
  return share < 0.9 ? draw.spread_integer(64, usual) : draw.spread_integer(usual, longest);
}

ElementType draw_type(Draw& draw) {
  return draw.one_of({ElementType::float32, ElementType::float32, ElementType::float32, ElementType::float64,
                      ElementType::float16, ElementType::bfloat16});
}

PositionRange draw_positions(const Encoding& encoding, std::int64_t length) {
  if (encoding.has<BucketTable>()) {
    return {-length / 2, 1, length};
  }
  auto positions = encoding.default_positions(length);
  // Frequencies that belong to a length have no positions beyond it.
  positions.count = std::min(positions.count, encoding.sequence_length().value_or(length));
  for (const auto& table : encoding.all<ExactTable>()) {
    if (table.last_position) {
      positions.count = std::min(positions.count, *table.last_position - positions.first + 1);
    }
  }
  return positions;
}

void choose_buckets(Draw& draw, Design& design) {
  const auto& encoding = *design.encoding;
  const auto tables = encoding.all<BucketTable>();
  if (tables.empty()) {
    return;
  }
  const bool is_t5 = encoding.scheme() == "t5_bucket";
  if ((!is_t5 && encoding.scheme() != "deberta_bucket") || draw.chance(0.3)) {
    design.words.push_back("integers");
    design.bucketing = [rule = tables.front().rule](std::int64_t relative) { return rule(relative).index; };
    return;
  }
  design.words.push_back("logarithm in float32");
  design.contract = "float32";
  compute_by(is_t5 ? "t5" : "deberta", draw, design);
}

void choose_slopes(Draw& draw, Design& design) {
  const auto biases = design.encoding->all<BiasTable>();
  if (biases.empty()) {
    return;
  }
  const auto format = design.compute;
  const bool direct = draw.chance(0.5);
  design.words.push_back(direct ? "slopes exp2(-k step)" : "slopes pow(exp2(-step), k)");
  design.sloping = [slopes = biases.front().slopes, format, direct](std::size_t head) {
    const double step = approximately(slopes[head].step);
    const auto power = static_cast<double>(slopes[head].power);
    const double base = round_to(format, std::exp2(-step));
    return round_to(format, direct ? std::exp2(-step * power) : std::pow(base, power));
  };
}

Response refused(ResponseStatus status, std::string reason) {
  return {.status = status, .reason = std::move(reason)};
}

bool is_contiguous(const std::vector<std::int64_t>& positions, std::int64_t step) {
  return std::ranges::adjacent_find(positions, [step](auto a, auto b) { return b != a + step; }) ==
         positions.end();
}

/// A table of the context's rows from which rows are gathered.
void take_from_table(Design& design) {
  design.words.push_back("table, gather");
  design.refusing.push_back([range = design.positions](const Question& question) -> std::optional<Response> {
    const auto last = range.at(range.count - 1);
    const auto within = [&](std::int64_t p) {
      return p >= std::min(range.first, last) && p <= std::max(range.first, last);
    };
    return std::ranges::all_of(question.positions, within)
               ? std::nullopt
               : std::optional(refused(ResponseStatus::rejected, "beyond the table"));
  });
}

void take_blocks_only(Design& design) {
  design.words.push_back("blocks");
  design.contiguous_only = true;
  const auto step = design.positions.step;
  design.refusing.push_back([step](const Question& question) -> std::optional<Response> {
    return is_contiguous(question.positions, step)
               ? std::nullopt
               : std::optional(refused(ResponseStatus::unsupported, "only contiguous positions"));
  });
}

/// Hugging Face's rule: the frequencies are those of the length that the question itself has.
void follow_length(Design& design) {
  design.words.push_back("length of the question");
  design.tuning.push_back(
      [length = design.encoding->sequence_length(), text = design.spec, format = design.compute](
          const Question& question, std::vector<double>& frequencies, double& amplitude) {
        const auto farthest = question.positions.empty() ? 0 : std::ranges::max(question.positions);
        if (farthest + 1 == length) {
          return;
        }
        auto json = OrderedJson::parse(text);
        json["sequence_length"] = std::max<std::int64_t>(1, farthest + 1);
        const auto table = encoding_of(json.dump())->all<HeadRotation>().front().table;
        for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
          frequencies[pair] = round_to(format, table.frequencies.approximate(static_cast<int>(pair)));
        }
        amplitude = round_to(format, approximately(table.amplitude));
      });
}

bool depends_on_length(const Design& design) {
  return design.encoding->sequence_length().has_value();
}

/// Whether there are positions at which the scheme has no row.
bool has_an_end(const Encoding& encoding) {
  return std::ranges::any_of(encoding.all<ExactTable>(), [](const ExactTable& table) {
    return table.first_position.has_value() || table.last_position.has_value();
  });
}

void choose_interface(Draw& draw, Design& design) {
  const double share = draw.share();
  const bool is_relative = design.encoding->has<BiasTable>() || design.encoding->has<BucketTable>();
  const bool has_rows = !is_relative && !design.encoding->has_tables_of_axes();
  if (!is_relative && depends_on_length(design) && design.plain_product && share < 0.4) {
    follow_length(design);
  } else if (has_rows && (has_an_end(*design.encoding) || share < 0.3)) {
    take_from_table(design);
  } else if (has_rows && share < 0.42) {
    take_blocks_only(design);
  } else {
    design.words.push_back("any positions");
  }
}

/// Draws until a spec is of what is wanted, which many lengths leave no room for, and valid: drawn scalings
/// may contradict their width.
std::pair<std::string, std::int64_t> draw_valid_spec(Draw& draw, std::int64_t longest, std::int64_t elements,
                                                     std::string_view wanted) {
  for (;;) {
    const auto length = draw_length(draw, longest);
    const auto drawn = draw_spec(draw, {length, elements});
    if (!is_of(drawn, wanted)) {
      continue;
    }
    auto spec = drawn.dump();
    try {
      encoding_of(spec);
      return {std::move(spec), length};
    } catch (const InputError&) {
      continue;
    }
  }
}

}  // namespace

Design draw_honest(Draw& draw, std::int64_t longest, std::int64_t elements, std::string_view wanted) {
  const auto [spec, length] = draw_valid_spec(draw, longest, elements, wanted);
  return draw_honest_of(draw, spec, length);
}

Design draw_honest_of(Draw& draw, const std::string& spec, std::int64_t length) {
  Design design;
  design.spec = spec;
  design.encoding = encoding_of(design.spec);
  design.type = draw_type(draw);
  design.positions = draw_positions(*design.encoding, length);
  design.words.push_back(std::string(traits(design.type).name));
  choose_turns(draw, design);
  choose_rotation(draw, design);
  choose_slopes(draw, design);
  choose_buckets(draw, design);
  choose_interface(draw, design);
  return design;
}

bool store_in_eight_bits(Draw& draw, Design& design) {
  if (!design.has_turns() || design.type != ElementType::float32 || design.contract || design.growing ||
      !design.tuning.empty() || design.encoding->has<ExactTable>()) {
    return false;
  }
  design.type = draw.one_of({ElementType::float8_e4m3fn, ElementType::float8_e5m2,
                             ElementType::float8_e4m3fnuz, ElementType::float8_e5m2fnuz});
  const auto format = design.stored();
  const auto scale = static_cast<float>(traits(format).largest() / design.amplitude);
  const auto of_format = traits(format).has_infinity() ? Overflow::infinite : Overflow::nan;
  design.quantization = Quantization{exact_rational(static_cast<double>(scale)),
                                     draw.one_of({Overflow::undeclared, Overflow::saturate, of_format})};
  design.storing = [quantization = *design.quantization, format](double value) {
    return quantization.stored_from_single(format, round_to(Format::binary32, value));
  };
  design.words.push_back("stored as " + std::string(traits(design.type).name));
  return true;
}

}  // namespace vernier::rates
