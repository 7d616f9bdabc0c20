#include "reports/rates/rates.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <sstream>

#include "reference/input_error.hpp"
#include "reports/rates/budgets.hpp"
#include "reports/rates/honest.hpp"
#include "reports/rates/judge.hpp"

namespace vernier::rates {
namespace {

/// A fault smaller than the budget of every element is none.
constexpr double least_size = 1;
/// A kind that so many designs cannot have gives way to the next.
constexpr int most_designs = 200;

/// Draws of one run have nothing in common, and the n-th is the same however many there are.
Draw draw_of(const RatesOptions& options, std::uint64_t kind, int index) {
  Draw seeds(options.seed * 2 + kind);
  return Draw(seeds.bits() + 0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(index));
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) {
    text += "; " + word;
  }
  return text;
}

std::string description_of(const Design& design) {
  return design.encoding->summary() + "; positions " + std::to_string(design.positions.first) + " to " +
         std::to_string(design.positions.at(design.length() - 1)) + joined(design.words);
}

std::string finding_of(const Verdict& verdict) {
  for (const auto status : {Status::fail, Status::error, Status::inconclusive}) {
    const auto found = std::ranges::find(verdict.checks, status, &Check::status);
    if (found != verdict.checks.end()) {
      return found->id + ": " + found->reason;
    }
  }
  return {};
}

/// A design, and what it was drawn as.
struct Specimen {
  Design design;
  Drawn drawn;
  Draw draw;
};

Specimen honest_case(const RatesOptions& options, int index) {
  auto draw = draw_of(options, 0, index);
  auto design = draw_honest(draw, options.longest, options.elements);
  auto description = description_of(design);
  return {std::move(design), {.index = index, .description = std::move(description)}, draw};
}

/// The fault planted into an honest design, if it shows there.
std::optional<Specimen> plant(const Fault& fault, int index, const RatesOptions& options, Draw& draw) {
  const auto honest = draw_honest(draw, options.longest, options.elements);
  if (!honest.tuning.empty()) {
    return std::nullopt;  // what depends on the length of the question is hard enough to judge without faults
  }
  auto faulty = honest;
  auto planted = fault.plant(draw, faulty);
  if (!planted) {
    return std::nullopt;
  }
  Drawn drawn{index, description_of(honest), &fault, planted->words};
  if (fault.shows != Shows::questions) {
    drawn.size = size_of(faulty, honest, planted->telling);
    if (fault.shows == Shows::values && !(*drawn.size > least_size)) {
      return std::nullopt;
    }
  }
  return Specimen{std::move(faulty), std::move(drawn), draw};
}

/// The kind of the n-th draw: all in turn, and those of a few draws from every group.
std::size_t kind_of(int index) {
  const auto kinds = faults().size();
  auto step = kinds * 5 / 8;
  while (std::gcd(step, kinds) != 1) {
    ++step;
  }
  return static_cast<std::size_t>(index) * step % kinds;
}

Specimen faulty_case(const RatesOptions& options, int index) {
  auto draw = draw_of(options, 1, index);
  for (auto kind = kind_of(index);; ++kind) {
    for (int attempt = 0; attempt < most_designs; ++attempt) {
      if (auto result = plant(faults()[kind % faults().size()], index, options, draw)) {
        return *std::move(result);
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

void judge_case(Specimen& drawn, const RatesOptions& options) {
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
  const auto run = [&](Specimen one, std::vector<Drawn>& into) {
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
    for (const auto& check : judge(one.design, way, seed, options.cases).checks) {
      text << "  " << check.id << ": " << to_string(check.status) << ": " << check.reason << "\n";
      for (const auto& [name, value] : check.counterexample) {
        text << "    " << name << ": " << value << "\n";
      }
    }
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
