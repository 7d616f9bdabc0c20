#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "numerics/tolerances/tolerance_study.hpp"
#include "reference/json/json.hpp"

namespace vernier {

/// An implementation, compared within two tolerances: the judged one, and the smallest that no honest one
/// exceeds.
struct JudgedProgram {
  std::string words;                       ///< how it computes, or the parameters of its fault
  std::array<bool, 2> passes{true, true};  ///< every element is within the tolerance
  double difference = 0;  ///< the greatest |got - expected| that was seen; infinite where one is no number
};

/// A catalogued fault, planted a few times with other parameters.
struct JudgedFault {
  /// Whether some planting passes. \param tolerance 0: the judged one, 1: the smallest
  bool slips_through(std::size_t tolerance) const {
    return std::ranges::any_of(plantings, [=](const JudgedProgram& one) { return one.passes[tolerance]; });
  }

  const OrderedJson* kind = nullptr;  ///< see program_faults()
  std::vector<JudgedProgram> plantings = {};
  double narrow_share = 0;  ///< of the budget that narrower arithmetic takes which the contract lets pass
};

/// What a tolerance lets through and rejects.
struct ToleranceJudgement {
  std::string_view contract;  ///< its id
  Tolerance judged;
  Tolerance smallest;                    ///< that no honest implementation exceeds
  double needed_absolute = 0;            ///< the absolute part that the judged one needs for that
  std::vector<JudgedFault> faults = {};  ///< of the kinds that such an implementation can have
  /// Of those the kinds that the contract lets pass as arithmetic narrower than it promises.
  std::vector<JudgedFault> narrow = {};
  std::vector<JudgedProgram> honest = {};
  std::size_t positions = 0;  ///< how many were compared

  /// How many kinds of fault pass. \param tolerance as above
  std::size_t slipping(std::size_t tolerance) const;
  std::size_t rejected() const;
  /// Whether no honest implementation exceeds the judged one, by the bound.
  bool holds() const { return judged.absolute >= needed_absolute; }
  /// Whether it holds of all honest ones, and lets no fault through that the smallest one does not.
  bool is_as_good_as_can_be() const;
};

/// Plants every kind of fault of the catalogue into honest implementations of the declared order, and
/// compares each, as a test with the tolerance would, with what it is compared with. A fault counts that puts
/// an element of the tensors that are compared beyond its budget: `vernier validate` refuses it. Inputs are
/// normal numbers, none beyond the bound. Compared are all positions, or 4096 of them evenly spaced; a fault
/// that is seen at some positions is not looked for at others. \pre consecutive positions \throws InputError
/// where no catalogued implementation keeps the contract \param plantings of each kind
ToleranceJudgement judge_tolerance(const ToleranceQuestion& question, const ToleranceStudy& study,
                                   const Tolerance& judged, unsigned threads = 1, int plantings = 3);

/// The tolerance, the finding first, its derivation in words, and the bounds octave by octave; ends with a
/// line break.
std::string tolerance_text(const ToleranceQuestion& question, const ToleranceStudy& study);
/// The same as data.
OrderedJson tolerance_json(const ToleranceQuestion& question, const ToleranceStudy& study);

/// What a tolerance is worth: the finding, then what slips through and what is rejected; ends with a line
/// break.
std::string judgement_text(const ToleranceJudgement& judgement);
OrderedJson judgement_json(const ToleranceJudgement& judgement);

}  // namespace vernier
