// Other ways to compute the buckets of T5 and of DeBERTa.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>

#include <fmt/core.h>

#include "numerics/computation/spec_patch.hpp"
#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"
#include "numerics/diagnosis/relative/edit_rows.hpp"

namespace vernier {
namespace {

/// The keys of a scheme that has logarithmic buckets; null of others.
struct LogarithmicKeys {
  std::string_view scheme;
  std::string_view range;  ///< "max_distance"
  std::string_view buckets;
};
/// How a logarithmic scale becomes whole numbers.
enum class ScaleRounding { down, nearest, up };

/// What the buckets of T5 and of DeBERTa are computed by, with what may be wrong in it. Distances below
/// `exact` have buckets of their own; of a farther one n it is exact + steps ln(n/exact) / ln(last/exact), as
/// a whole number.
struct LogarithmicBuckets {
  enum Measure : std::int64_t { magnitude, behind, negated };

  std::int64_t measure = magnitude;  ///< of relative positions: |r|, max(-r, 0) or -r
  std::int64_t more_behind = 0;      ///< that distances of keys behind the query are larger by
  std::int64_t more_itself = 0;      ///< the same of its own key
  std::int64_t more_ahead = 0;       ///< the same of keys ahead of it
  std::int64_t farthest = 0;         ///< that distances are held to; 0 for none
  std::int64_t exact = 1;
  std::int64_t keeps_exact = 0;  ///< whether the distance `exact` has its own bucket whatever is added
  std::int64_t last = 2;
  std::int64_t steps = 1;
  std::int64_t rounding = static_cast<std::int64_t>(ScaleRounding::down);
  std::int64_t far_shift = 0;  ///< added to the buckets of the scale
  std::int64_t greatest = unbounded;
  std::int64_t ahead = 0;        ///< added for keys ahead of the query
  std::int64_t least_ahead = 1;  ///< the first relative position that is ahead
  std::int64_t is_signed = 0;    ///< whether a bucket has the sign of the relative position

  static constexpr std::int64_t unbounded = std::int64_t{1} << 40;

