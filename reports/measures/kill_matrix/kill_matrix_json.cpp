#include <algorithm>

#include "reports/measures/kill_matrix/kill_matrix.hpp"
#include "reports/measures/kill_matrix/project.hpp"

namespace vernier::kill_matrix {
namespace {

std::string_view to_string(Fate fate) {
  return fate == Fate::conforms ? "conforms" : fate == Fate::undecided ? "undecided" : "refused";
}

std::string_view to_string(Naming naming) {
  switch (naming) {
    case Naming::named:
      return "named";
    case Naming::in_part:
      return "named in part";
    case Naming::unexplained:
      return "unexplained";
    case Naming::falsely_named:
      return "falsely named";
  }
  return {};
}

OrderedJson outcome_json(const Outcome& one) {
  OrderedJson json{{"index", one.index}, {"implementation", one.words}, {"fate", to_string(one.fate)}};
  for (const auto& fault : one.faults) {
    // JSON has no infinity.
    json["faults"].push_back({{"kind", fault.kind->id},
                              {"parameters", fault.words},
                              {"times_budget", std::min(fault.size, 1e300)},
                              {"names", fault.names}});
  }
  json["finding"] = one.finding;
  json["failing_checks"] = one.failing_checks;
  json["naming"] = to_string(one.naming);
  json["told"] = one.told;
  json["seconds"] = one.seconds;
  for (std::size_t test = 0; test < one.passes.size(); ++test) {
    const auto& passes = one.passes[test];
    json["projects"][std::string(project_tests()[test].project)] = !passes   ? "no test"
                                                                   : *passes ? "passes"
                                                                             : "fails";
  }
  return json;
}

}  // namespace

OrderedJson to_json(const KillMatrix& matrix) {
  OrderedJson json{{"seed", matrix.options.drawn.seed},
                   {"longest", matrix.options.drawn.longest},
                   {"elements", matrix.options.drawn.elements},
                   {"mutants", OrderedJson::array()},
                   {"honest", OrderedJson::array()}};
  for (const auto& one : matrix.mutants) {
    json["mutants"].push_back(outcome_json(one));
  }
  for (const auto& one : matrix.honest) {
    json["honest"].push_back(outcome_json(one));
  }
  return json;
}

}  // namespace vernier::kill_matrix
