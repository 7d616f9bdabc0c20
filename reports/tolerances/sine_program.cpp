#include "reports/tolerances/sine_program.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "numerics/arithmetic/rounding.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "numerics/tolerances/frequency_order.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// So many programs are drawn for one that keeps the contract.
constexpr int most_programs = 256;

/// As the C library has them for the type.
template <class Float>
CosineAndSine by_library(double phase) {
  const auto x = static_cast<Float>(phase);
  return {static_cast<double>(std::cos(x)), static_cast<double>(std::sin(x))};
}

CosineAndSine rounded(Format format, const CosineAndSine& turn, double factor = 1) {
  return {round_to(format, turn.first * factor), round_to(format, turn.second * factor)};
}

/// What is left of the phase after quarter turns, exact but for 2^-64 of each, is a float32.
CosineAndSine reduced_to_single(double phase) {
  int quarters = 0;
  const auto rest =
      std::remquo(static_cast<long double>(phase), std::numbers::pi_v<long double> / 2, &quarters);
  const auto [c, s] = by_library<float>(static_cast<double>(rest));
  const std::array<CosineAndSine, 4> turned{{{c, s}, {-s, c}, {-c, -s}, {s, -c}}};
  return turned[static_cast<std::size_t>(quarters & 3)];
}

/// \return whether the frequencies are computed as the question's contract says
bool choose_frequencies(const ToleranceQuestion& question, SeededDraws& draw, SineProgram& program) {
  const auto& encoding = *question.encoding;
  const auto frequencies = encoding.plain_tables().front().frequencies;
  const auto keeps_contract = [&](std::string_view contract) {
    const bool is_usual = contract == "float32" || contract == "float64";
    return (is_usual ? default_contract(program.stored).id : contract) == question.contract->id;
  };
  program.compute =
      program.stored == Format::binary64 || draw.chance(0.3) ? Format::binary64 : Format::binary32;
  if (program::progression_from_one(frequencies) == nullptr) {
    program.words = fmt::format("listed in {}", traits(program.compute).name);
    program.take(encoding);
    return keeps_contract("float32");
  }
  const auto usable = pointers_to(every_recipe(), [&](const Recipe& recipe) {
    return recipe.compute() == program.compute && keeps_contract(recipe.contract);
  });
  if (usable.empty()) {
    return false;
  }
  const auto& recipe = *draw.of(usable);
  program.words = recipe.id;
  program.take(encoding);
  program.rule = recipe.prepare(frequencies);
  for (int pair = 0; auto& frequency : program.frequencies) {
    frequency = used_phase(*program.rule, 1, pair++);
  }
  if (!program.rule->is_recursive() && !recipe.narrowed()) {
    program.rule.reset();
  }
  return true;
}

struct Trigonometry {
  std::string_view words;
  CosineAndSine (*of_phase)(double phase);
};

Trigonometry draw_trigonometry(SineProgram& program, SeededDraws& draw) {
  static constexpr Trigonometry in_double{"libm double", by_library<double>};
  if (program.compute == Format::binary64) {
    return draw.chance(0.3) ? Trigonometry{"libm long double", by_library<long double>} : in_double;
  }
  program.rounds_phase = program.rule || draw.chance(0.75);
  program.words += program.rounds_phase ? "" : "; product unrounded";
  const auto way = draw.below(4);
  return way == 1 ? Trigonometry{"reduced in long double, libm float", reduced_to_single}
         : way == 0 || !program.rounds_phase ? in_double
                                             : Trigonometry{"libm float", by_library<float>};
}

}  // namespace

SineProgram draw_program(const ToleranceQuestion& question, SeededDraws& draw) {
  for (int attempt = 0; attempt < most_programs; ++attempt) {
    SineProgram program{.stored = question.stored(), .order = question.rotation};
    if (choose_frequencies(question, draw, program)) {
      const auto [words, of_phase] = draw_trigonometry(program, draw);
      program.words += fmt::format("; {}", words);
      program.trigonometry = of_phase;
      return program;
    }
  }
  throw InputError("tolerance: --judge: no catalogued implementation keeps the contract {} in {}",
                   question.contract->id, traits(question.stored()).name);
}

void SineProgram::take(const Encoding& encoding) {
  const auto defined = encoding.plain_tables();
  const auto& exact = defined.front().frequencies;
  frequencies.clear();
  for (int pair = 0; pair < exact.pairs(); ++pair) {
    frequencies.push_back(round_to(compute, exact.approximate(pair)));
  }
  amplitude = round_to(compute, approximately(defined.front().amplitude));
  roles = mapped(defined, &TrigTable::role);
  if (const auto* rotation = encoding.rotation()) {
    pairs = rotation->pairs;
    direction = rotation->direction();
    roles.insert(roles.end(), 2, std::string(rotation->role()));
  }
}