  std::int64_t distance(std::int64_t relative_position) const;
  /// Where a bucket is that this gives for the relative position, without a sign and a direction.
  std::int64_t unsigned_bucket(std::int64_t relative_position, std::int64_t bucket) const;
};

constexpr std::array<LogarithmicKeys, 2> all_keys{
    {{"t5_bucket", "max_distance", "num_buckets"}, {"deberta_bucket", "max_position", "bucket_size"}}};

std::int64_t LogarithmicBuckets::distance(std::int64_t r) const {
  const auto plain = measure == magnitude ? std::abs(r)
                     : measure == negated ? -r
                                          : std::max(-r, std::int64_t{0});
  const auto more = plain + (r < 0 ? more_behind : r == 0 ? more_itself : more_ahead);
  return farthest > 0 ? std::min(more, farthest) : more;
}

std::int64_t LogarithmicBuckets::unsigned_bucket(std::int64_t r, std::int64_t bucket) const {
  return is_signed > 0 && r < 0 ? -bucket : bucket - (r >= least_ahead ? ahead : 0);
}

/// Null of schemes without a logarithmic scale.
const LogarithmicKeys* logarithmic_keys(const BucketSubject& subject) {
  const auto found = std::ranges::find(all_keys, subject.encoding.scheme(), &LogarithmicKeys::scheme);
  return found == all_keys.end() ? nullptr : &*found;
}

/// As the spec declares it, but with so many buckets.
LogarithmicBuckets logarithmic_buckets(const BucketSubject& subject, std::int64_t buckets) {
  LogarithmicBuckets form;
  const auto range = subject.declared_integer(logarithmic_keys(subject)->range);
  form.exact = buckets / 2;
  if (subject.is("deberta_bucket")) {
    form.keeps_exact = 1;
    form.last = range - 1;
    form.steps = form.exact - 1;
    form.rounding = static_cast<std::int64_t>(ScaleRounding::up);
    form.farthest = subject.declared_flag("clamp") ? range - 1 : 0;
    form.is_signed = 1;
    return form;
  }
  const bool both = subject.declared_flag("bidirectional");
  const auto of_direction = both ? buckets / 2 : buckets;
  form.measure = both ? LogarithmicBuckets::magnitude : LogarithmicBuckets::behind;
  form.exact = of_direction / 2;
  form.last = range;
  form.steps = of_direction - form.exact;
  form.greatest = of_direction - 1;
  form.ahead = both ? of_direction : 0;
  return form;
}

struct NamedField {
  std::string_view name;
  std::int64_t LogarithmicBuckets::*field;
};
using Form = LogarithmicBuckets;
constexpr std::array<NamedField, 15> fields{{{"measure", &Form::measure},
                                             {"more_behind", &Form::more_behind},
                                             {"more_itself", &Form::more_itself},
                                             {"more_ahead", &Form::more_ahead},
                                             {"farthest", &Form::farthest},
                                             {"exact", &Form::exact},
                                             {"keeps_exact", &Form::keeps_exact},
                                             {"last", &Form::last},
                                             {"steps", &Form::steps},
                                             {"rounding", &Form::rounding},
                                             {"far_shift", &Form::far_shift},
                                             {"greatest", &Form::greatest},
                                             {"ahead", &Form::ahead},
                                             {"least_ahead", &Form::least_ahead},
                                             {"is_signed", &Form::is_signed}}};

/// steps ln(n/first) / ln(last/first) as a whole number, decided exactly.
class ExactScale {
 public:
  /// \param reach the largest n that is asked for
  ExactScale(const Form& form, std::int64_t reach)
      : first_(form.exact),
        reach_(reach),
        rounding_(static_cast<ScaleRounding>(form.rounding)),
        // The halves of a step are the edges between numbers that are rounded to the nearest.
        edges_(first_, form.last,
               static_cast<int>(rounding_ == ScaleRounding::nearest ? 2 * form.steps : form.steps), reach) {}

  /// The other whole number is told where n lies exactly on an edge. \param n >= first
  Bucket at(std::int64_t n) const {
    if (n <= first_) {
      return {0};
    }
    const auto [reached, on_edge] = edges_.place(std::min(n, reach_));
    switch (rounding_) {
      case ScaleRounding::nearest: {
        const bool is_tie = on_edge && reached % 2 == 1;
        return {(reached + 1) / 2, is_tie ? std::optional(reached / 2) : std::nullopt};
      }
      case ScaleRounding::up:
        return on_edge ? Bucket{reached, reached + 1} : Bucket{reached + 1};
      case ScaleRounding::down:
        break;
    }
    return {reached, on_edge ? std::optional(reached - 1) : std::nullopt};
  }

 private:
  std::int64_t first_;
  std::int64_t reach_;
  ScaleRounding rounding_;
  LogarithmicEdges edges_;
};

/// The same in floating point, as implementations write it.
struct RoundedScale {
  Form form;
  Format format;               ///< that every operation rounds to
  bool constants_are_rounded;  ///< to the same format
  bool divides_first;          ///< by the logarithm, before it multiplies by the steps
  int log_ulps;                ///< that the logarithm is off by
  double inside;               ///< what is added inside the logarithm
  double times;                ///< what the scale is multiplied by

  explicit RoundedScale(const Form& of, const EditRow& row)
      : form(of),
        format(row.has("format") ? row.format() : Format::binary64),
        constants_are_rounded(row.number("constants_are_rounded") > 0),
        divides_first(row.number("divides_first", 1) > 0),
        log_ulps(static_cast<int>(row.number("log_ulps"))),
        inside(row.number("inside")),
        times(row.number("times", 1)) {}

