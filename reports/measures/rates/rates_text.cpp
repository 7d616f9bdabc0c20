#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>

#include "reports/measures/rates/rates.hpp"

namespace vernier::rates {
namespace {

std::string_view name_of(Way way) {
  return way == Way::live ? "live" : "stored";
}

std::string size_text(const Drawn& drawn) {
  return drawn.size ? ", " + number(*drawn.size) + " times its budget" : "";
}

/// Every verdict that is not what it should be, a line each and a line of its finding.
void list_unwelcome(std::ostream& out, const std::vector<Drawn>& drawn, std::string_view heading,
                    bool (*unwelcome)(const Judged&)) {
  bool first = true;
  for (const auto& one : drawn) {
    for (const auto& judged : one.verdicts) {
      if (!unwelcome(judged)) {
        continue;
      }
      if (first) {
        out << "\n" << heading << "\n";
        first = false;
      }
      out << "  " << one.index << " " << name_of(judged.way) << ": ";
      if (one.fault != nullptr) {
        out << one.fault->id << ", " << one.parameters << size_text(one) << "; of ";
      }
      out << one.description << "\n";
      if (!judged.finding.empty()) {
        out << "      " << judged.finding.substr(0, 300) << "\n";
      }
    }
  }
}

void row(std::ostream& out, std::string_view name, const Tally& live, const Tally& stored) {
  out << std::left << std::setw(30) << name << std::right;
  for (const auto& tally : {live, stored}) {
    out << std::setw(8) << tally.all() << std::setw(10) << tally.conforms << std::setw(10) << tally.refused
        << std::setw(11) << tally.undecided;
  }
  out << "\n";
}

std::vector<std::string_view> drawn_kinds(const std::vector<Drawn>& drawn) {
  std::vector<std::string_view> kinds;
  for (const auto& fault : faults()) {
    if (std::ranges::any_of(drawn, [&](const Drawn& one) { return one.fault == &fault; })) {
      kinds.push_back(fault.id);
    }
  }
  return kinds;
}

OrderedJson drawn_json(const Drawn& drawn) {
  OrderedJson json{{"index", drawn.index}, {"implementation", drawn.description}};
  if (drawn.fault != nullptr) {
    json["fault"] = drawn.fault->id;
    json["parameters"] = drawn.parameters;
  }
  if (drawn.size) {
    // JSON has no infinity.
    json["times_budget"] = std::min(*drawn.size, 1e300);
  }
  for (const auto& judged : drawn.verdicts) {
    json[std::string(name_of(judged.way))] = {
        {"exit_code", judged.exit_code}, {"seconds", judged.seconds}, {"finding", judged.finding}};
  }
  return json;
}

}  // namespace

std::string to_text(const Rates& rates) {
  std::ostringstream out;
  out << "seed " << rates.options.seed << ", contexts up to " << rates.options.longest << " positions, "
      << rates.options.cases << " cases of each law\n\n";
  out << std::left << std::setw(30) << "" << std::right;
  for (const auto* way : {"live", "stored"}) {
    out << std::setw(8) << way << std::setw(10) << "conforms" << std::setw(10) << "refused" << std::setw(11)
        << "undecided";
  }
  out << "\n";
  row(out, "honest", tally(rates.honest, Way::live), tally(rates.honest, Way::stored));
  row(out, "faulty", tally(rates.faulty, Way::live), tally(rates.faulty, Way::stored));
  for (const auto kind : drawn_kinds(rates.faulty)) {
    row(out, "  " + std::string(kind), tally(rates.faulty, Way::live, kind),
        tally(rates.faulty, Way::stored, kind));
  }
  list_unwelcome(out, rates.honest, "False alarms: honest, and refused",
                 [](const Judged& judged) { return judged.exit_code != 0 && judged.exit_code != 4; });
  list_unwelcome(out, rates.honest, "Honest, and not decided",
                 [](const Judged& judged) { return judged.exit_code == 4; });
  list_unwelcome(out, rates.faulty, "Misses: faulty, and conforming",
                 [](const Judged& judged) { return judged.exit_code == 0; });
  list_unwelcome(out, rates.faulty, "Faulty, and not decided",
                 [](const Judged& judged) { return judged.exit_code == 4; });
  out << "\nseconds a verdict, median and 95th percentile:";
  for (const auto way : {Way::live, Way::stored}) {
    out << " " << name_of(way) << " " << number(quantile_of_seconds(rates, way, 0.5)) << ", "
        << number(quantile_of_seconds(rates, way, 0.95)) << (way == Way::live ? ";" : "\n");
  }
  return out.str();
}

OrderedJson to_json(const Rates& rates) {
  OrderedJson json{{"seed", rates.options.seed},
                   {"longest", rates.options.longest},
                   {"cases", rates.options.cases},
                   {"honest", OrderedJson::array()},
                   {"faulty", OrderedJson::array()}};
  for (const auto way : {Way::live, Way::stored}) {
    json["seconds"][std::string(name_of(way))] = {{"median", quantile_of_seconds(rates, way, 0.5)},
                                                  {"percentile_95", quantile_of_seconds(rates, way, 0.95)}};
  }
  for (const auto& one : rates.honest) {
    json["honest"].push_back(drawn_json(one));
  }
  for (const auto& one : rates.faulty) {
    json["faulty"].push_back(drawn_json(one));
  }
  return json;
}

}  // namespace vernier::rates