CosineAndSine SineProgram::honest_turn(double phase) const {
  return rounded(compute, trigonometry(phase));
}

void SineProgram::edit(std::string_view stage, std::initializer_list<double> variables,
                       std::initializer_list<double*> results) const {
  if (const auto found = stages.find(stage); found != stages.end()) {
    auto formula = found->second.begin();
    for (auto* const result : results) {
      *result = (*formula++)(variables);
    }
  }
}

double SineProgram::honest_phase(int pair, double place) const {
  if (rule) {
    return used_phase(*rule, static_cast<std::int64_t>(place), pair);
  }
  const double product = round_to(compute, place) * frequencies[static_cast<std::size_t>(pair)];
  return rounds_phase ? round_to(compute, product) : product;
}

std::vector<CosineAndSine> SineProgram::turns(std::int64_t position) const {
  const auto p = static_cast<double>(position);
  double place = p;
  edit("place", {p}, {&place});
  std::vector<CosineAndSine> result;
  for (int pair = 0; pair < static_cast<int>(frequencies.size()); ++pair) {
    const double i = pair;
    double phase = honest_phase(pair, place);
    edit("phase", {place, i, phase}, {&phase});
    auto turn = honest_turn(phase);
    auto& [cosine, sine] = turn;
    edit("trigonometry", {phase}, {&cosine, &sine});
    turn = amplitude == 1 ? turn : rounded(compute, turn, amplitude);
    turn = order ? rounded(order->tables, turn) : turn;
    edit("turn", {p, i, cosine, sine}, {&cosine, &sine});
    result.push_back(turn);
  }
  return result;
}

std::pair<double, double> SineProgram::rotated(double x0, double x1, double cosine, double sine) const {
  const auto math = order->math;
  const double c = round_to(math, cosine);
  const double s = round_to(math, sine);
  const auto sum = [&](double a, double b, double d, double e) {
    const double second = multiply(math, d, e);
    return order->is_fused ? fused_in(math, a, b, second) : add(math, multiply(math, a, b), second);
  };
  return {sum(x0, c, -x1, s), sum(x0, s, x1, c)};
}

void SineProgram::finish(std::string_view role, std::span<const std::int64_t> positions,
                         std::span<const double> input, std::span<double> values) const {
  const auto edited = stages.find("value");
  const std::vector<double> before(values.begin(), values.end());
  const auto rows = positions.size();
  const auto width = values.size() / rows;
  const auto number = [](std::size_t index) { return static_cast<double>(index); };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = edited == stages.end()
                             ? before[i]
                             : edited->second.front()({static_cast<double>(positions[i / width]),
                                                       number(i / width), number(i % width), before[i],
                                                       number(rows), number(width), code_of_role(role)},
                                                      {before, input, width});
    values[i] = round_to(stored, value);
  }
}

std::vector<double> SineProgram::values(const ComparedTensors& tensors,
                                        std::span<const std::int64_t> positions) const {
  const auto by_row = mapped(positions, [&](auto position) { return turns(position); });
  std::vector<double> result;
  for (const auto& definition : tensors.definitions) {
    const auto first = result.size();
    const auto* sines = tensor_form(definition).sines;
    if (sines == nullptr) {
      const auto width = shape_of(definition, positions.size()).back();
      for (const double x : std::span(tensors.input).first(positions.size() * width)) {
        edit("read", {x}, {&result.emplace_back(x)});
      }
      for (std::size_t row = 0; row < positions.size(); ++row) {
        for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
          double& y0 = result[first + row * width + pairs[pair].first];
          double& y1 = result[first + row * width + pairs[pair].second];
          const auto [x0, x1] = std::pair(y0, y1);
          const double c = by_row[row][pair].first;
          const double s = direction * by_row[row][pair].second;
          std::tie(y0, y1) = rotated(x0, x1, c, s);
          edit("pair", {x0, x1, c, s}, {&y0, &y1});
        }
      }
    } else {
      for (std::size_t row = 0; row < positions.size(); ++row) {
        for (std::size_t column = 0; column < sines->columns.size(); ++column) {
          const auto& [pair, component] = sines->columns[column];
          const auto& [cosine, sine] = by_row[row][static_cast<std::size_t>(pair)];
          const bool is_zero = sines->is_zero(positions[row], column);
          result.push_back(is_zero ? 0 : component == Component::sine ? sine : cosine);
        }
      }
    }
    finish(role_of(definition), positions, tensors.input, std::span(result).subspan(first));
  }
  return result;
}

}  // namespace vernier
