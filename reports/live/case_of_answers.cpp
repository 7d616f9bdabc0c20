#include "reports/live/case_of_answers.hpp"

#include <algorithm>

#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {

CaseInput parts_of(std::span<const Asked> asked, const std::optional<Quantization>& quantization,
                   const std::optional<std::string>& contract) {
  CaseInput parts;
  parts.contract = contract;
  parts.quantization = quantization;
  for (const auto& one : asked) {
    if (!one.answered()) {
      continue;
    }
    const auto add = [&](const std::string& role, const Tensor& tensor) {
      parts.tensors.insert_or_assign(role, NamedTensor{"the implementation's " + role, tensor});
    };
    for (const auto& [role, tensor] : one.response.tensors) {
      add(role, tensor);
    }
    std::size_t vectors = 0;
    for (const auto& [role, input, is_of_keys, is_gradient] : vector_roles()) {
      if (one.request.input && one.response.tensors.contains(role)) {
        add(std::string(input), *one.request.input);
        parts.positions_of_vectors.insert_or_assign(
            std::string(role),
            NamedTensor{std::string("the implementation's ") + std::string(role), one.request.positions});
        ++vectors;
      }
    }
    if (one.response.tensors.size() > vectors) {
      const bool relative = one.response.tensors.contains("buckets");
      add(relative ? "relative_positions" : "positions", one.request.positions);
    }
  }
  return parts;
}

std::optional<Case> case_of_answers(const LiveSession& session, std::span<const Asked> asked,
                                    const std::optional<std::string>& contract) {
  auto parts = parts_of(asked, session.options().quantization, contract);
  parts.source = "the spec";
  parts.name = "answers";
  try {
    return assemble_case(parts, parse_spec(session.encoding().spec().dump(), parts.source));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<std::string> contract_of(const Case& judged, const Request& request) {
  std::optional<std::string> result;
  const auto look = [&](const auto& tensors) {
    for (const auto& tensor : tensors) {
      const auto is_it = [&](const WantedTensor& wanted) { return wanted.role == tensor.role(); };
      if (std::ranges::any_of(request.wanted, is_it)) {
        result = std::string(tensor.contract->id);
      }
    }
  };
  look(judged.tensors.all<TableTensor>());
  look(judged.tensors.all<RotatedTensor>());
  return result;
}

std::vector<Request> other_widths(const LiveSession& session) {
  std::vector<Request> result;
  auto options = session.options();
  options.quick = true;
  for (const auto& question : questions_of(session.encoding(), options)) {
    for (const auto& way : question.ways) {
      const auto is_asked_as_well = [&](const Asked& asked) {
        return asked.answered() && asked.request.wanted.size() == way.wanted.size() &&
               asked.request.wanted.front().role == way.wanted.front().role &&
               asked.request.wanted.front().shape.back() != way.wanted.front().shape.back();
      };
      if (question.ways.size() > 1 && std::ranges::any_of(session.asked(), is_asked_as_well)) {
        result.push_back(way);
      }
    }
  }
  return result;
}

}  // namespace vernier
