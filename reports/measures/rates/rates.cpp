#include "reports/measures/rates/rates.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "reference/support/input_error.hpp"
#include "reports/measures/rates/honest.hpp"
#include "reports/measures/rates/judge.hpp"
#include "reports/measures/rates/specimen.hpp"

namespace vernier::rates {
namespace {

/// A kind that so many designs cannot have gives way to the next.
constexpr int most_rate_designs = 200;
/// One honest design in so many is stored in eight bits, if it can.
constexpr int eight_bits_every = 4;

/// A design, and what it was drawn as.
struct DrawnCase {
  Design design;
  Drawn drawn;
  Draw draw;
};

DrawnCase honest_case(const RatesOptions& options, int index) {
  auto draw = draw_of(options.seed, 0, index);
  auto design = draw_honest(draw, options.longest, options.elements);
  if (index % eight_bits_every == 0) {
    store_in_eight_bits(draw, design);
  }
  auto description = description_of(design);
  return {std::move(design), {.index = index, .description = std::move(description)}, draw};
}

DrawnCase faulty_case(const RatesOptions& options, int index) {
  auto draw = draw_of(options.seed, 1, index);
  for (auto kind = kind_in_turn(index, faults().size());; ++kind) {
    const auto& fault = faults()[kind % faults().size()];
    for (int attempt = 0; attempt < most_rate_designs; ++attempt) {
      const auto honest = draw_honest(draw, options.longest, options.elements, fault.of);
      if (auto faulty = plant_in(fault, honest, honest, draw)) {
        Drawn drawn{index, description_of(honest), &fault, faulty->planted.words, faulty->size};
        return {std::move(faulty->design), std::move(drawn), draw};
      }
    }
  }
}

Verdict judge(const Design& design, Way way, std::uint64_t seed, int cases) {
  return way == Way::live ? judge_live(design, seed, cases) : judge_tensors(design, {}, seed);
}

std::vector<Way> ways_of(const Drawn& drawn) {
  const bool is_stored = drawn.fault == nullptr || drawn.fault->shows != Shows::questions;
  return is_stored ? std::vector{Way::live, Way::stored} : std::vector{Way::live};
}

void judge_case(DrawnCase& drawn, const RatesOptions& options) {
  const auto seed = drawn.draw.bits();
  for (const auto way : ways_of(drawn.drawn)) {
    options.pause();
    Judged judged{.way = way};
    const auto start = std::chrono::steady_clock::now();
    try {
      const auto verdict = judge(drawn.design, way, seed, options.cases);
      judged.exit_code = exit_code(verdict);
      judged.finding = judged.exit_code == 0 ? std::string() : finding_of(verdict);
    } catch (const InputError& error) {
      judged.exit_code = 2;
      judged.finding = error.what();
    }
    judged.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    drawn.drawn.verdicts.push_back(std::move(judged));
  }
}

}  // namespace

Rates measure_rates(const RatesOptions& options, const std::function<void(const Drawn&)>& progress) {
  Rates rates{options, {}, {}};
  const auto run = [&](DrawnCase one, std::vector<Drawn>& into) {
    judge_case(one, options);
    progress(one.drawn);
    into.push_back(std::move(one.drawn));
  };
  for (int index = 0; index < options.honest; ++index) {
    run(honest_case(options, index), rates.honest);
  }
  for (int index = 0; index < options.faulty; ++index) {
    run(faulty_case(options, index), rates.faulty);
  }
  return rates;
}

std::string retell(const RatesOptions& options, int index) {
  auto one = index >= 0 ? honest_case(options, index) : faulty_case(options, -1 - index);
  std::ostringstream text;
  text << one.design.spec << "\n" << one.drawn.description << "\n";
  if (one.drawn.fault != nullptr) {
    text << one.drawn.fault->id << " " << one.drawn.parameters << "\n";
  }
  const auto seed = one.draw.bits();
  for (const auto way : ways_of(one.drawn)) {
    text << (way == Way::live ? "live" : "stored") << "\n";
    text << checks_of(judge(one.design, way, seed, options.cases));
  }
  return text.str();
}

Tally tally(const std::vector<Drawn>& drawn, Way way, std::string_view fault) {
  Tally result;
  for (const auto& one : drawn) {
    for (const auto& judged : one.verdicts) {
      if (judged.way != way || (!fault.empty() && one.fault->id != fault)) {
        continue;
      }
      (judged.exit_code == 0   ? result.conforms
       : judged.exit_code == 4 ? result.undecided
                               : result.refused) += 1;
    }
  }
  return result;
}

double quantile_of_seconds(const Rates& rates, Way way, double share) {
  std::vector<double> seconds;
  for (const auto* group : {&rates.honest, &rates.faulty}) {
    for (const auto& one : *group) {
      for (const auto& judged : one.verdicts) {
        if (judged.way == way) {
          seconds.push_back(judged.seconds);
        }
      }
    }
  }
  if (seconds.empty()) {
    return 0;
  }
  std::ranges::sort(seconds);
  return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
}

}  // namespace vernier::rates
