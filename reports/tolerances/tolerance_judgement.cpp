#include "reports/tolerances/tolerance_judgement.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numbers>
#include <set>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/elements/narrow_arithmetic.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "numerics/tensors/spread_indices.hpp"
#include "reference/support/threads.hpp"
#include "reports/tolerances/sine_program.hpp"

namespace vernier {
namespace {

constexpr std::uint64_t judgement_seed = 20170612;
enum StreamOfDraws : std::uint64_t { honest_programs, faulty_programs, other_programs };
constexpr std::size_t most_honest = 12;
/// So many programs are drawn for an honest one that computes in its own way, and for one that can have a
/// fault.
constexpr int most_honest_draws = 96;
constexpr int most_faulty_draws = 6;
constexpr std::size_t most_positions = 4096;
constexpr std::size_t few_positions = 48;

/// The n-th draws of a stream are the same however many there are.
SeededDraws draws_of(StreamOfDraws stream, int n, std::uint64_t seed = judgement_seed) {
  return SeededDraws(std::mt19937_64(2 * seed + stream)() +
                     0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(n));
}

/// So many of a range, evenly spaced, the first and the last among them, and those of others that are within
/// it.
std::vector<std::int64_t> some_positions(const PositionRange& range, std::size_t most,
                                         std::span<const std::int64_t> others = {}) {
  std::set<std::int64_t> positions;
  for (const auto row : spread_indices(static_cast<std::size_t>(range.count), most)) {
    positions.insert(range.at(static_cast<std::int64_t>(row)));
  }
  std::ranges::copy_if(others, std::inserter(positions, positions.end()), [&](std::int64_t position) {
    return position >= range.first && position - range.first < range.count;
  });
  return {positions.begin(), positions.end()};
}

/// Normal numbers, none beyond the bound.
std::vector<double> normal_numbers(std::size_t count, Format format, double bound) {
  SeededDraws draw(judgement_seed);
  std::vector<double> values(count);
  for (auto& value : values) {
    // Box and Muller 1958.
    const double radius = std::sqrt(-2 * std::log(1 - draw.share()));
    const double x = radius * std::cos(2 * std::numbers::pi * draw.share());
    value = round_to(format, std::clamp(x, -bound, bound));
  }
  return values;
}

/// The tables of the encoding, and the vectors that are rotated, if there are some.
ComparedTensors all_tensors(const ToleranceQuestion& question, std::size_t positions) {
  ComparedTensors tensors;
  for (const auto& table : question.encoding->plain_tables()) {  // of a role the widest comes last
    std::erase_if(tensors.definitions, [&](const auto& one) { return role_of(one) == table.role; });
    tensors.definitions.emplace_back(TurnedTable(table));
  }
  if (question.rotation) {
    auto rotation = *question.encoding->rotation();
    rotation.axes.clear();  // tokens have one position along all of them
    const auto stored = question.stored();
    tensors.input = normal_numbers(positions * rotation.head_dim,
                                   traits(stored).is_storage_only() ? Format::binary32 : stored,
                                   question.rotation->input_bound);
    tensors.definitions.emplace_back(std::move(rotation));
  }
  return tensors;
}

/// The format in which the contract computes; that of the tensors if it does not say.
Format computing_format(const ToleranceQuestion& question) {
  const auto model = question.contract->bind(question.encoding->plain_tables().front(), question.stored());
  return model.judges_computation() ? model.parameters().compute : question.stored();
}

/// Judges programs by what their answers are compared with.
class ToleranceJudge {
 public:
  ToleranceJudge(const ToleranceQuestion& question, const Tolerance& judged, const Tolerance& smallest)
      : question_(question),
        tolerances_{judged, smallest},
        all_(some_positions(question.positions, most_positions)),
        tensors_(all_tensors(question, all_.size())),
        compute_(computing_format(question)) {
    if (question.expected == Expected::another) {
      auto draw = draws_of(other_programs, 0);
      another_ = draw_program(question, draw);
    }
    if (question.expected != Expected::same_table) {
      expected_of_all_ = expected_of_any(all_);
    }
  }

