#include "numerics/audit/audit.hpp"

#include <memory>

namespace vernier {

std::vector<AuditReport> audit(const TrigTable& table, std::span<const Subject> subjects,
                               const PositionRange& positions, const AuditOptions& options) {
  std::vector<std::unique_ptr<MadeRows>> rows;
  std::vector<RangeInput> made;
  for (const auto& [implementation, model] : subjects) {
    rows.push_back(std::make_unique<MadeRows>(*implementation, positions));
    made.push_back({rows.back().get(), model});
  }
  return audit_range(table, positions, made, options);
}

}  // namespace vernier
