#include "reports/verdict/live/case_of_answers.hpp"

#include <algorithm>

#include "numerics/processes/rows.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {

CaseInput parts_of(std::span<const Asked> asked, const std::optional<Quantization>& quantization,
                   const std::optional<std::string>& contract) {
  CaseInput parts;
  parts.contract = contract;
  parts.quantization = quantization;
  for (const auto& question : asked) {
    if (!question.answered()) {
      continue;
    }
    const auto add = [&](const std::string& role, const Tensor& tensor) {
      parts.tensors.insert_or_assign(role, NamedTensor{"the implementation's " + role, tensor});
    };
    for (const auto& [role, tensor] : question.response.tensors) {
      add(role, tensor);
    }
    std::size_t vectors = 0;
    for (const auto& [role, input, is_of_keys, is_gradient] : vector_roles()) {
      if (question.request.input && question.response.tensors.contains(role)) {
        add(std::string(input), *question.request.input);
        parts.positions_of_vectors.insert_or_assign(
            std::string(role), NamedTensor{std::string("the implementation's ") + std::string(role),
                                           question.request.positions});
        ++vectors;
      }
    }
    if (question.response.tensors.size() > vectors) {
      const bool relative = question.response.tensors.contains("buckets");
      add(relative ? "relative_positions" : "positions", question.request.positions);
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
  judged.tensors.for_each_of_sines([&](const auto& tensor) {
    const auto is_it = [&](const WantedTensor& wanted) { return wanted.role == tensor.role(); };
    if (std::ranges::any_of(request.wanted, is_it)) {
      result = std::string(tensor.contract->id);
    }
  });
  return result;
}

std::vector<Request> other_widths(const LiveSession& session) {
  constexpr std::size_t most_rows = 4096;
  std::vector<Request> result;
  for (const auto& asked : session.asked()) {
    if (!asked.answered() || asked.request.input || !rows_stand_alone(asked.request)) {
      continue;
    }
    std::vector<std::size_t> rows;
    const auto step = (rows_of(asked.request) + most_rows - 1) / most_rows;
    for (std::size_t row = 0; row < rows_of(asked.request); row += step) {
      rows.push_back(row);
    }
    const auto widths = in_known_widths(session.encoding(), asked.request.wanted.front()).size();
    for (std::size_t width = 1; width < widths; ++width) {
      auto request = with_rows(asked.request, rows);
      for (auto& wanted : request.wanted) {
        const auto known = in_known_widths(session.encoding(), wanted);
        wanted = known[std::min(width, known.size() - 1)];
      }
      result.push_back(std::move(request));
    }
  }
  return result;
}

}  // namespace vernier