  Bucket at(std::int64_t n) const {
    const auto first = static_cast<double>(form.exact);
    const auto steps = static_cast<double>(form.steps);
    const auto in_format = [&](double value) { return round_to(format, value); };
    const auto constant = [&](double value) { return constants_are_rounded ? in_format(value) : value; };
    const double quotient = in_format(in_format(in_format(static_cast<double>(n)) / first) + inside);
    double logarithm = in_format(std::log(quotient));
    for (int ulp = 0; ulp < std::abs(log_ulps); ++ulp) {
      logarithm = log_ulps > 0 ? next_up(format, logarithm) : next_down(format, logarithm);
    }
    const double range = std::log(static_cast<double>(form.last) / first);
    const double scaled = divides_first ? in_format(in_format(logarithm / constant(range)) * steps)
                                        : in_format(logarithm * constant(steps / range));
    // A format may overflow; what is beyond it is beyond every bucket.
    constexpr double farthest = 0x1p40;
    const double whole = std::clamp(scaled * times, -farthest, farthest);
    const bool is_up = form.rounding == static_cast<std::int64_t>(ScaleRounding::up);
    return {static_cast<std::int64_t>(is_up ? std::ceil(whole) : std::trunc(whole))};
  }
};

/// \param scale how many steps a distance lies up the scale, as a Bucket
template <class Scale>
BucketRule rule_of(const Form& form, Scale scale) {
  return [form, scale = std::move(scale)](std::int64_t r) -> Bucket {
    const auto distance = form.distance(r);
    const auto placed = [&](std::int64_t bucket) {
      return form.is_signed > 0 && r < 0 ? -bucket : bucket + (r >= form.least_ahead ? form.ahead : 0);
    };
    if (distance < form.exact + form.keeps_exact) {
      return {placed(distance)};
    }
    const auto place = [&](std::int64_t reached) {
      return placed(std::min(form.exact + reached + form.far_shift, form.greatest));
    };
    const Bucket reached = scale(distance);
    const auto index = place(reached.index);
    const auto across = reached.across ? std::optional(place(*reached.across)) : std::nullopt;
    return {index, across == index ? std::nullopt : across};
  };
}

/// Null where the form is none.
BucketRule edited_rule(const BucketSubject& subject, const Form& declared, const EditRow& row) {
  auto form = declared;
  for (const auto& [name, field] : fields) {
    form.*field = static_cast<std::int64_t>(row.number(name, static_cast<double>(form.*field)));
  }
  if (row.has("format") || row.has("inside") || row.has("times")) {
    return rule_of(form, [scale = RoundedScale(form, row)](std::int64_t n) { return scale.at(n); });
  }
  if (form.exact < 1 || form.exact == form.greatest + 1) {
    return form.exact < 1 ? BucketRule() : rule_of(form, [](std::int64_t) { return Bucket{0}; });
  }
  if (form.steps < 1 || form.last <= form.exact) {
    return {};
  }
  return rule_of(form, [scale = ExactScale(form, reach_of(subject))](std::int64_t n) { return scale.at(n); });
}

constexpr std::int64_t greatest_range = std::int64_t{1} << 31;

/// The natural logarithm of how far a logarithmic scale reaches, last/exact: in (above, to].
struct LogRange {
  double above = 0;
  double to = std::numeric_limits<double>::infinity();

  bool is_possible() const {
    constexpr double slack = 1e-9;
    return above <= to * (1 + slack);
  }
};

/// A parameter of the spec that may be any from `first` to `last`.
struct CandidateRange {
  std::int64_t first;
  std::int64_t last;

  /// The one with the fewest digits, powers of two before all others.
  std::int64_t roundest() const {
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(last)));
    if (power >= first) {
      return power;
    }
    for (auto unit = greatest_range; unit > 1; unit /= 10) {
      if (last / unit * unit >= first) {
        return last / unit * unit;
      }
    }
    return first;
  }
};

double parameter_bits(std::int64_t value) {
  return std::has_single_bit(static_cast<std::uint64_t>(value)) ? listed_bits - 1 : integer_bits(value);
}

