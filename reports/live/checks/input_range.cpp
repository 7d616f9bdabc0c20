#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "numerics/cases/leading_dimensions.hpp"
#include "numerics/implementations/made_vectors.hpp"
#include "numerics/implementations/number_tensor.hpp"
#include "numerics/implementations/rows.hpp"
#include "reports/live/judged_rows.hpp"
#include "reports/live/live_check.hpp"
#include "reports/value_text.hpp"

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

/// The vectors as a tensor [leading, T, head_dim].
Tensor tensor_of(ElementType type, std::span<const MadeVector> vectors, Shape leading = {}) {
  std::vector<double> values;
  for (const auto& vector : vectors) {
    values.insert(values.end(), vector.elements.begin(), vector.elements.end());
  }
  const auto copies = std::accumulate(leading.begin(), leading.end(), std::size_t{1}, std::multiplies{});
  leading.insert(leading.end(), {vectors.size() / copies, vectors.front().elements.size()});
  return number_tensor(type, std::move(leading), values);
}

/// The judged vectors that a question asked for; null if there are none.
const RotatedTensor* vectors_of(const LiveSession& session, const Asked& asked) {
  const auto& all = session.judged_case()->tensors.all<RotatedTensor>();
  const auto found = std::ranges::find(all, asked.request.wanted.front().role, &RotatedTensor::role);
  return found == all.end() ? nullptr : &*found;
}

class RangeTrial {
 public:
  RangeTrial(LiveSession& session, const Asked& asked, Check& check)
      : session_(session),
        asked_(asked),
        check_(check),
        rotated_(*vectors_of(session, asked)),
        maker_(rotated_, session.options()) {
    const auto [least, greatest] = *session.reach();
    // Position 0 turns nothing.
    first_ = std::min(least + 1, greatest);
    within_reach_ = static_cast<std::size_t>(greatest - first_) + 1;
  }

  void ask_for_finite_ones() {
    const auto made = within_one_block(maker_.finite_vectors());
    const auto positions = positions_of(made.size());
    const auto response = ask(positions, tensor_of(type(), made));
    if (response.status != ResponseStatus::answered) {
      return tell_no_answer("vectors over the whole range of the format", response);
    }
    const auto answer = as_rows(response.tensors.find(rotated_.role())->second);
    for (const bool subnormal : {false, true}) {
      std::vector<std::size_t> places;
      for (std::size_t row = 0; row < made.size(); ++row) {
        if (made[row].is_subnormal == subnormal) {
          places.push_back(row);
        }
      }
      if (!places.empty()) {
        judge_input_range(made, positions, places, answer, subnormal);
      }
    }
  }

  std::string text() const {
    return "vectors from subnormal to near the greatest number of the format are rotated right" + notes_;
  }

 private:
  ElementType type() const { return asked_.request.input->type(); }

  std::vector<std::int64_t> positions_of(std::size_t rows) const {
    std::vector<std::int64_t> positions;
    for (std::size_t row = 0; row < rows; ++row) {
      positions.push_back(first_ + static_cast<std::int64_t>(row % within_reach_));
    }
    return positions;
  }

  /// Who takes consecutive positions only is asked for no more than there are.
  std::vector<MadeVector> within_one_block(std::vector<MadeVector> made) const {
    if (session_.implementation().takes().contiguous_only && made.size() > within_reach_) {
      made.erase(made.begin() + static_cast<std::ptrdiff_t>(within_reach_), made.end());
    }
    return made;
  }

  Response ask(const std::vector<std::int64_t>& positions, Tensor input) {
    Request request{asked_.request.spec,
                    integer_tensor({positions.size()}, positions),
                    std::nullopt,
                    {{rotated_.role(), asked_.request.wanted.front().type, input.shape()}}};
    request.input = std::move(input);
    return session_.ask(request);
  }

