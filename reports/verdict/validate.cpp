#include "reports/verdict/validate.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>

#include "numerics/arithmetic/finding.hpp"
#include "numerics/cost/cost.hpp"
#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/formats/mapped_file.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/threads.hpp"
#include "reports/verdict/checks/properties.hpp"
#include "reports/words/arithmetic_words.hpp"

namespace vernier {
namespace {

ContractUse contract_use(const std::string& role, ElementType stored, const Contract& contract) {
  return {role, std::string(traits(stored).name), std::string(contract.id), std::string(contract.meaning),
          std::string(contract.budget)};
}

template <class Definition>
ElementType type_of(const TensorOf<Definition>& tensor) {
  return tensor.tensor.type();
}
ElementType type_of(const RotatedTensor& vectors) {
  return vectors.rotated.type();
}
ElementType type_of(const BucketTensor& buckets) {
  return buckets.stored;
}

/// Runs two pieces of work beside each other. What one throws is thrown once both have ended: oneTBB would
/// cut the loops of the other one short, which would go on with results that are not there.
template <class First, class Second>
void run_both(const First& first, const Second& second) {
  std::array<std::exception_ptr, 2> thrown;
  const auto kept = [](const auto& work, std::exception_ptr& what) {
    try {
      work();
    } catch (...) {
      what = std::current_exception();
    }
  };
  oneapi::tbb::parallel_invoke([&] { kept(first, thrown[0]); }, [&] { kept(second, thrown[1]); });
  for (const auto& what : thrown) {
    if (what) {
      std::rethrow_exception(what);
    }
  }
}

/// Which positions rows have, along any axis. \param positions of the rows, along the first axis
void tell_positions(Verdict& verdict, const std::vector<std::int64_t>& positions, const Case& subject) {
  const auto& first = subject.encoding->positions();
  const auto& by_axis = subject.positions_by_axis;
  bool have_one_map = true;
  for (std::size_t axis = 1; axis < by_axis.size(); ++axis) {
    have_one_map = have_one_map && subject.encoding->positions_along(axis) == first;
  }
  // Places along axes that have maps of their own compare as the numbers that were given.
  verdict.places = have_one_map ? first : PositionMap(first.unit(), {}, Constant{0, 0});
  const auto reach = [&](const std::vector<std::int64_t>& along, const PositionMap& map) {
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

void describe(Verdict& verdict, const Case& subject) {
  verdict.name = subject.name;
  verdict.producer = subject.producer;
  verdict.encoding = subject.encoding->summary();
  verdict.as_written = subject.encoding->as_written();
  verdict.spec = subject.encoding->spec();
  subject.tensors.for_each([&](const auto& tensor) {
    verdict.contracts.push_back(contract_use(tensor.role(), type_of(tensor), *tensor.contract));
  });
  const auto& buckets = subject.tensors.all<BucketTensor>();
  const auto& positions = buckets.empty() ? subject.positions : buckets.front().relative_positions;
  verdict.rows = positions.size();
  tell_positions(verdict, positions, subject);
}

AuditedCase audited(const Case& subject, unsigned threads) {
  AuditedCase result{subject, std::vector<AuditReport>(subject.tensors.all<TableTensor>().size())};
  // Side by side, so that what one does on a single core does not keep the others idle.
  oneapi::tbb::parallel_for(std::size_t{0}, subject.tensors.all<TableTensor>().size(), [&](std::size_t i) {
    const auto& tensor = subject.tensors.all<TableTensor>()[i];
    result.audits[i] = audit_tensor(tensor, tensor.table, subject.positions, threads);
  });
  for (const auto& vectors : subject.tensors.all<RotatedTensor>()) {
    result.rotated.push_back(audit_rotated(vectors, threads));
  }
  return result;
}

std::vector<Check> checks_of(const AuditedCase& audited) {
  std::vector<std::vector<Check>> by_kind(check_kinds.size() + properties().size());
  const bool have_budgets = pinned_contract(audited.subject).empty();
  oneapi::tbb::parallel_for(std::size_t{0}, by_kind.size(), [&](std::size_t i) {
    if (i < check_kinds.size() && (have_budgets || !check_kinds[i].needs_budget)) {
      check_kinds[i].judge(audited, by_kind[i]);
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

/// The same encoding, without rows.
Case emptied(const Case& subject) {
  const auto spec = parse_json(subject.encoding->spec().dump(), subject.name);
  return {.name = subject.name,
          .producer = subject.producer,
          .encoding = parse_spec(ObjectReader(spec, subject.name, "spec")),
          .positions = {}};
}

/// Whether a tensor holds the frequencies of sines, by which contracts differ as by the sines.
bool holds_frequencies(const BiasTensor& bias) {
  return bias.table.sines != nullptr;
}

/// The tables, rotated vectors and frequencies of a case, held to another contract.
Case held_to(const Case& subject, const Contract& contract) {
  auto other = emptied(subject);
  other.positions = subject.positions;
  other.leading = subject.leading;
  other.tensors.all<TableTensor>() = subject.tensors.all<TableTensor>();
  other.tensors.all<RotatedTensor>() = subject.tensors.all<RotatedTensor>();
  std::ranges::copy_if(subject.tensors.all<BiasTensor>(), std::back_inserter(other.tensors.all<BiasTensor>()),
                       holds_frequencies);
  for (auto& frequencies : other.tensors.all<BiasTensor>()) {
    frequencies.contract = &contract;
  }
  for (auto& tensor : other.tensors.all<TableTensor>()) {
    tensor.contract = &contract;
  }
  for (auto& vectors : other.tensors.all<RotatedTensor>()) {
    vectors.contract = &contract;
  }
  return other;
}

/// The rows with the worst element of each tensor.
Case worst_rows(const AuditedCase& audited) {
  const auto& subject = audited.subject;
  auto result = emptied(subject);
  std::vector<std::size_t> rows;
  for (const auto& audit : audited.audits) {
    if (audit.worst) {
      rows.push_back(static_cast<std::size_t>(audit.worst->place.row));
      result.positions.push_back(audit.worst->place.position);
    }
  }
  for (auto tensor : subject.tensors.all<TableTensor>()) {
    tensor.tensor = with_places(tensor.tensor, 0, rows);
    result.tensors.all<TableTensor>().push_back(std::move(tensor));
  }
  for (std::size_t i = 0; i < audited.rotated.size(); ++i) {
    if (const auto& worst = audited.rotated[i].elements.worst) {
      auto vectors = subject.tensors.all<RotatedTensor>()[i];
      const std::array row{worst->index / vectors.head_dim()};
      vectors.input = with_places(vectors.input, 0, row);
      vectors.rotated = with_places(vectors.rotated, 0, row);
      vectors.positions = {vectors.positions[row.front()]};
      for (auto& along : vectors.positions_by_axis) {
        along = {along[row.front()]};
      }
      vectors.leading = {};
      result.tensors.all<RotatedTensor>().push_back(std::move(vectors));
    }
  }
  return result;
}

/// \param elements_only whether checks of more than each element are left out
bool keeps(const Case& subject, const Contract& contract, unsigned threads, bool elements_only) {
  const auto all_within = [](const auto& report) { return report.failing == 0 && report.inconclusive == 0; };
  try {
    const auto other = held_to(subject, contract);
    auto its_audits = audited(other, threads);
    its_audits.splits_errors = false;
    if (!std::ranges::all_of(its_audits.audits, all_within) ||
        !std::ranges::all_of(its_audits.rotated, all_within, &RotatedReport::elements)) {
      return false;
    }
    return elements_only || std::ranges::all_of(checks_of(its_audits), [](const Check& check) {
             return check.status == Status::pass || check.status == Status::skipped;
           });
  } catch (const InputError&) {
    return false;  // a contract that says nothing of these frequencies
  }
}

/// The contracts that tables, rotated vectors and frequencies keep where they break their own, or it proves
/// nothing of them. Most that are broken are so in the rows that are worst by their own.
std::vector<std::string> kept_contracts(const AuditedCase& audited, unsigned threads) {
  const auto& subject = audited.subject;
  if (subject.quantization && subject.quantization->scales) {
    return {};  // these tensors take no other contract
  }
  const auto worst = worst_rows(audited);
  const bool is_pinned = !pinned_contract(subject).empty();
  std::vector<std::string> kept;
  for (const auto& contract : contracts()) {
    const auto is_own = [&](const auto& tensor) { return tensor.contract == &contract; };
    // Who pins bits asks whether they are honest at all, not by which other order of operations.
    const auto is_usual = [&](const auto& tensor) { return &default_contract(tensor.stored()) == &contract; };
    if (is_pinned && !std::ranges::any_of(subject.tensors.all<TableTensor>(), is_usual) &&
        !std::ranges::any_of(subject.tensors.all<RotatedTensor>(), is_usual)) {
      continue;
    }
    const auto are_frequencies_of_it = [&](const BiasTensor& bias) {
      return holds_frequencies(bias) && is_own(bias);
    };
    if (contract.of_sines != nullptr && !std::ranges::any_of(subject.tensors.all<TableTensor>(), is_own) &&
        !std::ranges::any_of(subject.tensors.all<BiasTensor>(), are_frequencies_of_it) &&
        !std::ranges::any_of(subject.tensors.all<RotatedTensor>(), is_own) &&
        keeps(worst, contract, threads, true) && keeps(subject, contract, threads, false)) {
      kept.emplace_back(contract.id);
    }
  }
  return kept;
}

}  // namespace

AuditedCase audited_case(const Case& subject, bool splits_errors) {
  auto result = audited(subject, available_threads());
  result.splits_errors = splits_errors;
  return result;
}

Verdict judge_audited(const AuditedCase& audited, std::string reproduce) {
  Verdict verdict;
  describe(verdict, audited.subject);
  verdict.checks = checks_of(audited);
  require_unchanged_files();
  verdict.reproduce = std::move(reproduce);
  return verdict;
}

void add_reasons(Verdict& verdict, const AuditedCase& audited) {
  const auto threads = available_threads();
  const auto any = [&](Status status) {
    return std::ranges::find(verdict.checks, status, &Check::status) != verdict.checks.end();
  };
  const bool fails = any(Status::fail);
  const auto is_beyond = [](const auto& report) { return report.failing != 0; };
  // Of bits that are off within the budgets the check of the arithmetic says all there is to say.
  const bool has_mistake =
      fails && (pinned_contract(audited.subject).empty() || std::ranges::any_of(audited.audits, is_beyond) ||
                std::ranges::any_of(audited.rotated, is_beyond, &RotatedReport::elements));
  const auto& tensors = audited.subject.tensors;
  run_both(
      [&] {
        if (has_mistake) {
          verdict.diagnosis = diagnose(audited.subject, threads);
        }
      },
      [&] {
        if ((fails || any(Status::inconclusive)) &&
            (tensors.has<TableTensor>() || tensors.has<RotatedTensor>() ||
             std::ranges::any_of(tensors.all<BiasTensor>(), holds_frequencies))) {
          verdict.kept_contracts = kept_contracts(audited, threads);
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
  const auto& tensors = subject.tensors;
  if (outcome(verdict) != Conclusion::conforms ||
      (!tensors.has<TableTensor>() && !tensors.has<RotatedTensor>())) {
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
    return;  // tables of fractions, vectors of several positions: not in the space
  }
}

Verdict validate(const Case& subject, std::string reproduce, const VerdictDetails& details) {
  const auto its_audits = audited_case(subject, details.error_splits);
  auto verdict = judge_audited(its_audits, std::move(reproduce));
  if (details.reasons) {
    add_reasons(verdict, its_audits);
  }
  if (details.arithmetic) {
    add_arithmetic(verdict, subject);
  }
  return verdict;
}

}  // namespace vernier
