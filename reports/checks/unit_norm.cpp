#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include "reference/enclosure.hpp"
#include "reports/checks/checks.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t rows_at_once = 1024;

/// A column of one of the case's tensors.
struct Slot {
  std::size_t tensor;
  std::size_t column;
};

/// A cosine and a sine of one pair, to be judged together.
struct Couple {
  int pair;
  Slot cosine;
  Slot sine;
};

/// Couples the cosine columns of each pair with its sine columns, in order; of unequally many the last is
/// used again.
std::vector<Couple> couples(const Case& subject) {
  const auto pairs = static_cast<std::size_t>(subject.tables.front().table.frequencies.pairs);
  std::vector<std::vector<Slot>> cosines(pairs);
  std::vector<std::vector<Slot>> sines(pairs);
  for (std::size_t t = 0; t < subject.tables.size(); ++t) {
    const auto& columns = subject.tables[t].table.columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto pair = static_cast<std::size_t>(columns[c].pair);
      if (columns[c].component != Component::zero) {
        (columns[c].component == Component::cosine ? cosines : sines)[pair].push_back({t, c});
      }
    }
  }
  std::vector<Couple> result;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto& c = cosines[pair];
    const auto& s = sines[pair];
    for (std::size_t i = 0; !c.empty() && !s.empty() && i < std::max(c.size(), s.size()); ++i) {
      result.push_back({static_cast<int>(pair), c[std::min(i, c.size() - 1)], s[std::min(i, s.size() - 1)]});
    }
  }
  return result;
}

/// A bound on how far a stored component may be from A cos f (or A sin f), f being the phase *as computed*:
/// the part of the budget that no error of the phase explains, at V, the largest value that can have been
/// stored as `got`.
double apart_from_phase(const BudgetModel& model, std::int64_t position, int pair, double got) {
  const auto at = [&](double value) {
    const double trig = model.trig(position, pair, value);
    return trig + model.storage(value + trig);
  };
  const double greatest = model.amplitude();
  return at(std::min(greatest, std::fabs(got) + at(greatest)));
}

struct Norm {
  double excess = 0;   ///< c^2 + s^2 - A^2
  double allowed = 0;  ///< of its magnitude
};

/// With c = C + e, s = S + d, C^2 + S^2 = A^2 for every phase, |e| <= b and |d| <= a:
///   c^2 + s^2 - A^2 = 2 C e + e^2 + 2 S d + d^2, and |C| <= |c| + b, |S| <= |s| + a,
/// so its magnitude is at most 2 |c| b + 3 b^2 + 2 |s| a + 3 a^2.
Norm norm(double c, double b, double s, double a, const Enclosure& amplitude) {
  const auto squares = two_product(c, c) + two_product(s, s);
  const auto excess = squares - (amplitude * amplitude).middle;
  return {excess.high, 2 * std::fabs(c) * b + 3 * b * b + 2 * std::fabs(s) * a + 3 * a * a};
}

struct Finding {
  std::size_t row;
  Couple couple;
  double cosine;
  double sine;
  Norm norm;
  double used;  ///< |excess| / allowed
};

void describe(Check& check, const Case& subject, const Finding& worst) {
  const auto& c = subject.tables[worst.couple.cosine.tensor];
  const auto& s = subject.tables[worst.couple.sine.tensor];
  const auto value = [](const TableTensor& tensor, double number) {
    return shortest_text(tensor.stored(), number) + " = " + hex_text(number) + " = " +
           bits_text(tensor.stored(), number);
  };
  check.counterexample = {{"row", std::to_string(worst.row)},
                          {"position", std::to_string(subject.positions[worst.row])},
                          {"pair", std::to_string(worst.couple.pair)},
                          {"cosine", value(c, worst.cosine)},
                          {"sine", value(s, worst.sine)},
                          {"cos^2 + sin^2 - A^2", significant_text(worst.norm.excess, 4)},
                          {"allowed", significant_text(worst.norm.allowed, 4)}};
}

void conclude(Check& check, const Case& subject, const std::optional<Finding>& worst) {
  const auto& counts = check.counts;
  const auto total = counted(counts.elements, "pair", "pairs");
  if (worst) {
    describe(check, subject, *worst);
  }
  if (counts.failing > 0) {
    check.status = Status::fail;
    check.reason = std::to_string(counts.failing) + " of " + total + " leave the circle; the worst, pair " +
                   std::to_string(worst->couple.pair) + " at position " +
                   std::to_string(subject.positions[worst->row]) + ", " + usage_text(worst->used);
  } else if (counts.inconclusive > 0) {
    check.status = Status::inconclusive;
    check.reason =
        "the formats are too coarse to judge " + std::to_string(counts.inconclusive) + " of " + total;
  } else if (worst) {
    check.status = Status::pass;
    check.reason = "all " + total + " lie on the circle; the worst " + usage_text(worst->used);
  }
}

