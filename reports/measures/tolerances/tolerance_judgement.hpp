#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reports/measures/rates/fault.hpp"
#include "reports/measures/tolerances/tolerance_study.hpp"

namespace vernier {

/// A tolerance and an implementation.
struct Passing {
  bool passes = false;    ///< every element is within the tolerance
  double difference = 0;  ///< the greatest |got - expected| that was seen; infinite where one is no number
};

/// A catalogued fault, planted a few times with other parameters.
struct JudgedFault {
  const rates::Fault* kind = nullptr;
  std::vector<std::string> parameters;          ///< of each planting
  std::vector<std::vector<Passing>> plantings;  ///< [planting][tolerance]

  /// Whether some planting passes. \param tolerance its index
  bool slips_through(std::size_t tolerance) const;
};

struct JudgedHonest {
  std::string words;             ///< how it computes
  std::vector<Passing> passing;  ///< [tolerance]
};

/// What tolerances let through and reject, of what was asked.
struct ToleranceJudgement {
  std::vector<Tolerance> tolerances;
  std::vector<JudgedFault> faults;  ///< of the kinds that such an implementation can have
  std::vector<JudgedHonest> honest;
  std::int64_t positions = 0;  ///< how many were compared

  std::vector<const JudgedFault*> slipping(std::size_t tolerance) const;
  std::vector<const JudgedHonest*> rejected(std::size_t tolerance) const;
};

struct JudgementOptions {
  std::uint64_t seed = 20170612;
  int plantings = 3;  ///< of each kind
  int honest = 12;    ///< implementations
  unsigned threads = 1;
};

/// Plants every kind of fault of the catalogue that tensors show into honest implementations of the declared
/// order, and compares each, as a test with the tolerance would, with the certified values. A fault counts
/// that puts an element beyond its budget and changes the tensors that are compared. Inputs are normal
/// numbers, none beyond the bound. Compared are all positions, or 4096 of them evenly spaced; a fault that is
/// seen at some positions is not looked for at others. \pre consecutive positions \throws InputError where no
/// catalogued implementation keeps the contract
ToleranceJudgement judge_tolerances(const ToleranceQuestion& question, std::span<const Tolerance> tolerances,
                                    const JudgementOptions& options);

}  // namespace vernier
