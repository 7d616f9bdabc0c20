#include <algorithm>

#include "props/judging/interval_predicates.hpp"
#include "props/judging/specs.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/matrix/matrix.hpp"
#include "props/models/trig_code.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

TrigTable powers_of_two(int width) {
  return encoding_of(std::string(R"({"scheme": "sine_powers_of_two", "d_model": )") + std::to_string(width) +
                     "}")
      ->plain_tables()
      .front();
}

TrigTable sines(int width, const std::string& reading) {
  return encoding_of(std::string(R"({"scheme": "sine_only", "d_model": )") + std::to_string(width) +
                     R"(, "reading": ")" + reading + R"("})")
      ->plain_tables()
      .front();
}

/// PE(t, i) = sin(t / 2^i)
void sine_only_definition(Facts& facts) {
  const auto table = powers_of_two(8);
  bool as_defined = true;
  bool zero_at_zero = true;
  for (std::size_t i = 0; i < 8; ++i) {
    for (const std::int64_t t : {1, 7, 1000}) {
      const Rational phase(t, std::int64_t{1} << i);
      as_defined &= contains_zero(table.entry(t, i)() - sin(enclose(phase)));
    }
    zero_at_zero &= contains(table.entry(0, i)(), 0);
  }
  facts.add(as_defined, "d = 8: the elements at 1, 7 and 1000 are sin(t / 2^i)");
  facts.add(zero_at_zero, "the code of position 0 is the zero vector");
}

/// The greatest slope of sin(t 2^-i) is 2^-i, at t = 0, and a step moves it by 2 sin(2^-i / 2) at most.
void sensitivity(Facts& facts) {
  const auto table = powers_of_two(160);
  bool falls = true;
  for (int i = 1; i < 160; ++i) {
    const Interval before = 2 * sin(table.frequencies.at(i - 1) / 2);
    const Interval after = 2 * sin(table.frequencies.at(i) / 2);
    falls &=
        certainly_less(table.frequencies.at(i), table.frequencies.at(i - 1)) && certainly_less(after, before);
  }
  facts.add(falls, "slopes and greatest steps fall from each element to the next, for 160 elements");
  const auto stored = correctly_rounded(Format::binary32, table.entry(1, 150));
  const auto before = correctly_rounded(Format::binary32, table.entry(1, 149));
  facts.add(stored && *stored == 0 && before && *before > 0,
            "in float32 element 150 of position 1 is 0: 2^-150 rounds to it");
}

void literal_formula(Facts& facts) {
  for (const auto& [name, formula, first, last] :
       facts.figures<std::string, std::string, std::string, std::string>()) {
    const auto frequencies = sines(512, name).frequencies;
    facts.add(rounds_to_decimal(frequencies.at(0), first) && rounds_to_decimal(frequencies.at(511), last),
              "d = 512, {}: frequencies from {} to {}", formula, first, last);
  }
  const TrigCode literal(sines(512, "ascending_from_one"));
  const TrigCode intended(sines(512, "descending"));
  const auto step = [](const TrigCode& code, std::int64_t t) {
    return Interval(sqrt((code.code(t + 1) - code.code(t)).squaredNorm()));
  };
  bool jumps = true;
  bool glides = true;
  for (std::int64_t t = 0; t < 20; ++t) {
    jumps &= certainly_less(enclose(std::int64_t{16}), step(literal, t));
    glides &= certainly_less(step(intended, t), enclose(std::int64_t{5}));
  }
  facts.add(jumps && rounds_to_decimal(*literal.lipschitz(), "53144.7"),
            "with frequencies up to 10000 neighbours are more than 16 apart at the first 20 positions (two "
            "random codes are about 22.6 apart), and the Lipschitz constant is 53144.7");
  facts.add(
      glides && rounds_to_decimal(*intended.lipschitz(), "5.31447"),
      "with frequencies from 1 down to 1/10000 they are less than 5 apart, and the constant is 5.31447");
}

void least_frequency(Facts& facts) {
  bool below = true;
  bool above = true;
  for (int d = 2; d <= 64; ++d) {
    const Interval power_of_two = powers_of_two(d).frequencies.at(d - 1);
    const Interval of_base = sines(d, "descending").frequencies.at(d - 1);
    (d <= 14 ? below : above) &=
        d <= 14 ? certainly_less(of_base, power_of_two) : certainly_less(power_of_two, of_base);
  }
  facts.add(above, "from d = 15 to 64 the least frequency 1/10000 is above 2^-(d-1)");
  facts.add(below, "from d = 2 to 14 it is below");
}

/// The formula of sines alone, put for the Transformer's code.
void alternating(Facts& facts) {
  const auto paper = SinusoidalSpec{.d_model = 512}.table();
  const Interval first_cosine = paper.entry(0, 1)();
  facts.add(contains(first_cosine, 1),
            "the Transformer's second element is a cosine: 1 at position 0, where "
            "every sine is 0");
  const auto by_d_minus_one = sines(512, "descending").frequencies.at(255);
  facts.add(rounds_to_decimal(by_d_minus_one, "0.0100905") &&
                rounds_to_decimal(paper.frequencies.at(255), "0.000103663"),
            "with the exponent i/(d - 1) the pair 255 of d = 512 has the frequency 0.0100905; the "
            "Transformer's, with 2i/d, has 0.000103663");
}

void no_shift(Facts& facts) {
  for (const std::string_view id : {"sine-powers-of-two", "sine-only"}) {
    const auto row = std::ranges::find(matrix_rows(), id, &MatrixRow::id);
    const auto cell = decide(linear_shift_property(), *row, options_from_environment());
    facts.add(cell.answer == Answer::no, "{}: no matrix shifts it; {}", row->name, cell.told);
  }
}

}  // namespace

std::vector<Evidence> sine_only_evidence() {
  return {
      {"sine-only/definition", sine_only_definition}, {"sine-only/sensitivity", sensitivity},
      {"sine-only/literal-formula", literal_formula}, {"sine-only/least-frequency", least_frequency},
      {"sine-only/alternating", alternating},         {"sine-only/no-shift", no_shift},
  };
}

}  // namespace vernier