/// What some rows show.
struct Tally {
  Counts counts;
  std::optional<Finding> worst;
};

void add(Tally& tally, const Finding& found, double square) {
  ++tally.counts.elements;
  const bool finite = std::isfinite(found.cosine) && std::isfinite(found.sine);
  if (finite && found.norm.allowed > square / 2) {
    ++tally.counts.inconclusive;
    return;
  }
  ++tally.counts.judged;
  tally.counts.failing += found.used > 1 ? 1 : 0;
  if (!tally.worst || found.used > tally.worst->used) {
    tally.worst = found;
  }
}

/// \param earlier of the rows before those of `later`
Tally merged(Tally earlier, const Tally& later) {
  earlier.counts.elements += later.counts.elements;
  earlier.counts.judged += later.counts.judged;
  earlier.counts.failing += later.counts.failing;
  earlier.counts.inconclusive += later.counts.inconclusive;
  if (later.worst && (!earlier.worst || later.worst->used > earlier.worst->used)) {
    earlier.worst = later.worst;
  }
  return earlier;
}

Check judge_couples(const Case& subject, const std::vector<Couple>& judged, Check check) {
  std::vector<BudgetModel> models;
  for (const auto& tensor : subject.tables) {
    models.push_back(tensor.model());
  }
  const auto amplitude = tight_enclosure([&] { return enclose(subject.tables.front().table.amplitude); });
  const double square = amplitude.approximately() * amplitude.approximately();
  const auto judge_row = [&](std::size_t r, Tally& tally) {
    const auto position = subject.positions[r];
    for (const auto& couple : judged) {
      const auto& c = subject.tables[couple.cosine.tensor];
      const auto& s = subject.tables[couple.sine.tensor];
      if (c.table.is_zero(position, couple.cosine.column)) {
        continue;
      }
      const double cosine = c.at(r, couple.cosine.column);
      const double sine = s.at(r, couple.sine.column);
      const auto found =
          norm(cosine, apart_from_phase(models[couple.cosine.tensor], position, couple.pair, cosine), sine,
               apart_from_phase(models[couple.sine.tensor], position, couple.pair, sine), amplitude);
      const double used = !std::isfinite(cosine) || !std::isfinite(sine) ? infinity
                          : found.excess == 0                            ? 0
                                              : std::fabs(found.excess) / found.allowed;
      add(tally, {r, couple, cosine, sine, found, used}, square);
    }
  };
  // A reduction in the order of the rows: the first of the worst is found whatever the number of threads.
  const auto tally = oneapi::tbb::parallel_reduce(
      oneapi::tbb::blocked_range<std::size_t>(0, subject.positions.size(), rows_at_once), Tally{},
      [&](const auto& rows, Tally so_far) {
        for (auto r = rows.begin(); r != rows.end(); ++r) {
          judge_row(r, so_far);
        }
        return so_far;
      },
      merged);
  check.counts = tally.counts;
  conclude(check, subject, tally.worst);
  return check;
}

void judge(const AuditedCase& audited, std::vector<Check>& out) {
  const auto& subject = audited.subject;
  if (subject.tables.empty()) {
    return;
  }
  Check check{"property/" + std::string(subject.encoding->scheme()) + "/unit-norm", Status::skipped,
              "there are not both a cosine and a sine of any pair",
              "cos^2 + sin^2 is the square of the amplitude, whatever the phase, to what the trigonometry "
              "and the storage may be off"};
  const auto judged = couples(subject);
  out.push_back(judged.empty() ? std::move(check) : judge_couples(subject, judged, std::move(check)));
}

}  // namespace

CheckKind unit_norm_check() {
  return {"property/<scheme>/unit-norm",
          "The cosine and the sine of a pair lie on a circle: a rotation changes no length. Holds for any "
          "phase, so it judges the "
          "trigonometry, the amplitude and the storage apart from errors of position and frequency.",
          "cos^2 f + sin^2 f = 1; the tolerance is derived beside the code from the contract's trigonometry "
          "and storage terms",
          judge};
}

}  // namespace vernier
