#include <algorithm>
#include <cmath>
#include <random>

#include "numerics/asking/questions.hpp"
#include "numerics/processes/rows.hpp"
#include "reports/verdict/live/judged_rows.hpp"
#include "reports/verdict/live/live_check.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr int asked_magnitudes = 12;
constexpr std::size_t single_elements = 16;

/// A vector to rotate, and what it is for.
struct MadeVector {
  std::string words;
  std::vector<double> elements;
  bool is_subnormal = false;
};

std::string power_text(int exponent) {
  return "2^" + std::to_string(exponent);
}

/// Makes vectors of a format.
class InputMaker {
 public:
  /// What results are stored in limits the range, and so does a factor that they are stored with.
  InputMaker(const RotatedTensor& rotated, const QuestionOptions& options)
      : rotation_(rotated.rotation),
        format_(traits(rotated.stored())),
        greatest_(format_.emax - (format_.is_storage_only() ? 1 : 0) - exponent_of(options.quantization)),
        generator_(options.seed) {}

  /// Of magnitudes in [2^exponent, 2^(exponent + 1)), all bits of the significand used.
  double element(int exponent) {
    const auto sign = generator_() % 2 == 0 ? 1.0 : -1.0;
    const auto significand =
        (std::uint64_t{1} << (format_.precision - 1)) | (generator_() >> (65 - format_.precision));
    return sign * std::ldexp(static_cast<double>(significand), exponent + 1 - format_.precision);
  }
  std::vector<double> vector(int exponent) {
    std::vector<double> elements(rotation_.head_dim);
    std::ranges::generate(elements, [&] { return element(exponent); });
    return elements;
  }

  /// Of elements that are neither great nor small: near 1, or less where a factor makes more of them.
  int usual() const { return std::clamp(0, least(), greatest_ - 2); }

  /// What is finite over the whole range. The greatest are a quarter of the greatest number, so that neither
  /// the sum of a pair nor the amplitude of a scaling takes an honest result beyond it; what may be beyond
  /// all the same is not judged. The least exceed the least normal number 2^emin by 2^(p + 4): products that
  /// are flushed to zero, of up to 2^emin each, then drown in the budget, which is some 2^-p of the vector.
  std::vector<MadeVector> finite_vectors() {
    const int greatest = greatest_ - 2;
    const int least = this->least();
    std::vector<MadeVector> made;
    for (int i = asked_magnitudes - 1; i >= 0; --i) {
      const int exponent = least + (greatest - least) * i / (asked_magnitudes - 1);
      made.push_back({"elements near " + power_text(exponent), vector(exponent)});
    }
    made.push_back(
        {"in every pair one element near " + power_text(greatest) + " and one near " + power_text(least),
         vector(greatest)});
    for (const auto& [first, second] : rotation_.pairs) {
      made.back().elements[second] = element(least);
    }
    MadeVector zeros{"positive and negative zeros", vector(0)};
    std::ranges::for_each(zeros.elements, [](double& x) { x = std::copysign(0.0, x); });
    made.push_back(std::move(zeros));
    MadeVector subnormal{"subnormal elements", vector(0), true};
    const auto subnormals = (std::uint64_t{1} << (format_.precision - 1)) - 1;
    std::ranges::for_each(subnormal.elements, [&](double& x) {
      x = std::copysign(format_.smallest() * static_cast<double>(1 + generator_() % subnormals), x);
    });
    made.push_back(std::move(subnormal));
    const auto ones = std::min(single_elements, rotation_.head_dim);
    for (std::size_t i = 0; i < ones; ++i) {
      const auto dimension = i * rotation_.head_dim / ones;
      const bool is_great = i % 2 == 1;
      made.push_back({"one element" + std::string(is_great ? " near the greatest number" : "") +
                          " in dimension " + std::to_string(dimension) + ", all others zero",
                      std::vector<double>(rotation_.head_dim, 0)});
      made.back().elements[dimension] = element(is_great ? greatest_ : usual());
    }
    return made;
  }

 private:
  /// A factor may leave no room between.
  int least() const { return std::min(format_.emin + format_.precision + 4, greatest_ - 2); }

  const HeadRotation& rotation_;
  const FormatTraits& format_;
  int greatest_;  ///< of which a power of two is near the greatest number of the format
  std::mt19937_64 generator_;
};

