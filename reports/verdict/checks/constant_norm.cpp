#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include <fmt/core.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include "numerics/identification/screens/selected_entries.hpp"
#include "props/properties/turn_view.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reports/verdict/checks/constant_norm_screen.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/verdict/checks/properties.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t norm_rows_at_once = 1024;

struct Norm {
  double excess = 0;   ///< c^2 + s^2 - A^2
  double allowed = 0;  ///< of its magnitude
};

Norm norm(double c, double b, double s, double a, const Enclosure& amplitude) {
  const auto squares = two_product(c, c) + two_product(s, s);
  const auto excess = squares - (amplitude * amplitude).middle;
  return {excess.high, square_allowance(c, b, s, a)};
}

struct RowNorm {
  std::size_t row;
  Couple couple;
  double cosine;
  double sine;
  Norm norm;
  double budget_ratio;  ///< |excess| / allowed
};

void describe(Check& check, const Case& subject, const RowNorm& worst) {
  const auto& c = subject.tensors.all<TableTensor>()[worst.couple.cosine.tensor];
  const auto& s = subject.tensors.all<TableTensor>()[worst.couple.sine.tensor];
  const auto value = [](const TableTensor& tensor, double number) {
    return shortest_text(tensor.stored(), number) + " = " + hex_text(number) + " = " +
           bits_text(tensor.stored(), number);
  };
  check.counterexample = described(row_place(subject.leading, c.rows(), worst.row));
  const Described rest{{"position", subject.position_text(worst.row)},
                       {"pair", std::to_string(worst.couple.pair)},
                       {"cosine", value(c, worst.cosine)},
                       {"sine", value(s, worst.sine)},
                       {"cos^2 + sin^2 - A^2", significant_text(worst.norm.excess, 4)},
                       {"allowed", significant_text(worst.norm.allowed, 4)}};
  check.counterexample.insert(check.counterexample.end(), rest.begin(), rest.end());
}

void conclude(Check& check, const Case& subject, const std::optional<RowNorm>& worst) {
  const auto& counts = check.counts;
  const auto total = counted(counts.elements, "pair", "pairs");
  if (worst) {
    check.greatest_budget_ratio = worst->budget_ratio;
    describe(check, subject, *worst);
  }
  if (counts.failing > 0) {
    check.status = Status::fail;
    check.reason =
        fmt::format("{} of {} leave the circle; the worst, pair {} at position {}, {}", counts.failing, total,
                    worst->couple.pair, subject.position_text(worst->row), usage_text(worst->budget_ratio));
  } else if (worst) {
    check.status = Status::pass;
    check.reason = fmt::format("{} lie on the circle; the worst {}{}", judged_text(counts, total),
                               usage_text(worst->budget_ratio), left_out_text(counts));
  } else if (counts.inconclusive > 0) {
    check.reason = fmt::format("the format is too coarse or too narrow to judge any of {}", total);
  }
}

/// What some rows show.
struct NormTally {
  Counts counts;
  std::optional<RowNorm> worst;
};

void add_row(NormTally& tally, const RowNorm& found, double square) {
  ++tally.counts.elements;
  const bool finite = std::isfinite(found.cosine) && std::isfinite(found.sine);
  if (finite && found.norm.allowed > square / 2) {
    ++tally.counts.inconclusive;
    return;
  }
  ++tally.counts.judged;
  tally.counts.failing += found.budget_ratio > 1 ? 1 : 0;
  if (!tally.worst || found.budget_ratio > tally.worst->budget_ratio) {
    tally.worst = found;
  }
}

/// \param earlier of the rows before those of `later`
NormTally merged_tallies(NormTally earlier, const NormTally& later) {
  earlier.counts.elements += later.counts.elements;
  earlier.counts.judged += later.counts.judged;
  earlier.counts.failing += later.counts.failing;
  earlier.counts.inconclusive += later.counts.inconclusive;
  if (later.worst && (!earlier.worst || later.worst->budget_ratio > earlier.worst->budget_ratio)) {
    earlier.worst = later.worst;
  }
  return earlier;
}

/// Judges the couples of a case, row by row.
class CoupleJudge {
 public:
  /// What a row needs room for.
  struct Room {
    std::vector<double> numbers;  ///< of a row of all tensors
    std::vector<double> selected_cosines;
    std::vector<double> selected_sines;
    std::span<const double> cosines;  ///< of the couples
    std::span<const double> sines;
    ConstantNormScreen::Room screen;
  };

  CoupleJudge(const Case& subject, std::span<const Couple> couples)
      : subject_(subject),
        couples_(couples),
        models_(models_of(subject)),
        amplitude_(tight_enclosure(
            [&] { return enclose(subject.tensors.all<TableTensor>().front().table.amplitude); })),
        screen_(models_, couples, amplitude_) {
    for (const auto& tensor : subject.tensors.all<TableTensor>()) {
      first_number_.push_back(numbers_);
      numbers_ += tensor.columns();
    }
    cosines_.emplace(numbers_at(&Couple::cosine));
    sines_.emplace(numbers_at(&Couple::sine));
  }

