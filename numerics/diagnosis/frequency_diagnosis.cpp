// Why stored frequencies fail: what the tables are found to be that follow from them exactly.

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/core.h>

#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/diagnosis/element_diagnosis.hpp"
#include "numerics/program/way.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/views/plain_views.hpp"
#include "numerics/views/view_audit.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

/// The first positions, which tell how pairs turn, and some far ones, where frequencies differ most.
std::vector<std::int64_t> telling_positions(const OrderedJson& spec) {
  constexpr std::int64_t first = 24;
  constexpr std::int64_t far = 16;
  constexpr std::int64_t farthest = 1 << 17;
  const auto said = [&](const char* key, std::int64_t otherwise) {
    return spec.contains(key) && spec[key].is_number_integer() ? spec[key].get<std::int64_t>() : otherwise;
  };
  const auto end = std::min(said("sequence_length", said("max_position_embeddings", farthest)), farthest);
  std::vector<std::int64_t> positions;
  for (std::int64_t p = 0; p < std::min(first, end); ++p) {
    positions.push_back(p);
  }
  for (auto p = std::max<std::int64_t>(1, end / far); p < end; p += std::max<std::int64_t>(1, end / far)) {
    if (p >= first) {
      positions.push_back(p);
    }
  }
  return positions;
}

template <class Number>
Tensor tensor_of_numbers(ElementType type, Shape shape, const std::vector<Number>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(Number));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return {type, std::move(shape), std::move(bytes)};
}

/// The tables of these frequencies in float64, times the amplitude of the spec, as a case of their own.
Case tables_of(const BiasTensor& frequencies, const Encoding& encoding) {
  const auto positions = telling_positions(encoding.spec());
  const auto pairs = frequencies.table.heads();
  const double amplitude = approximately(frequencies.table.sines->amplitude);
  std::vector<double> cosines;
  std::vector<double> sines;
  for (const auto position : positions) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double phase = static_cast<double>(position) * frequencies.tensor.number(pair);
      cosines.push_back(amplitude * std::cos(phase));
      sines.push_back(amplitude * std::sin(phase));
    }
  }
  const auto source = frequencies.role();
  const Shape shape{positions.size(), pairs};
  CaseInput parts;
  parts.source = source;
  parts.name = source;
  parts.contract = frequencies.contract->id;
  parts.tensors.emplace("cos", NamedTensor{source, tensor_of_numbers(ElementType::float64, shape, cosines)});
  parts.tensors.emplace("sin", NamedTensor{source, tensor_of_numbers(ElementType::float64, shape, sines)});
  parts.tensors.emplace(
      "positions", NamedTensor{source, tensor_of_numbers(ElementType::int64, {positions.size()}, positions)});
  return assemble_case(parts, parse_spec(encoding.spec().dump(), source));
}

bool is_finite(const BiasTensor& frequencies) {
  std::vector<double> numbers(frequencies.table.heads());
  frequencies.tensor.numbers(0, numbers);
  return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}

}  // namespace

bool keep_another_contract(const BiasTensor& frequencies) {
  const auto compute_of = [&](const Contract& contract) {
    const auto model = contract.bind(*frequencies.table.sines, frequencies.stored());
    return model.judges_computation() ? traits(model.parameters().compute).precision : 0;
  };
  return std::ranges::any_of(contracts(), [&](const Contract& contract) {
    auto other = frequencies;
    other.contract = &contract;
    try {
      if (!contract.judges(other.table) || compute_of(contract) < compute_of(*frequencies.contract)) {
        return false;
      }
      const auto report = audited_elements(view_of_biases(other, {}));
      return report.failing == 0 && report.inconclusive == 0;
    } catch (const InputError&) {
      return false;  // a contract that says nothing of these frequencies
    }
  });
}

Diagnosis diagnose_frequencies(const BiasTensor& frequencies, const Encoding& encoding, unsigned threads) {
  Diagnosis diagnosis{.roles = frequencies.role()};
  const auto report = audited_elements(view_of_biases(frequencies, {}));
  if (report.failing == 0) {
    return diagnosis;
  }
  const auto rest = fmt::format("{} of {} elements fail.", report.failing, report.elements);
  if (is_finite(frequencies) && !keep_another_contract(frequencies)) {
    auto found = diagnose(tables_of(frequencies, encoding), threads);
    diagnosis = found.empty() ? diagnosis : std::move(found.front());
  }
  diagnosis.roles = frequencies.role();
  diagnosis.rest = diagnosis.is_explained() ? "" : rest;
  diagnosis.partial.clear();  // of the elements of tables
  for (auto& explanation : diagnosis.explanations) {
    explanation.prediction.elements = explanation.prediction.conclusive = report.elements;
    for (auto& finding : explanation.findings) {
      const bool is_of_type = finding.kind->id == program::way_named("rounded-frequency").fault &&
                              finding.sentence.ends_with(traits(frequencies.stored()).name);
      finding.sentence += is_of_type ? ", the type of the tensor" : "";
    }
  }
  return diagnosis;
}

}  // namespace vernier
