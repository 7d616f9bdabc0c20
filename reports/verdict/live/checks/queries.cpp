#include <algorithm>

#include "numerics/processes/rows.hpp"
#include "numerics/views/plain_views.hpp"
#include "numerics/views/view_audit.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/verdict/checks/properties.hpp"
#include "reports/verdict/live/live_check.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_queries = 8;
constexpr std::size_t most_elements = std::size_t{1} << 22;

/// The question for biases, if it was asked.
const Request* question_for(const LiveSession& session, const BiasTable& table) {
  const auto found = std::ranges::find_if(
      session.asked(), [&](const Asked& asked) { return asked.request.wanted.front().role == table.role; });
  return found == session.asked().end() ? nullptr : &found->request;
}

/// The contract that the other tensors are held to.
const Contract& contract_of(const LiveSession& session, Format stored) {
  const Contract* contract = nullptr;
  if (const auto* judged = session.judged_case()) {
    judged->tensors.for_each([&](const auto& tensor) { contract = tensor.contract; });
  }
  return contract == nullptr ? default_contract(stored) : *contract;
}

/// Judges the biases of several queries, and whether they depend on the offset only, which one query cannot
/// show.
void judge(LiveSession& session, const BiasTable& table, Request request, std::vector<Check>& out) {
  auto check = live_check("accuracy/<role>/queries", "");
  check.id = "accuracy/" + table.role + "/queries";
  const auto keys = rows_of(request);
  const auto heads = table.heads();
  const auto queries =
      std::clamp<std::size_t>(most_elements / (heads * keys), 1, std::min(most_queries, keys));
  request.wanted.front().shape = {heads, queries, keys};
  const auto response = session.ask(request);
  if (response.status == ResponseStatus::unsupported || response.status == ResponseStatus::malformed) {
    check.reason = "biases of several queries were not given: " + response.reason;
    out.push_back(std::move(check));
    return;
  }
  if (response.status != ResponseStatus::answered) {
    tell_missing_answer(check, "the question for biases of several queries", response);
    out.push_back(std::move(check));
    return;
  }
  auto positions = integers_of(request.positions);
  positions.resize(keys);
  const auto& tensor = response.tensors.find(table.role)->second;
  const BiasTensor bias{table, tensor, &contract_of(session, *tensor.format())};
  const auto view = view_of_biases(bias, positions);
  out.push_back(element_check(check.id, "accuracy/bias", view, 0, audited(view).parts.front()));
  if (queries > 1) {
    judge_property_of_biases(*property_named("offset-only"), session.encoding().scheme(), view, out);
  }
}

}  // namespace

void judge_queries(LiveSession& session, std::vector<Check>& out) {
  for (const auto& table : session.encoding().all<BiasTable>()) {
    const auto* request = question_for(session, table);
    if (request != nullptr && table.factor != BiasTable::Factor::one) {
      judge(session, table, *request, out);
    }
  }
}

}  // namespace vernier