  void row(std::size_t r, Room& room, NormTally& tally) const {
    read(r, room);
    // What is no worse than the worst so far only counts.
    const double budget_ratio = tally.worst ? std::min(1.0, tally.worst->budget_ratio) : 0;
    // So many only count.
    const auto counted_only =
        is_padding(subject_.positions[r])
            ? 0
            : screen_.surplus(budget_ratio, subject_.positions[r], room.cosines, room.sines, room.screen);
    for (std::size_t i = 0; i < couples_.size() && counted_only < couples_.size(); ++i) {
      if (counted_only == 0 || !(room.screen.surplus[i] >= 0)) {
        judge_closely(r, i, budget_ratio, room, tally);
      }
    }
    tally.counts.elements += counted_only;
    tally.counts.judged += counted_only;
  }

 private:
  static std::vector<BudgetModel> models_of(const Case& subject) {
    std::vector<BudgetModel> models;
    for (const auto& tensor : subject.tensors.all<TableTensor>()) {
      models.push_back(tensor.model());
    }
    return models;
  }

  /// Where the numbers of couples are among those of a row of all tensors.
  std::vector<std::size_t> numbers_at(TensorColumn Couple::*component) const {
    std::vector<std::size_t> result;
    for (const auto& couple : couples_) {
      const auto& [tensor, column] = couple.*component;
      result.push_back(first_number_[tensor] + column);
    }
    return result;
  }

  double square() const { return amplitude_.approximately() * amplitude_.approximately(); }

  void read(std::size_t r, Room& room) const {
    room.numbers.resize(numbers_);
    for (std::size_t t = 0; t < subject_.tensors.all<TableTensor>().size(); ++t) {
      const auto columns = subject_.tensors.all<TableTensor>()[t].columns();
      subject_.tensors.all<TableTensor>()[t].row(r,
                                                 std::span(room.numbers).subspan(first_number_[t], columns));
    }
    room.cosines = cosines_->of(room.numbers, room.selected_cosines);
    room.sines = sines_->of(room.numbers, room.selected_sines);
  }

  /// Whether some tensor's row of this position is zero by definition.
  bool is_padding(std::int64_t position) const {
    return std::ranges::any_of(subject_.tensors.all<TableTensor>(), [&](const TableTensor& tensor) {
      return tensor.table.zero_position == position;
    });
  }

  void judge_closely(std::size_t r, std::size_t i, double budget_ratio, const Room& room,
                     NormTally& tally) const {
    const auto& couple = couples_[i];
    const auto position = subject_.positions[r];
    const double cosine = room.cosines[i];
    const double sine = room.sines[i];
    if (subject_.tensors.all<TableTensor>()[couple.cosine.tensor].table.zero_position == position) {
      return;
    }
    const auto& tensors = subject_.tensors.all<TableTensor>();
    const auto& of_cosine = tensors[couple.cosine.tensor];
    const auto& of_sine = tensors[couple.sine.tensor];
    if (of_cosine.has_overflown(of_cosine.table, cosine) || of_sine.has_overflown(of_sine.table, sine)) {
      ++tally.counts.elements;
      ++tally.counts.inconclusive;
      return;
    }
    if (budget_ratio > 0 && screen_.uses_at_most(budget_ratio, position, couple, cosine, sine)) {
      ++tally.counts.elements;
      ++tally.counts.judged;
    } else {
      add_row(tally, finding(r, couple, cosine, sine), square());
    }
  }

  RowNorm finding(std::size_t r, const Couple& couple, double cosine, double sine) const {
    const auto position = subject_.positions[r];
    const auto found =
        norm(cosine, apart_from_phase(models_[couple.cosine.tensor], position, couple.pair, cosine), sine,
             apart_from_phase(models_[couple.sine.tensor], position, couple.pair, sine), amplitude_);
    const double budget_ratio = !std::isfinite(cosine) || !std::isfinite(sine) ? infinity
                                : found.excess == 0                            ? 0
                                                    : std::fabs(found.excess) / found.allowed;
    return {r, couple, cosine, sine, found, budget_ratio};
  }

  const Case& subject_;
  std::span<const Couple> couples_;
  std::vector<BudgetModel> models_;
  Enclosure amplitude_;
  ConstantNormScreen screen_;
  std::size_t numbers_ = 0;                ///< of a row of all tensors
  std::vector<std::size_t> first_number_;  ///< a tensor: where its numbers are among them
  std::optional<SelectedEntries> cosines_;
  std::optional<SelectedEntries> sines_;
};

Check judge_couples(const Case& subject, const std::vector<Couple>& judged, Check check) {
  const CoupleJudge judge_of(subject, judged);
  // A reduction in the order of the rows: the first of the worst is found whatever the number of threads.
  const auto tally = oneapi::tbb::parallel_reduce(
      oneapi::tbb::blocked_range<std::size_t>(0, subject.positions.size(), norm_rows_at_once), NormTally{},
      [&](const auto& rows, NormTally so_far) {
        CoupleJudge::Room room;
        for (auto r = rows.begin(); r != rows.end(); ++r) {
          judge_of.row(r, room, so_far);
        }
        return so_far;
      },
      merged_tallies);
  check.counts = tally.counts;
  conclude(check, subject, tally.worst);
  return check;
}

}  // namespace

void judge_constant_norm_of_tables(const AuditedCase& audited, std::vector<Check>& out) {
  const auto& subject = audited.subject;
  const auto property = constant_norm_property();
  Check check{"property/" + std::string(subject.encoding->scheme()) + "/" + std::string(property.id),
              Status::skipped, "there are not both a cosine and a sine of any pair",
              requirement_of(property)};
  const auto judged = couples_of(subject.tensors.all<TableTensor>());
  out.push_back(judged.empty() ? std::move(check) : judge_couples(subject, judged, std::move(check)));
}

}  // namespace vernier
