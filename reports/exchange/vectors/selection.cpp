#include "reports/exchange/vectors/selection.hpp"

#include <ranges>

#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/mapped.hpp"
#include "reports/exchange/starting_points/starting_points.hpp"

namespace vernier {

std::vector<std::int64_t> listed(const PositionRange& range) {
  return mapped(std::views::iota(std::int64_t{0}, range.count), [&](auto row) { return range.at(row); });
}

std::unique_ptr<Encoding> VectorGroup::encoding() const {
  return parse_spec(spec.dump(), id, "spec");
}

PositionRange VectorGroup::context(const Encoding& encoding) const {
  if (encoding.bucket_rule() != nullptr) {
    return {-length / 2, 1, length};
  }
  return encoding.default_positions(length);
}

std::vector<std::int64_t> VectorGroup::rows(const Encoding& encoding) const {
  if (!positions.empty()) {
    return positions;
  }
  return listed(context(encoding));
}

const VectorSelection& built_in_selection() {
  static const auto selection = [] {
    const auto json = OrderedJson::parse(embedded_file("reports/exchange/vectors/selection.json"));
    VectorSelection result{json["version"], json["measured"], {}};
    result.groups = mapped(json["groups"], [&](const auto& group) -> VectorGroup {
      return {group["id"], group["purpose"], group["spec"], group["length"], group["positions"]};
    });
    return result;
  }();
  return selection;
}

}  // namespace vernier
