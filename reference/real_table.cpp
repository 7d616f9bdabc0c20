#include "reference/real_table.hpp"

namespace vernier {

std::vector<RealTable> real_tables(const Encoding& encoding) {
  const auto* tables = dynamic_cast<const RealTables*>(&encoding);
  return tables == nullptr ? std::vector<RealTable>{} : tables->real_tables();
}

}  // namespace vernier
