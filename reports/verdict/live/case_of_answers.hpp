#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/tensors/case.hpp"
#include "reports/verdict/live/live_session.hpp"

namespace vernier {

/// Answers as the parts of a case, to be named. \param contract else each format's default
CaseInput parts_of(std::span<const Asked> asked, const std::optional<Quantization>& quantization,
                   const std::optional<std::string>& contract);

/// Answers to further questions of a session, in another type or width, as a case of their own; nothing where
/// they fit no tensor of the encoding.
std::optional<Case> case_of_answers(const LiveSession& session, std::span<const Asked> asked,
                                    const std::optional<std::string>& contract);

/// The contract that a case holds the tensors of a request to; nothing if it has none of them.
std::optional<std::string> contract_of(const Case& judged, const Request& request);

/// What else the tables of the main questions can be asked for: other widths, at few positions.
std::vector<Request> other_widths(const LiveSession& session);

}  // namespace vernier
