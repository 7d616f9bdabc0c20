#include "reference/schemes/joint_table.hpp"

#include <cassert>
#include <set>
#include <string>

namespace vernier {

TrigTable joint_table(const Encoding& encoding) {
  const auto tables = encoding.plain_tables();
  assert(!tables.empty());
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
