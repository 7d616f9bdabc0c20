#include "numerics/diagnosis/relative/buckets/bucket_fit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "numerics/diagnosis/spec_patch.hpp"
#include "reference/position_range.hpp"

namespace vernier {
namespace {

constexpr std::int64_t greatest_range = std::int64_t{1} << 31;

/// Narrows the range to those with which the scale gives a number of steps in (above, to], or [above, to) if
/// it is rounded up. \param scaled steps times the logarithm of the distance
void narrow(LogRange& range, double scaled, double fewest, double most) {
  if (fewest > 0) {
    range.to = std::min(range.to, scaled / fewest);
  }
  if (std::isfinite(most)) {
    range.above = std::max(range.above, scaled / most);
  }
}

bool is_possible(const LogRange& range) {
  constexpr double slack = 1e-9;
  return range.above <= range.to * (1 + slack);
}

constexpr double no_bound = std::numeric_limits<double>::infinity();

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
  BucketFitting(const BucketSubject& subject, const ScaleFit& fit)
      : subject_(subject),
        fit_(fit),
        range_(subject.declared_integer(fit.range_key)),
        buckets_(subject.declared_integer(fit.buckets_key)) {}

  BucketEdits with_other_range(int sign) const {
    const auto candidates = ranges(buckets_, sign);
    if (!candidates) {
      return {};
    }
    constexpr std::int64_t told_singly = 3;
    BucketEdits edits;
    const auto add = [&](std::int64_t range, const std::string& words) {
      if (range != range_) {
        std::ranges::move(with_patch(subject_, fmt::format("{} is {}, not {}", fit_.range_key, words, range_),
                                     parameter_bits(range), replacement(fit_.range_key, range)),
                          std::back_inserter(edits));
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
    const auto patch = replacement(fit_.buckets_key, buckets);
    const auto sentence = fmt::format("{} is {}, not {}", fit_.buckets_key, buckets, buckets_);
    if (candidates->first <= range_ && range_ <= candidates->last) {
      return with_patch(subject_, sentence, parameter_bits(buckets), patch);
    }
    const auto range = candidates->roundest();
    auto both = patch;
    both.push_back(replacement(fit_.range_key, range).front());
    return with_patch(subject_,
                      fmt::format("{}, and {} is {}, not {}", sentence, fit_.range_key, range, range_),
                      parameter_bits(buckets) + parameter_bits(range), both);
  }

 private:
  bool holds(std::int64_t buckets, std::int64_t range, int sign) const {
    auto patch = replacement(fit_.buckets_key, buckets);
    patch.push_back(replacement(fit_.range_key, range).front());
    const auto other = patched(subject_.encoding, patch);
    if (other == nullptr) {
      return false;
    }
    const BucketComputation model{other->all<BucketTable>().front().rule,
                                  [sign](std::int64_t r) { return sign * r; }};
    return std::ranges::all_of(subject_.observed,
                               [&](const ObservedBucket& one) { return subject_.holds(model, one); });
  }

  std::optional<CandidateRange> ranges(std::int64_t buckets, int sign) const {
    constexpr std::int64_t margin = 2;
    const auto open = fit_.log_range(buckets, sign);
    if (!open) {
      return std::nullopt;
    }
    const auto whole = [&](double log_range) {
      const double range = fit_.range(buckets, log_range);
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
  const ScaleFit& fit_;
  std::int64_t range_;
  std::int64_t buckets_;
};

}  // namespace

ScaleFit t5_fit(const BucketSubject& subject) {
  const bool both = subject.declared_flag("bidirectional");
  const auto half = [both](std::int64_t buckets) { return both ? buckets / 2 : buckets; };
  const auto log_range = [&subject, both, half](std::int64_t buckets, int sign) -> std::optional<LogRange> {
    const auto all = half(buckets);
    const auto exact = all / 2;
    LogRange range{0, no_bound};
    for (const auto& one : subject.observed) {
      const auto r = sign * one.relative_position;
      const auto n = both ? std::abs(r) : std::max(-r, std::int64_t{0});
      const auto bucket = one.bucket - (both && r > 0 ? all : 0);
      if (n <= exact ? bucket != n : bucket < exact || bucket >= all) {
        return std::nullopt;
      }
      if (n > exact) {
        const double scaled =
            static_cast<double>(all - exact) * std::log(static_cast<double>(n) / static_cast<double>(exact));
        const auto reached = static_cast<double>(bucket - exact);
        narrow(range, scaled, reached, bucket == all - 1 ? no_bound : reached + 1);
      }
      if (!is_possible(range)) {
        return std::nullopt;
      }
    }
    return range;
  };
  return {"max_distance",
          "num_buckets",
          both ? 4 : 2,
          both ? 2 : 1,
          log_range,
          [half](std::int64_t buckets, double log) {
            const std::int64_t exact = half(buckets) / 2;
            return static_cast<double>(exact) * std::exp(log);
          }};
}

ScaleFit deberta_fit(const BucketSubject& subject) {
  const bool clamps = subject.declared_flag("clamp");
  const auto log_range = [&subject, clamps](std::int64_t buckets, int sign) -> std::optional<LogRange> {
    const auto exact = buckets / 2;
    LogRange range{0, no_bound};
    for (const auto& one : subject.observed) {
      const auto r = sign * one.relative_position;
      const auto n = std::abs(r);
      const auto bucket = r < 0 ? -one.bucket : one.bucket;
      if (n <= exact ? bucket != n : bucket <= exact) {
        return std::nullopt;
      }
      if (n > exact) {
        const double scaled =
            static_cast<double>(exact - 1) * std::log(static_cast<double>(n) / static_cast<double>(exact));
        const auto reached = static_cast<double>(bucket - exact);
        const bool is_last = clamps && bucket == 2 * exact - 1;
        narrow(range, scaled, reached - 1, is_last ? no_bound : reached);
      }
      if (!is_possible(range)) {
        return std::nullopt;
      }
    }
    return range;
  };
  return {"max_position", "bucket_size", 4, 1, log_range, [](std::int64_t buckets, double log) {
            const std::int64_t exact = buckets / 2;
            return static_cast<double>(exact) * std::exp(log) + 1;
          }};
}

BucketEdits other_ranges(const BucketSubject& subject, const ScaleFit& fit) {
  const BucketFitting fitting(subject, fit);
  auto edits = fitting.with_other_range(1);
  std::ranges::move(fitting.with_other_range(-1), std::back_inserter(edits));
  return edits;
}

BucketEdits other_bucket_counts(const BucketSubject& subject, const ScaleFit& fit) {
  constexpr std::int64_t most_buckets_tried = 1024;
  constexpr std::size_t most_edits = 32;
  const BucketFitting fitting(subject, fit);
  const auto declared = subject.declared_integer(fit.buckets_key);
  BucketEdits edits;
  for (auto buckets = fit.least_buckets; buckets <= most_buckets_tried && edits.size() < most_edits;
       buckets += fit.buckets_step) {
    for (const int sign : {1, -1}) {
      if (buckets != declared) {
        std::ranges::move(fitting.with_other_buckets(buckets, sign), std::back_inserter(edits));
      }
    }
  }
  return edits;
}

}  // namespace vernier