  /// How many are compared.
  std::size_t positions() const { return all_.size(); }

  std::vector<JudgedProgram> judge_honest() const {
    std::vector<JudgedProgram> judged;
    for (int index = 0; index < most_honest_draws && judged.size() < most_honest; ++index) {
      auto draw = draws_of(honest_programs, index);
      const auto program = draw_program(question_, draw);
      if (std::ranges::find(judged, program.words, &JudgedProgram::words) == judged.end()) {
        compare(program, program, all_, program.values(tensors_, all_),
                judged.emplace_back(JudgedProgram{program.words}));
      }
    }
    return judged;
  }

  /// Plants the fault into some honest program, and compares; false if none that is drawn can have it.
  bool judge_planting(SeededDraws draw, JudgedFault& judged) const {
    for (int attempt = 0; attempt < most_faulty_draws; ++attempt) {
      const auto honest = draw_program(question_, draw);
      const auto faulty = plant(*judged.kind, question_, honest, draw);
      if (!faulty) {
        continue;
      }
      const auto positions = some_positions(question_.positions, few_positions, faulty->telling);
      const auto answers = faulty->values(tensors_, positions);
      if (std::ranges::equal(compared(answers, positions),
                             compared(honest.values(tensors_, positions), positions)) ||
          !is_beyond_budget(compared(answers, positions), positions, judged)) {
        continue;  // it spoils other tensors, or nothing
      }
      auto& seen = judged.plantings.emplace_back(JudgedProgram{faulty->words});
      compare(*faulty, honest, positions, answers, seen);
      if (seen.passes[0] || seen.passes[1]) {
        compare(*faulty, honest, all_, faulty->values(tensors_, all_), seen);
      }
      return true;
    }
    return false;
  }

 private:
  using Positions = std::vector<std::int64_t>;

  /// Of the values of all tensors those that are compared: rotated vectors, where there are some.
  std::span<const double> compared(std::span<const double> values, const Positions& positions) const {
    const auto& first = compared_definitions().front();
    return are_vectors(first) ? values.last(positions.size() * shape_of(first, 1).back()) : values;
  }

  /// Adds what is seen at these positions. \param answers the values of the program
  void compare(const SineProgram& program, const SineProgram& honest, const Positions& positions,
               std::span<const double> answers, JudgedProgram& seen) const {
    const auto got = compared(answers, positions);
    const auto all_expected = question_.expected == Expected::same_table
                                  ? by_the_same_table(program, honest).values(tensors_, positions)
                              : &positions == &all_ ? expected_of_all_
                                                    : expected_of_any(positions);
    const auto expected = compared(all_expected, positions);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double off =
          std::isfinite(got[i]) ? std::fabs(got[i] - expected[i]) : std::numeric_limits<double>::infinity();
      seen.difference = std::max(seen.difference, off);
      for (std::size_t t = 0; t < tolerances_.size(); ++t) {
        const auto& [absolute, relative] = tolerances_[t];
        seen.passes[t] = seen.passes[t] && off <= absolute + relative * std::fabs(expected[i]);
      }
    }
  }

  std::span<const TensorDefinition> compared_definitions() const {
    const auto all = std::span(tensors_.definitions);
    return are_vectors(all.back()) ? all.last(1) : all;
  }

  /// Whether some element that is compared is off by more than the contract allows it. Of what it lets pass
  /// as narrower arithmetic, the share of the budgets is noted.
  bool is_beyond_budget(std::span<const double> answers, const Positions& positions,
                        JudgedFault& judged) const {
    double share = 0;
    bool is_narrow = false;
    for (const auto& definition : compared_definitions()) {
      const auto source = elements(definition, positions);
      const auto of_definition = answers.first(source->elements());
      answers = answers.subspan(of_definition.size());
      const auto got = [&](std::size_t index) { return of_definition[index]; };
      const auto report = audit_elements(*source, got);
      if (report.failing > 0) {
        return true;
      }
      share = std::max(share, report.worst ? report.worst->budget_ratio : 0);
      is_narrow = is_narrow || audit_one_rounding(*source, *question_.contract, compute_, question_.stored(),
                                                  spread_indices(positions.size(), positions.size()), got)
                                       .failing > 0;
    }
    judged.narrow_share = std::max(judged.narrow_share, is_narrow ? share : 0);
    return false;
  }