class BucketFitting {
 public:
  explicit BucketFitting(const BucketSubject& subject)
      : subject_(subject),
        keys_(*logarithmic_keys(subject)),
        range_(subject.declared_integer(keys_.range)),
        buckets_(subject.declared_integer(keys_.buckets)) {}

  BucketEdits with_other_range(int sign) const {
    const auto candidates = ranges(buckets_, sign);
    if (!candidates) {
      return {};
    }
    constexpr std::int64_t told_singly = 3;
    BucketEdits edits;
    const auto add = [&](std::int64_t range, const std::string& words) {
      if (range != range_) {
        with_patch(
            {&fault_kind("bucket/max-distance"), fmt::format("{} is {}, not {}", keys_.range, words, range_),
             replacement(keys_.range, range)},
            parameter_bits(range), edits);
      }
    };
    if (candidates->last - candidates->first < told_singly) {
      for (auto range = candidates->first; range <= candidates->last; ++range) {
        add(range, std::to_string(range));
      }
    } else if (candidates->last == greatest_range) {
      add(candidates->roundest(), fmt::format("{} or more", candidates->first));
    } else {
      add(candidates->roundest(), fmt::format("{} or another number from {} to {}", candidates->roundest(),
                                              candidates->first, candidates->last));
    }
    return edits;
  }

  BucketEdits with_other_buckets(std::int64_t buckets, int sign) const {
    const auto candidates = ranges(buckets, sign);
    if (!candidates) {
      return {};
    }
    BucketEdits edits;
    Finding finding{&fault_kind("bucket/num-buckets"),
                    fmt::format("{} is {}, not {}", keys_.buckets, buckets, buckets_),
                    replacement(keys_.buckets, buckets)};
    double bits = parameter_bits(buckets);
    if (range_ < candidates->first || candidates->last < range_) {
      const auto range = candidates->roundest();
      finding.sentence += fmt::format(", and {} is {}, not {}", keys_.range, range, range_);
      finding.edit = with_both(buckets, range);
      bits += parameter_bits(range);
    }
    with_patch(std::move(finding), bits, edits);
    return edits;
  }

 private:
  void with_patch(Finding finding, double bits, BucketEdits& edits) const {
    if (const auto other = patched(subject_.encoding, finding.edit)) {
      edits.push_back(with_rule(std::move(finding), bits, *other->bucket_rule()));
    }
  }

  OrderedJson with_both(std::int64_t buckets, std::int64_t range) const {
    auto patch = replacement(keys_.buckets, buckets);
    patch.push_back(replacement(keys_.range, range).front());
    return patch;
  }

  bool holds(std::int64_t buckets, std::int64_t range, int sign) const {
    const auto other = patched(subject_.encoding, with_both(buckets, range));
    if (other == nullptr) {
      return false;
    }
    const BucketComputation model{*other->bucket_rule(), [sign](std::int64_t r) { return sign * r; }};
    return std::ranges::all_of(subject_.observed,
                               [&](const ObservedBucket& one) { return subject_.holds(model, one); });
  }

  /// What the buckets leave open of the range, for so many buckets.
  std::optional<LogRange> log_range(const LogarithmicBuckets& form, int sign) const {
    const bool is_up = form.rounding == static_cast<std::int64_t>(ScaleRounding::up);
    // The bucket of all that is too far for the scale.
    const auto last_bucket = form.farthest > 0 ? form.exact + form.steps : form.greatest;
    const auto exact = static_cast<double>(form.exact);
    LogRange range;
    for (const auto& one : subject_.observed) {
      const auto r = sign * one.relative_position;
      const auto n = form.measure == LogarithmicBuckets::behind ? std::max(-r, std::int64_t{0}) : std::abs(r);
      const auto bucket = form.unsigned_bucket(r, one.bucket);
      if (n <= form.exact ? bucket != n : bucket < form.exact + form.keeps_exact || bucket > form.greatest) {
        return std::nullopt;
      }
      if (n > form.exact) {
        const double scaled = static_cast<double>(form.steps) * std::log(static_cast<double>(n) / exact);
        const auto fewest = static_cast<double>(bucket - form.exact - (is_up ? 1 : 0));
        range.to = fewest > 0 ? std::min(range.to, scaled / fewest) : range.to;
        range.above = bucket == last_bucket ? range.above : std::max(range.above, scaled / (fewest + 1));
      }
      if (!range.is_possible()) {
        return std::nullopt;
      }
    }
    return range;
  }

