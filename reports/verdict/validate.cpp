#include "reports/verdict/validate.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <set>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>

#include "numerics/arithmetic/finding.hpp"
#include "numerics/cost/cost.hpp"
#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/formats/mapped_file.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/threads.hpp"
#include "reports/verdict/checks/properties.hpp"
#include "reports/words/arithmetic_words.hpp"

namespace vernier {
namespace {

ContractUse contract_use(const TensorPart& part) {
  const auto& contract = *part.contract;
  return {part.role, std::string(traits(part.type).name), std::string(contract.id),
          std::string(contract.meaning), std::string(contract.budget)};
}

/// Runs two pieces of work beside each other. What one throws is thrown once both have ended: oneTBB would
/// cut the loops of the other one short, which would go on with results that are not there.
template <class First, class Second>
void run_both(const First& first, const Second& second) {
  std::array<std::exception_ptr, 2> thrown;
  const auto kept = [](const auto& work, std::exception_ptr& exception) {
    try {
      work();
    } catch (...) {
      exception = std::current_exception();
    }
  };
  oneapi::tbb::parallel_invoke([&] { kept(first, thrown[0]); }, [&] { kept(second, thrown[1]); });
  for (const auto& exception : thrown) {
    if (exception) {
      std::rethrow_exception(exception);
    }
  }
}

/// Which positions rows have, along any axis. \param positions of the rows, along the first axis
void tell_positions(Verdict& verdict, std::span<const std::int64_t> positions, const Case& subject) {
  const auto& first = subject.encoding->positions();
  const auto& by_axis = subject.positions_by_axis;
  bool have_one_map = true;
  for (std::size_t axis = 1; axis < by_axis.size(); ++axis) {
    have_one_map = have_one_map && subject.encoding->positions_along(axis) == first;
  }
  // Places along axes that have maps of their own compare as the numbers that were given.
  verdict.places = have_one_map ? first : PositionMap(first.unit(), {}, Constant{0, 0});
  const auto reach = [&](std::span<const std::int64_t> along, const PositionMap& map) {
    for (const auto place : along) {
      const auto position = have_one_map ? place : map.number(place);
      verdict.least_position = std::min(verdict.least_position, position);
      verdict.greatest_position = std::max(verdict.greatest_position, position);
    }
  };
  if (positions.empty()) {
    return;
  }
  verdict.least_position = verdict.greatest_position =
      have_one_map ? positions.front() : first.number(positions.front());
  reach(positions, first);
  for (std::size_t axis = 0; axis < by_axis.size(); ++axis) {
    reach(by_axis[axis], subject.encoding->positions_along(axis));
  }
}

void describe(Verdict& verdict, const AuditedCase& audited) {
  const auto& subject = audited.subject;
  for (const auto& tensor : audited.tensors) {
    verdict.contracts.push_back(contract_use(tensor.part()));
  }
  std::span<const std::int64_t> positions = subject.positions;
  for (const auto& viewed : *audited.views) {
    positions = viewed.view.parts().front().holds_indices ? viewed.rows.source.positions : positions;
  }
  verdict.rows = positions.size();
  tell_positions(verdict, positions, subject);
}

std::vector<Check> checks_of(const AuditedCase& audited) {
  std::vector<std::vector<Check>> by_kind(check_kinds.size() + properties().size());
  const bool have_budgets = pinned_contract(audited.subject).empty();
  oneapi::tbb::parallel_for(std::size_t{0}, by_kind.size(), [&](std::size_t i) {
    if (i < check_kinds.size() && (have_budgets || !check_kinds[i].needs_budget)) {
      check_kinds[i].judge(audited, check_kinds[i].id, by_kind[i]);
    } else if (i >= check_kinds.size() && have_budgets) {
      judge_property(properties()[i - check_kinds.size()], audited, by_kind[i]);
    }
  });
  std::vector<Check> checks;
  for (auto& of_kind : by_kind) {
    std::ranges::move(of_kind, std::back_inserter(checks));
  }
  return checks;
}

/// What the contracts of sines bound in a case, held to another contract.
Case held_to(const Case& subject, const Contract& contract) {
  const auto spec = parse_json(subject.encoding->spec().dump(), subject.name);
  Case other{.name = subject.name,
             .producer = subject.producer,
             .encoding = parse_spec(ObjectReader(spec, subject.name, "spec")),
             .positions = subject.positions,
             .leading = subject.leading};
  subject.tensors.for_each_of_sines([&](auto tensor) {
    tensor.contract = &contract;
    other.tensors.add(std::move(tensor));
  });
  return other;
}

bool are_within(const TensorFindings& findings) {
  return findings.elements.failing == 0 && findings.elements.inconclusive == 0;
}

/// Whether the rows with the worst element of each tensor are within the contract of another case.
/// \param other of the same rows
bool holds_worst_rows(const AuditedCase& audited, const Case& other) {
  for (auto& viewed : views_of(other)) {
    for (const auto& tensor : audited.tensors) {
      const auto& worst = tensor.findings.elements.worst;
      const auto is_it = [&](const TensorPart& part) { return part.role == tensor.part().role; };
      if (!worst || std::ranges::none_of(viewed.view.parts(), is_it)) {
        continue;
      }
      viewed.view.go_to(worst->index / tensor.part().columns);
      if (!std::ranges::all_of(audited_row(viewed.view).parts, are_within)) {
        return false;
      }
    }
  }
  return true;
}

/// Most contracts that are broken are so in the rows that are worst by the one that tensors have.
bool keeps(const AuditedCase& audited, const Contract& contract) {
  try {
    const auto other = held_to(audited.subject, contract);
    if (!holds_worst_rows(audited, other)) {
      return false;
    }
    const auto by_other = audited_case(other, false);
    return std::ranges::all_of(by_other.tensors, are_within, &AuditedTensor::findings) &&
           std::ranges::all_of(checks_of(by_other), [](const Check& check) {
             return check.status == Status::pass || check.status == Status::skipped;
           });
  } catch (const InputError&) {
    return false;  // a contract that says nothing of these frequencies
  }
}

/// The contracts that tables, rotated vectors and frequencies keep where they break their own, or it proves
/// nothing of them.
std::vector<std::string> kept_contracts(const AuditedCase& audited) {
  const auto& subject = audited.subject;
  std::set<const Contract*> own;
  std::set<const Contract*> usual;
  subject.tensors.for_each_of_sines([&](const auto& tensor) {
    own.insert(tensor.contract);
    usual.insert(&default_contract(tensor.stored()));
  });
  if (own.empty() || (subject.quantization && subject.quantization->scales)) {
    return {};  // tensors with scales of blocks take no other contract
  }
  const bool is_pinned = !pinned_contract(subject).empty();
  std::vector<std::string> kept;
  for (const auto& contract : contracts()) {
    // Who pins bits asks whether they are honest at all, not by which other order of operations.
    const bool is_asked =
        contract.of_sines != nullptr && !own.contains(&contract) && (!is_pinned || usual.contains(&contract));
    if (is_asked && keeps(audited, contract)) {
      kept.emplace_back(contract.id);
    }
  }
  return kept;
}

}  // namespace

Verdict unjudged(std::string name, std::string producer, const Encoding& encoding, std::string reproduce) {
  return {.name = std::move(name),
          .producer = std::move(producer),
          .encoding = encoding.summary(),
          .spec = encoding.spec(),
          .as_written = encoding.as_written(),
          .reproduce = std::move(reproduce)};
}

Verdict judge_audited(const AuditedCase& audited, std::string reproduce) {
  const auto& subject = audited.subject;
  auto verdict = unjudged(subject.name, subject.producer, *subject.encoding, std::move(reproduce));
  describe(verdict, audited);
  verdict.checks = checks_of(audited);
  require_unchanged_files();
  return verdict;
}

void add_reasons(Verdict& verdict, const AuditedCase& audited) {
  const auto threads = available_threads();
  const bool fails = count_of(verdict, Status::fail) > 0;
  const auto is_beyond = [](const AuditedTensor& tensor) { return tensor.findings.elements.failing != 0; };
  // Of bits that are off within the budgets the check of the arithmetic says all there is to say.
  const bool has_mistake =
      fails && (pinned_contract(audited.subject).empty() || std::ranges::any_of(audited.tensors, is_beyond));
  run_both(
      [&] {
        if (has_mistake) {
          verdict.diagnosis = diagnose(audited.subject, threads);
        }
      },
      [&] {
        if (fails || count_of(verdict, Status::inconclusive) > 0) {
          verdict.kept_contracts = kept_contracts(audited);
        }
      });
  // The short text tells the cost of what has no explanation alone.
  if (audited.splits_errors || !std::ranges::all_of(verdict.diagnosis, &Diagnosis::is_explained)) {
    verdict.cost = cost_of(audited.subject);
  }
  require_unchanged_files();
}

void add_arithmetic(Verdict& verdict, const Case& subject) {
  // More take longer than a second to search.
  constexpr std::size_t most_numbers = std::size_t{1} << 20;
  if (outcome(verdict) != Conclusion::conforms) {
    return;
  }
  try {
    const auto bits = stored_bits(subject);
    if (bits.numbers() > most_numbers) {
      verdict.arithmetic = "vernier arithmetic tells which computation predicts so many numbers.";
      return;
    }
    const auto found = find_arithmetic(bits);
    verdict.arithmetic = found.predicts()
                             ? arithmetic_summary(found) + "."
                             : "no computation of the space predicts every bit; nothing is claimed.";
  } catch (const InputError&) {
    return;  // no sines, tables of fractions, vectors of several positions: not in the space
  }
}

Verdict validate(const Case& subject, std::string reproduce, const VerdictDetails& details) {
  const auto audited = audited_case(subject, details.error_splits);
  auto verdict = judge_audited(audited, std::move(reproduce));
  if (details.reasons) {
    add_reasons(verdict, audited);
  }
  if (details.arithmetic) {
    add_arithmetic(verdict, subject);
  }
  return verdict;
}

}  // namespace vernier