  PlacedElements elements(const TensorDefinition& definition, const Positions& positions) const {
    PlacedElements source(
        *question_.encoding, definition, positions, 0, [this](std::size_t row, std::span<double> out) {
          std::ranges::copy(std::span(tensors_.input).subspan(row * out.size(), out.size()), out.begin());
        });
    source->bind(*question_.contract, question_.stored());
    return source;
  }

  /// What any program is compared with; of tensors that are compared alone, unless another program has them.
  std::vector<double> expected_of_any(const Positions& positions) const {
    if (another_) {
      return another_->values(tensors_, positions);
    }
    std::vector<double> expected;
    for (const auto& definition : compared_definitions()) {
      const auto source = elements(definition, positions);
      for (std::size_t row = 0; row < positions.size(); ++row) {
        source->go_to(row);
        for (std::size_t column = 0; column < source->columns(); ++column) {
          const double truth = source->truth(column)->approximately();
          expected.push_back(question_.expected == Expected::rounded ? round_to(question_.stored(), truth)
                                                                     : truth);
        }
      }
    }
    return expected;
  }

  /// What turns by the cosines and sines of the program, and does all after that honestly.
  SineProgram by_the_same_table(const SineProgram& program, const SineProgram& honest) const {
    auto other = program;
    if (program.pairs.size() != honest.pairs.size()) {
      other.frequencies = honest.frequencies;  // the table has other columns than the program turns by
      other.pairs = honest.pairs;
    }
    for (const auto* stage : {"read", "pair", "value"}) {
      other.stages.erase(stage);
    }
    other.order->is_fused = !question_.rotation->is_fused;
    return other;
  }

  const ToleranceQuestion& question_;
  std::array<Tolerance, 2> tolerances_;
  Positions all_;
  ComparedTensors tensors_;
  Format compute_;
  std::optional<SineProgram> another_;
  std::vector<double> expected_of_all_;
};

}  // namespace

std::size_t ToleranceJudgement::slipping(std::size_t tolerance) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      faults, [=](const JudgedFault& fault) { return fault.slips_through(tolerance); }));
}

std::size_t ToleranceJudgement::rejected() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(honest, [](const JudgedProgram& one) { return !one.passes[0]; }));
}

bool ToleranceJudgement::is_as_good_as_can_be() const {
  return holds() && rejected() == 0 && std::ranges::none_of(faults, [](const JudgedFault& fault) {
           return fault.slips_through(0) && !fault.slips_through(1);
         });
}

ToleranceJudgement judge_tolerance(const ToleranceQuestion& question, const ToleranceStudy& study,
                                   const Tolerance& judged, unsigned threads, int plantings) {
  assert(question.positions.step == 1);
  ToleranceJudgement judgement{
      question.contract->id, judged, study.whole().smallest,
      absolute_part_needed(study.whole().errors, question.stored(), question.expected, judged.relative,
                           study.greatest_value)};
  const ToleranceJudge judge(question, judged, judgement.smallest);
  judgement.positions = judge.positions();
  judgement.honest = judge.judge_honest();
  const auto& kinds = program_faults();
  judgement.faults.resize(kinds.size());
  with_threads(threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, kinds.size(), [&](std::size_t i) {
      auto& fault = judgement.faults[i];
      fault.kind = &kinds[i];
      for (int index = 0; index < plantings; ++index) {
        const auto draw = draws_of(faulty_programs, index, judgement_seed + i);
        if (!judge.judge_planting(draw, fault) && fault.plantings.empty()) {
          return;
        }
      }
    });
  });
  for (const auto& fault : judgement.faults) {
    if (fault.plantings.empty() && fault.narrow_share > 0) {
      judgement.narrow.push_back(fault);
    }
  }
  std::erase_if(judgement.faults, [](const JudgedFault& fault) { return fault.plantings.empty(); });
  return judgement;
}

}  // namespace vernier
