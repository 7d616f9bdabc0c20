#include "reports/exchange/vectors/selection.hpp"

#include "reference/schemes/scheme_registry.hpp"
#include "reports/exchange/starting_points/starting_points.hpp"

namespace vernier {

std::vector<std::int64_t> listed(const PositionRange& range) {
  std::vector<std::int64_t> positions;
  for (std::int64_t row = 0; row < range.count; ++row) {
    positions.push_back(range.at(row));
  }
  return positions;
}

std::unique_ptr<Encoding> VectorGroup::encoding() const {
  return parse_spec(spec.dump(), id, "spec");
}

PositionRange VectorGroup::context(const Encoding& encoding) const {
  if (encoding.has<BucketTable>()) {
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

VectorSelection read_selection(std::string_view text) {
  const auto json = OrderedJson::parse(text);
  VectorSelection selection{json["version"], json["measured"], {}};
  for (const auto& group : json["groups"]) {
    selection.groups.push_back(
        {group["id"], group["purpose"], group["spec"], group["length"], group["positions"]});
  }
  return selection;
}

OrderedJson to_json(const VectorSelection& selection) {
  auto groups = OrderedJson::array();
  for (const auto& group : selection.groups) {
    groups.push_back({{"id", group.id},
                      {"purpose", group.purpose},
                      {"spec", group.spec},
                      {"length", group.length},
                      {"positions", group.positions}});
  }
  return {{"version", selection.version}, {"measured", selection.measured}, {"groups", groups}};
}

const VectorSelection& built_in_selection() {
  static const auto selection = read_selection(embedded_file("reports/exchange/vectors/selection.json"));
  return selection;
}

}  // namespace vernier
