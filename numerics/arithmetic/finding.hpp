#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/arithmetic/rotation_space.hpp"
#include "numerics/arithmetic/stored_bits.hpp"
#include "numerics/arithmetic/table_space.hpp"
#include "numerics/audit/failing_extent.hpp"
#include "numerics/contracts/arithmetic_stages.hpp"

namespace vernier {

/// Computations of a table that are the same up to the frequencies' formula, and the rotations that go with
/// them.
struct ArithmeticMember {
  std::vector<ArithmeticWays> tables;  ///< one a formula; one of no stage where no table is predicted
  std::vector<ArithmeticWays> y0;
  std::vector<ArithmeticWays>
      y1;  ///< at least one of the narrowing of each of `y0`; both empty without vectors
};

/// An input at which alternatives part.
struct TellingInput {
  std::int64_t position = 0;
  std::size_t pair = 0;
  std::optional<double> x0 = std::nullopt;  ///< of rotations
  std::optional<double> x1 = std::nullopt;
};

/// An input of which two programs, or a program and a computation, have different numbers.
struct PartingInput {
  TellingInput input;
  std::string component;  ///< "cos", "sin", "y0", "y1"
  double first = 0;
  double second = 0;
};

/// How many of the numbers that two have of one input differ, and where.
struct Differences {
  std::size_t compared = 0;
  std::size_t count = 0;
  double greatest = 0;                                 ///< infinite where one is no number
  std::optional<PartingInput> nearest = std::nullopt;  ///< to position 0, pair 0
  ClosedRange positions = {};
  std::map<std::size_t, std::size_t> by_pair = {};  ///< how many of each that has some

  void add(const TellingInput& input, std::string_view component, double first, double second);
  ClosedRange pairs() const;
};

/// A stage, and which of its ways are left.
struct StageFinding {
  ArithmeticStage stage = ArithmeticStage::order;
  std::vector<std::int8_t> ways;                       ///< in their order
  std::string reason;                                  ///< why more than one is left; empty of one
  std::optional<TellingInput> telling = std::nullopt;  ///< an input that would tell some of them apart
  bool is_proven = false;    ///< that no input, or no position of the declared context, tells them apart
  bool is_withheld = false;  ///< not claimed, though one is left: others that the space lacks do the same

  bool is_settled() const { return ways.size() == 1 && !is_withheld; }
};

/// What is known of the arithmetic of a case.
struct ArithmeticFinding {
  std::string name;
  std::size_t elements = 0;                    ///< stored numbers that were asked
  std::size_t computations = 0;                ///< of the space
  std::size_t distinct = 0;                    ///< of them with frequencies, or inputs, of their own
  std::vector<ArithmeticMember> members = {};  ///< every one predicts every bit; none where nothing does
  std::vector<StageFinding> stages = {};       ///< of the members
  std::vector<std::string> remarks = {};       ///< on the space, and on what no computation predicts
  /// Of vectors beside the first: "input_gradient". Another kernel may compute them.
  std::vector<ArithmeticFinding> others = {};

  /// Whether every bit is predicted, of the other vectors too.
  bool predicts() const {
    return !members.empty() && std::ranges::all_of(others, &ArithmeticFinding::predicts);
  }
  /// How many computations the members are, one a combination of ways.
  std::size_t count() const;
  /// The first of them.
  std::vector<ArithmeticWays> listed(std::size_t most) const;
};

/// Every computation of the space that predicts every bit, and what is settled by that.
/// \param whole_context whether alternatives are asked at every position of the declared context
ArithmeticFinding find_arithmetic(const StoredBits& bits, bool whole_context = false);

/// The ways of each stage that the members have.
std::vector<StageFinding> projected(const std::vector<ArithmeticMember>& members);

}  // namespace vernier
