#include "numerics/tolerances/tolerance_study.hpp"

#include <algorithm>
#include <cassert>
#include <numbers>

#include "numerics/tolerances/table_errors.hpp"
#include "reference/schemes/joint_table.hpp"

namespace vernier {
namespace {

/// Of a table that has no errors, as it is its own measure.
BudgetModel without_errors(const BudgetModel& model, const TrigTable& table) {
  auto parameters = model.parameters();
  parameters.frequency_error.assign(parameters.frequency_error.size(), 0);
  parameters.phase_rounding = parameters.frequency_error;
  parameters.compute = Format::binary64;
  parameters.trig_ulps = parameters.trig_roundoffs = parameters.storage_ulps = 0;
  return {std::move(parameters), table};
}

BudgetModel model_of(const ToleranceQuestion& question, const TrigTable& table) {
  const auto stored = question.rotation ? question.rotation->tables : question.stored();
  auto model = bind_orders(*question.contract, table, stored, question.frequencies);
  return question.expected == Expected::same_table ? without_errors(model, table) : model;
}

}  // namespace

const OctaveErrors* ToleranceStudy::first_loose() const {
  const auto found = std::ranges::find_if(
      octaves, [&](const OctaveErrors& one) { return proves_nothing(one.errors.total.total(), full_scale); });
  return found == octaves.end() ? nullptr : &*found;
}

ToleranceStudy study_tolerance(const ToleranceQuestion& question) {
  assert(question.positions.count > 0);
  const auto table = joint_table(*question.encoding);
  const auto& rotation = question.rotation;
  const auto model = model_of(question, table);
  ToleranceStudy study;
  study.full_scale = model.amplitude() * (rotation ? rotation->input_bound : 1);
  study.greatest_value = study.full_scale * (rotation ? std::numbers::sqrt2 : 1);
  for (const auto& octave : octaves(question.positions)) {
    const auto errors =
        rotation ? rotation_errors(model, *rotation, octave.farthest) : table_errors(model, octave.farthest);
    study.octaves.push_back(
        {octave, errors, smallest_tolerance(errors, question.stored(), question.expected),
         absolute_part_needed(errors, question.stored(), question.expected, 0, study.greatest_value)});
  }
  return study;
}

}  // namespace vernier
