// Other ways to compute the buckets of T5 and of DeBERTa.

#include "numerics/diagnosis/relative/buckets/logarithmic_buckets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "numerics/diagnosis/relative/edit_rows.hpp"

namespace vernier {
namespace {

constexpr std::array<LogarithmicKeys, 2> all_keys{
    {{"t5_bucket", "max_distance", "num_buckets"}, {"deberta_bucket", "max_position", "bucket_size"}}};

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

}  // namespace

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

const LogarithmicKeys* logarithmic_keys(const BucketSubject& subject) {
  const auto found = std::ranges::find(all_keys, subject.encoding.scheme(), &LogarithmicKeys::scheme);
  return found == all_keys.end() ? nullptr : &*found;
}

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
