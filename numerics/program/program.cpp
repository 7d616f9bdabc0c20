#include "numerics/program/program.hpp"

#include <algorithm>
#include <cassert>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "numerics/program/scaling.hpp"
#include "reference/support/mapped.hpp"

namespace vernier::program {
namespace {

/// Those that a program says of a stage.
std::vector<Use> said(const Program& program, Stage stage) {
  return filtered(program.ways, [&](const Use& by) { return by.way->first == stage; });
}

constexpr Stage first_stage = Stage::position;
constexpr Stage last_stage = Stage::argument;

}  // namespace

bool Program::takes(std::string_view id) const {
  return std::ranges::any_of(ways, [&](const Use& by) { return by.way->id == id; });
}

Program Program::by_any_library() const {
  Program result{{in.format, Library::any}, ways};
  for (auto& by : result.ways) {
    by.in = by.in ? std::optional(In{by.in->format, Library::any}) : std::nullopt;
  }
  return result;
}

std::string Program::words() const {
  std::vector<std::string> parts;
  for (auto stage = first_stage; stage <= last_stage; stage = next(stage)) {
    const auto any =
        mapped(filtered(ways, [&](const Use& by) { return by.way->last == stage && !by.way->words.empty(); }),
               &Use::words);
    if (!any.empty()) {
      parts.push_back(
          fmt::format("{} {}", stage_words[static_cast<std::size_t>(stage)], fmt::join(any, " or ")));
    }
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<std::vector<Use>> sequences(const Program& program, Stage first, Stage last) {
  std::vector<std::vector<Use>> result{{}};
  for (auto stage = first; stage <= last; stage = next(stage)) {
    auto ways = said(program, stage);
    if (ways.empty()) {
      ways.push_back({&plain_way(stage)});
    }
    std::vector<std::vector<Use>> longer;
    for (const auto& begun : result) {
      if (!begun.empty() && begun.back().way->last >= stage) {
        longer.push_back(begun);
        continue;
      }
      for (const auto& by : ways) {
        longer.push_back(begun);
        longer.back().push_back(by);
      }
    }
    result = std::move(longer);
  }
  return result;
}

std::vector<double> bits_of(const Program& program, const Declared& declared, Stage stage, std::int64_t row) {
  const auto all = sequences(program, first_stage, stage);
  assert(all.size() == 1);
  return mapped(read<Bits>(program.in, declared, row, all.front()),
                [&](Element<Bits>& x) { return x.at(stage); });
}

std::optional<std::vector<double>> frequencies_of(const Program& program, const Frequencies& frequencies) {
  if (const auto* joined = std::get_if<JoinedFrequencies>(&frequencies.family())) {
    std::vector<double> result;
    for (const auto& part : joined->parts) {
      const auto of_axis = frequencies_of(program, part);
      if (!of_axis) {
        return std::nullopt;
      }
      result.insert(result.end(), of_axis->begin(), of_axis->end());
    }
    return result;
  }
  const auto unscaled =
      std::visit([](const auto& family) { return Frequencies(family); }, frequencies.family());
  return progression_from_one(unscaled) == nullptr
             ? std::nullopt
             : std::optional(frequencies_of(program, Declared(unscaled, "a program")));
}

double narrowed(const Use& by, double frequency) {
  Element<Bits> x;
  x.frequency = frequency;
  return by.way->formula(Bits({Format::binary64}), x, by);
}

std::vector<Range> reached_frequencies(const Program& programs, const Declared& declared) {
  constexpr std::int64_t position = 1;
  std::vector<Range> result;
  for (auto sequence : sequences(programs, first_stage, Stage::phase)) {
    auto& phase = sequence.back();
    phase.in = In{phase.in.value_or(programs.in).format, Library::exact};
    for (std::size_t pair = 0; const auto& x : read<Reach>(programs.in, declared, position, sequence)) {
      if (result.size() == pair) {
        result.push_back(x.phase);
      }
      result[pair] = hull(result[pair], x.phase);
      ++pair;
    }
  }
  return result;
}

double script_base(const Declared& declared) {
  return wide_base(Bits({}), declared);
}

}  // namespace vernier::program