/// The vectors as a tensor [T, head_dim].
Tensor tensor_of(ElementType type, std::span<const MadeVector> vectors) {
  std::vector<double> values;
  for (const auto& vector : vectors) {
    values.insert(values.end(), vector.elements.begin(), vector.elements.end());
  }
  return number_tensor(type, {vectors.size(), vectors.front().elements.size()}, values);
}

/// Whether results are what flushing subnormal numbers can make of subnormal vectors: each product is at
/// most the amplitude A times the least normal number, and two products, their sum and what is flushed on
/// the way, another such number each, are within 2 A + 3 of them.
bool is_flushed(const RotatedTensor& rotated, const Tensor& answer) {
  const auto format = *answer.format();
  const auto amplitude = rotated.contract->bind(rotated.rotation.table, format).amplitude();
  const auto most = (2 * amplitude + 3) * traits(format).smallest_normal();
  std::vector<double> values(answer.elements());
  answer.numbers(0, values);
  return std::ranges::all_of(values, [&](double value) { return std::fabs(value) <= most; });
}

void tell_wrong(Check& check, const WrongElement& wrong, const std::string& position,
                const std::string& words) {
  check.status = Status::fail;
  check.counts.failing = 1;
  check.reason =
      words + ": rotated of position " + position + ", column " + std::to_string(wrong.column) + ", " +
      (std::isfinite(wrong.budget_ratio) ? usage_text(wrong.budget_ratio) : "is changed or not finite");
  check.counterexample = {
      {"vector", words}, {"position", position}, {"column", std::to_string(wrong.column)}};
}

/// Rotates vectors over the whole range of the format, and judges those of subnormal elements apart.
void try_range(LiveSession& session, const Asked& asked, const RotatedTensor& rotated, Check& check) {
  auto made = InputMaker(rotated, session.options()).finite_vectors();
  const auto [least, greatest] = *session.reach();
  const auto first = std::min(least + 1, greatest);  // position 0 turns nothing
  const auto within_reach = static_cast<std::size_t>(greatest - first) + 1;
  // Who takes consecutive positions only is asked for no more than there are.
  if (session.implementation().takes().contiguous_only && made.size() > within_reach) {
    made.erase(made.begin() + static_cast<std::ptrdiff_t>(within_reach), made.end());
  }
  std::vector<std::int64_t> positions;
  for (std::size_t row = 0; row < made.size(); ++row) {
    positions.push_back(first + static_cast<std::int64_t>(row % within_reach));
  }
  auto request = at_positions(asked.request, positions);
  request.input = tensor_of(asked.request.input->type(), made);
  const auto response = session.ask(request);
  const std::string asked_for = "vectors over the whole range of the format";
  if (response.status == ResponseStatus::rejected || response.status == ResponseStatus::unsupported) {
    check.reason = asked_for + " are declined: " + response.reason;
    return;
  }
  if (!response.is_answered()) {
    return tell_missing_answer(check, asked_for, response);
  }
  std::string notes;
  for (const bool subnormal : {false, true}) {
    auto places = consecutive_rows(made.size());
    std::erase_if(places, [&](std::size_t place) { return made[place].is_subnormal != subnormal; });
    const auto rows = answered_rows(request, response, places);
    const auto found = judge_rows(*session.judged_case(), rows);
    check.counts.elements += places.size();
    check.counts.judged += places.size();
    if (found.wrong && subnormal && is_flushed(rotated, rows.tensors.find(rotated.role())->second)) {
      notes = "; subnormal numbers are flushed to zero";
    } else if (found.wrong) {
      const auto row = found.wrong->row;
      return tell_wrong(check, *found.wrong, session.position_text(rows.positions[row]),
                        made[places[row]].words);
    }
  }
  check.status = Status::pass;
  check.reason = "vectors from subnormal to near the greatest number of the format are rotated right" + notes;
}

}  // namespace

void judge_input_range(LiveSession& session, std::vector<Check>& out) {
  auto& check = out.emplace_back(live_check("use/input-range", "no vectors were rotated"));
  const auto asked = std::ranges::find_if(session.asked(), [](const Asked& question) {
    return question.answered() && question.request.input && rows_stand_alone(question.request);
  });
  const auto* rotated =
      asked == session.asked().end() ? nullptr : rotated_vectors(*session.judged_case(), asked->request);
  if (rotated != nullptr && session.is_wrong(rotated->role())) {
    check.reason = "the main answer breaks its contract, as small as its vectors are";
  } else if (rotated != nullptr) {
    try_range(session, *asked, *rotated, check);
  }
}

}  // namespace vernier
