// Numbers of a logarithmic scale, read off the buckets that it gave.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/buckets/logarithmic_buckets.hpp"
#include "numerics/diagnosis/spec_patch.hpp"

namespace vernier {
namespace {

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
      edits.push_back(with_rule(std::move(finding), bits, other->all<BucketTable>().front().rule));
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
    const BucketComputation model{other->all<BucketTable>().front().rule,
                                  [sign](std::int64_t r) { return sign * r; }};
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

}  // namespace

BucketEdits other_ranges(const BucketSubject& subject) {
  const BucketFitting fitting(subject);
  auto edits = fitting.with_other_range(1);
  std::ranges::move(fitting.with_other_range(-1), std::back_inserter(edits));
  return edits;
}

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

}  // namespace vernier