  void judge_input_range(std::span<const MadeVector> made, std::span<const std::int64_t> positions,
                         std::span<const std::size_t> places, const Tensor& answer, bool subnormal) {
    if (check_.status == Status::fail) {
      return;
    }
    AnsweredRows rows;
    std::vector<MadeVector> vectors;
    for (const auto place : places) {
      rows.positions.push_back(positions[place]);
      vectors.push_back(made[place]);
    }
    rows.input = tensor_of(type(), vectors);
    rows.tensors.emplace(rotated_.role(), with_places(answer, 0, places));
    const auto found = judge_rows(*session_.judged_case(), rows);
    check_.counts.elements += vectors.size();
    check_.counts.judged += vectors.size();
    if (!found.wrong) {
      check_.status = Status::pass;
    } else if (subnormal && is_flushed(rows.tensors.find(rotated_.role())->second)) {
      check_.status = Status::pass;
      notes_ += "; subnormal numbers are flushed to zero";
    } else {
      tell_wrong(*found.wrong, session_.position_text(rows.positions[found.wrong->row]),
                 vectors[found.wrong->row].words);
    }
  }

  /// Whether results are what flushing subnormal numbers can make of subnormal vectors: each product is at
  /// most the amplitude A times the least normal number, and two products, their sum and what is flushed on
  /// the way, another such number each, are within 2 A + 3 of them.
  bool is_flushed(const Tensor& answer) const {
    const auto format = *answer.format();
    const auto amplitude = rotated_.contract->bind(rotated_.rotation.table, format).amplitude();
    const auto most = (2 * amplitude + 3) * traits(format).smallest_normal();
    std::vector<double> values(answer.elements());
    answer.numbers(0, values);
    return std::ranges::all_of(values, [&](double value) { return std::fabs(value) <= most; });
  }

  void tell_wrong(const WrongElement& wrong, const std::string& position, const std::string& words) {
    check_.status = Status::fail;
    check_.counts.failing = 1;
    check_.reason =
        words + ": rotated of position " + position + ", column " + std::to_string(wrong.column) + ", " +
        (std::isfinite(wrong.budget_ratio) ? usage_text(wrong.budget_ratio) : "is changed or not finite");
    check_.counterexample = {
        {"vector", words}, {"position", position}, {"column", std::to_string(wrong.column)}};
  }

  /// Whoever rejects an input says so, and answers nothing wrong.
  void tell_no_answer(const std::string& what, const Response& response) {
    if (response.status == ResponseStatus::rejected || response.status == ResponseStatus::unsupported) {
      notes_ += "; " + what + " are declined: " + response.reason;
      check_.reason = what + " are declined: " + response.reason;
    } else if (check_.status != Status::fail) {
      tell_missing_answer(check_, what, response);
    }
  }

  LiveSession& session_;
  const Asked& asked_;
  Check& check_;
  const RotatedTensor& rotated_;
  InputMaker maker_;
  std::int64_t first_ = 0;
  std::size_t within_reach_ = 1;
  std::string notes_;
};

void judge_input_range(LiveSession& session, std::vector<Check>& out) {
  Check check{"use/input-range", Status::skipped, "no vectors were rotated",
              "vectors of any magnitude are rotated within budget"};
  const auto asked = std::ranges::find_if(session.asked(), [](const Asked& one) {
    return one.answered() && one.request.input && rows_stand_alone(one.request);
  });
  if (asked != session.asked().end() && vectors_of(session, *asked) != nullptr) {
    if (session.is_wrong(asked->request.wanted.front().role)) {
      check.reason = "the main answer breaks its contract, as small as its vectors are";
    } else {
      RangeTrial trial(session, *asked, check);
      trial.ask_for_finite_ones();
      if (check.status == Status::pass) {
        check.reason = trial.text();
      }
    }
  }
  out.push_back(std::move(check));
}

}  // namespace

LiveCheckKind input_range_check() {
  return {
      "use/input-range",
      "Vectors to rotate come from the whole range of the format: near its greatest number and far below "
      "one, subnormal, signed zeros, a single element beside zeros. If this fails, the implementation clips "
      "its input, overflows or loses bits in a narrower format inside. Flushing subnormal numbers is told "
      "and "
      "no failure. Numbers that are not finite are asked by use/not-finite.",
      "the rotation is linear: what is right at 1 is right at 2^100; outliers among activations reach "
      "thousands",
      "vectors of some magnitudes are not rotated as others are", judge_input_range};
}

}  // namespace vernier
