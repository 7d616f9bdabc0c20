#include "reference/joint_table.hpp"

#include <set>
#include <string>

#include "reference/input_error.hpp"

namespace vernier {

std::vector<TrigTable> trig_tables(const Encoding& encoding) {
  auto tables = encoding.tables();
  if (tables.empty()) {
    throw InputError("spec: found scheme " + std::string(encoding.scheme()) +
                     ", expected one that has a table of sines and cosines");
  }
  return tables;
}

TrigTable joint_table(const Encoding& encoding) {
  const auto tables = trig_tables(encoding);
  auto joint = tables.front();
  std::set<std::string> roles{joint.role};
  for (const auto& table : tables) {
    if (roles.insert(table.role).second) {
      joint.role += " and " + table.role;
      joint.columns.insert(joint.columns.end(), table.columns.begin(), table.columns.end());
    }
  }
  return joint;
}

}  // namespace vernier