  std::optional<CandidateRange> ranges(std::int64_t buckets, int sign) const {
    constexpr std::int64_t margin = 2;
    const auto form = logarithmic_buckets(subject_, buckets);
    const auto open = log_range(form, sign);
    if (!open) {
      return std::nullopt;
    }
    const auto whole = [&](double log_range) {
      const double range =
          static_cast<double>(form.exact) * std::exp(log_range) + static_cast<double>(form.keeps_exact);
      return range < static_cast<double>(greatest_range) ? static_cast<std::int64_t>(range) : greatest_range;
    };
    CandidateRange result{whole(open->above) - margin, std::min(greatest_range, whole(open->to) + margin)};
    const auto stop = std::min(result.last, result.first + 2 * margin + 1);
    while (result.first <= stop && !holds(buckets, result.first, sign)) {
      ++result.first;
    }
    if (result.first > stop) {
      return std::nullopt;
    }
    while (result.last > result.first && !holds(buckets, result.last, sign)) {
      --result.last;
    }
    return result;
  }

  const BucketSubject& subject_;
  const LogarithmicKeys& keys_;
  std::int64_t range_;
  std::int64_t buckets_;
};

/// Another range with which all buckets agree, as far as they tell, whichever sign relative positions have.
BucketEdits other_ranges(const BucketSubject& subject) {
  const BucketFitting fitting(subject);
  auto edits = fitting.with_other_range(1);
  std::ranges::move(fitting.with_other_range(-1), std::back_inserter(edits));
  return edits;
}

/// Other numbers of buckets with which all agree, if need be with another range.
BucketEdits other_bucket_counts(const BucketSubject& subject) {
  constexpr std::int64_t most_buckets_tried = 1024;
  constexpr std::size_t most_edits = 32;
  const BucketFitting fitting(subject);
  const auto declared = subject.declared_integer(logarithmic_keys(subject)->buckets);
  const bool is_halved = subject.is("t5_bucket") && subject.declared_flag("bidirectional");
  const bool is_one_way = subject.is("t5_bucket") && !is_halved;
  BucketEdits edits;
  for (std::int64_t buckets = is_one_way ? 2 : 4; buckets <= most_buckets_tried && edits.size() < most_edits;
       buckets += is_halved ? 2 : 1) {
    for (const int sign : {1, -1}) {
      if (buckets != declared) {
        std::ranges::move(fitting.with_other_buckets(buckets, sign), std::back_inserter(edits));
      }
    }
  }
  return edits;
}

}  // namespace

BucketEdits logarithmic_edits(const BucketSubject& subject) {
  const auto* keys = logarithmic_keys(subject);
  if (keys == nullptr) {
    return {};
  }
  const auto declared = logarithmic_buckets(subject, subject.declared_integer(keys->buckets));
  NamedNumbers numbers{{"t5", subject.is("t5_bucket")}, {"both", declared.ahead > 0}};
  for (const auto& [name, field] : fields) {
    numbers.emplace(name, static_cast<double>(declared.*field));
  }
  BucketEdits edits;
  for (auto& row : edit_rows("logarithmic_buckets", numbers)) {
    if (auto rule = edited_rule(subject, declared, row)) {
      edits.push_back(with_rule(std::move(row.finding), row.bits, std::move(rule)));
    }
  }
  std::ranges::move(other_ranges(subject), std::back_inserter(edits));
  std::ranges::move(other_bucket_counts(subject), std::back_inserter(edits));
  return edits;
}

}  // namespace vernier
