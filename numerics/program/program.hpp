#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numerics/program/way.hpp"

namespace vernier::program {

/// How a table is computed: an arithmetic, and the ways that differ from the plain ones. Of a stage with
/// several ways it is any of them: a set of programs.
struct Program {
  In in = {};                  ///< of every stage whose way says no other
  std::vector<Use> ways = {};  ///< a stage may have several

  /// Whether a way is among them. \param id "carried"
  bool takes(std::string_view id) const;
  /// The same by whatever library is good to one ulp.
  Program by_any_library() const;
  /// "frequency 1/pow(b, e) or pow(b, -e); phase q times that of the pair before"; empty of a plain program.
  std::string words() const;
};

/// Every sequence of ways from one stage to another, both included; a way of several stages counts once.
std::vector<std::vector<Use>> sequences(const Program& program, Stage first, Stage last);

/// The numbers of all pairs, by one way a stage. \tparam A how the formulas are read
template <class A>
std::vector<Element<A>> read(In in, const Declared& declared, std::int64_t row,
                             const std::vector<Use>& sequence) {
  std::vector<Element<A>> elements(static_cast<std::size_t>(declared.pairs()));
  for (int pair = 0; auto& x : elements) {
    x.declared = &declared;
    x.row = row;
    x.pair = pair++;
    for (const auto& by : sequence) {
      x.at(by.way->last) = by.way->formula(A(by.in.value_or(in)), x, by);
    }
  }
  return elements;
}

/// What a stage computes for all pairs of a row, bit for bit. \pre one way a stage; libraries that have bits
std::vector<double> bits_of(const Program& program, const Declared& declared, Stage stage,
                            std::int64_t row = 0);
inline std::vector<double> frequencies_of(const Program& program, const Declared& declared) {
  return bits_of(program, declared, Stage::narrowing);
}

/// The same of what frequencies are before a scale of all, axis by axis. \pre as of bits_of()
/// \returns nothing where an axis has none that descend from 1 in a geometric progression
std::optional<std::vector<double>> frequencies_of(const Program& program, const Frequencies& frequencies);

/// What a way makes of one frequency that is there. \pre it computes that of Stage::narrowing
double narrowed(const Use& by, double frequency);

/// The least and the greatest frequency of each pair that a program of the set uses: the phase at position 1,
/// where that is not rounded.
std::vector<Range> reached_frequencies(const Program& programs, const Declared& declared);

/// The base in float64, stretched where the scaling does that, as configurations are read.
double script_base(const Declared& declared);

}  // namespace vernier::program
