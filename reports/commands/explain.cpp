#include <memory>

#include "numerics/contracts/contract.hpp"
#include "reference/input_error.hpp"
#include "reference/word_list.hpp"
#include "reports/checks/check_meaning.hpp"
#include "reports/commands/command.hpp"
#include "reports/contract_text.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr std::string_view contract_prefix = "contract/";

void list(std::ostream& out) {
  for (const auto& meaning : check_meanings()) {
    out << meaning.id << "\n";
  }
}

int explain(const std::string& id, std::ostream& out) {
  if (id.empty()) {
    list(out);
    return 0;
  }
  if (id.starts_with(contract_prefix)) {
    const auto* contract = contract_named(std::string_view(id).substr(contract_prefix.size()));
    if (contract == nullptr) {
      throw InputError("explain: found \"{}\", expected contract/ and one that vernier list contracts names",
                       one_line(id));
    }
    out << contract_text(*contract);
    return 0;
  }
  const auto meaning = check_meaning_of(id);
  if (!meaning) {
    throw InputError("explain: found the check \"{}\", expected one of {}", one_line(id),
                     joined(check_meanings(), &CheckMeaning::id));
  }
  out << meaning->id << "\n\n" << meaning->meaning << "\n\nRests on: " << meaning->source << ".\n";
  return 0;
}

Action declare_explain(ArgumentParser& command) {
  const auto id = std::make_shared<std::string>();
  command.add("CHECK", *id,
              "the id of a check, as in a verdict: accuracy/cos; or of a contract, with what it lets pass: "
              "contract/float32; without it, all checks are listed");
  return [id](std::ostream& out) { return explain(*id, out); };
}

}  // namespace

Command explain_command() {
  return {"explain", "Say what a check means and what it rests on, or a contract", declare_explain};
}

}  // namespace vernier
