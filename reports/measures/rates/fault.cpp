#include "reports/measures/rates/fault.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "reports/measures/rates/budgets.hpp"
#include "reports/measures/rates/faults/edits.hpp"

namespace vernier {

/// faults/faults.json as it stands.
std::string planted_faults_text();

}  // namespace vernier

namespace vernier::rates {
namespace {

/// The keys of a row that are no edits.
constexpr std::array<std::string_view, 15> told_keys{"id",   "what",    "why",      "shows", "of",
                                                     "if",   "draw",    "words",    "at",    "names",
                                                     "like", "variant", "variants", "also",  "instead"};

void require_known_keys(const OrderedJson& row) {
  for (const auto& [key, value] : row.items()) {
    if (std::ranges::find(told_keys, key) == told_keys.end() && edit_called(key) == nullptr) {
      throw std::invalid_argument("faults.json: found the key " + key + ", expected that of a stage");
    }
  }
  for (const auto& variant : row.value("variants", OrderedJson::array())) {
    require_known_keys(variant);
  }
}

const OrderedJson& fault_catalogue() {
  static const auto all = OrderedJson::parse(planted_faults_text());
  return all;
}

/// The rows of the catalogue, each with the keys of the template that it is like.
OrderedJson read_rows() {
  auto rows = OrderedJson::array();
  for (const auto& own : fault_catalogue()["faults"]) {
    auto row = own.contains("like") ? fault_catalogue()["templates"].at(own["like"].get<std::string>())
                                    : OrderedJson();
    row.merge_patch(own);
    require_known_keys(row);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string_view text_of(const OrderedJson& row, const char* key) {
  return row.contains(key) ? std::string_view(row[key].get_ref<const std::string&>()) : std::string_view();
}

std::vector<std::string_view> names_of(const OrderedJson& row) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; row.contains("names") && i < row["names"].size(); ++i) {
    names.emplace_back(row["names"][i].get_ref<const std::string&>());
  }
  return names;
}

std::vector<Fault> read_faults() {
  static const auto rows = read_rows();
  std::vector<Fault> all;
  for (const auto& row : rows) {
    const auto shows = text_of(row, "shows");
    all.push_back({text_of(row, "id"), text_of(row, "what"),
                   shows == "questions" ? Shows::questions
                   : shows == "spread"  ? Shows::spread
                                        : Shows::values,
                   names_of(row), text_of(row, "of"), &row});
  }
  return all;
}

/// A row of the catalogue while it is planted.
class FaultPlanting {
 public:
  FaultPlanting(Draw& draw, Design& design) : names_(draw, design), design_(design) {}

  /// The row, then one of its variants. \return whether the design can have it
  bool plant(const OrderedJson& row) {
    if (!meets(row)) {
      return false;
    }
    for (const auto& [key, value] : row.items()) {
      const auto edit = edit_called(key);
      if (edit != nullptr && !edit(value, names_, design_)) {
        return false;
      }
    }
    rows_.push_back(&row);
    if (!row.contains("variants")) {
      return true;
    }
    const auto* variant = chosen_variant(row);
    return variant != nullptr && plant(*variant);
  }

  /// \pre planted; nothing where no position shows it
  std::optional<Planted> told() {
    names_.define("amplitude_changed", design_.amplitude != names_.before().amplitude ? 1 : 0);
    define_first_other_bucket();
    Planted planted;
    for (const auto* row : rows_) {
      planted.words = row->contains("words") ? names_.words((*row)["words"]) : planted.words;
      const auto at = row->value("at", OrderedJson::array());
      for (const auto& formula : at.is_string() ? OrderedJson::array({at}) : at) {
        const double position = names_.value(formula);
        if (std::isnan(position)) {
          return std::nullopt;
        }
        planted.telling.push_back(static_cast<std::int64_t>(position));
      }
      planted.names = rows_.front() == row || !row->contains("names") ? planted.names : names_of(*row);
    }
    for (const auto* row : rows_) {
      add_names(*row, planted.names);
    }
    return planted;
  }

 private:
  bool meets(const OrderedJson& row) {
    if (row.contains("if") && !names_.holds(row["if"])) {
      return false;
    }
    const auto drawn = row.value("draw", OrderedJson::object());
    for (const auto& [name, formula] : drawn.items()) {
      if (name == "if" && !names_.holds(formula)) {
        return false;
      }
      if (name != "if") {
        names_.define(name, names_.value(formula));
      }
    }
    return true;
  }

  /// That of a number; without one any that the design can have.
  const OrderedJson* chosen_variant(const OrderedJson& row) {
    const auto& variants = row["variants"];
    if (row.contains("variant")) {
      return &variants[static_cast<std::size_t>(names_.value(row["variant"]))];
    }
    std::vector<const OrderedJson*> possible;
    for (const auto& variant : variants) {
      if (!variant.contains("if") || names_.holds(variant["if"])) {
        possible.push_back(&variant);
      }
    }
    return possible.empty() ? nullptr : names_.draw().any_of(possible);
  }

  /// Where parameters decide: other names, or more.
  void add_names(const OrderedJson& row, std::vector<std::string_view>& names) const {
    for (const auto* key : {"instead", "also"}) {
      for (std::size_t i = 0; row.contains(key) && i < row[key].size(); ++i) {
        const auto& some = row[key][i];
        if (!names_.holds(some["if"])) {
          continue;
        }
        if (names.empty() && std::string_view(key) == "also") {
          names = names_of(*rows_.front());
        }
        const auto more = names_of(some);
        names.insert(names.end(), more.begin(), more.end());
      }
    }
  }

  /// The first relative position in another bucket than it should be; NaN if there is none.
  void define_first_other_bucket() {
    constexpr std::int64_t farthest_looked_at = 2000;
    if (!design_.bucketing || !design_.encoding->has<BucketTable>()) {
      return;
    }
    const auto bucket_of = design_.encoding->all<BucketTable>().front().rule;
    const auto far = std::min(greatest_position(design_), farthest_looked_at);
    auto first = std::numeric_limits<double>::quiet_NaN();
    for (std::int64_t r = -far; r <= far && std::isnan(first); ++r) {
      // On an edge the contract allows either bucket.
      const auto bucket = bucket_of(r);
      if (!bucket.across && bucket.index != design_.bucketing(r)) {
        first = static_cast<double>(r);
      }
    }
    names_.define("first_other_bucket", first);
  }

  FaultNames names_;
  Design& design_;
  std::vector<const OrderedJson*> rows_ = {};
};

}  // namespace

const std::vector<Fault>& faults() {
  static const auto all = read_faults();
  return all;
}

void compute_by(std::string_view id, Draw& draw, Design& design) {
  FaultPlanting(draw, design).plant(fault_catalogue()["templates"].at(std::string(id)));
}

std::optional<Planted> Fault::plant(Draw& draw, Design& design) const {
  FaultPlanting planting(draw, design);
  return planting.plant(*row) ? planting.told() : std::nullopt;
}

std::int64_t draw_position(Draw& draw, const Design& design) {
  const auto row = draw.between(1, std::max<std::int64_t>(1, design.length() - 1));
  return design.positions.at(std::min(row, design.length() - 1));
}

std::int64_t least_position(const Design& design) {
  return std::min(design.positions.first, design.positions.at(design.length() - 1));
}

std::int64_t greatest_position(const Design& design) {
  return std::max(design.positions.first, design.positions.at(design.length() - 1));
}

std::string draw_role(Draw& draw, const Design& design) {
  std::vector<std::string> roles;
  for (const auto& table : design.encoding->tables_of_axes()) {
    roles.emplace_back(role_of(table));
  }
  if (!roles.empty()) {
    return draw.any_of(roles);
  }
  for (const auto& table : design.encoding->plain_tables()) {
    roles.push_back(table.role);
  }
  for (const auto& table : design.encoding->all<ExactTable>()) {
    roles.push_back(table.role);
  }
  for (const auto& table : design.encoding->scaled_tables()) {
    roles.emplace_back(role_of(table));
  }
  if (design.rotates()) {
    roles.insert(roles.end(), {"rotated", "rotated"});
  }
  return draw.any_of(roles);
}

bool has_rows(const Design& design) {
  return !design.encoding->has<BiasTable>() && !design.encoding->has<BucketTable>();
}

bool has_products(const Design& design) {
  return design.has_turns() && design.rule == nullptr && design.encoding->has_plain_tables() &&
         !design.encoding->has_tables_of_axes();
}

bool hardly_turns(const Design& design, std::size_t pair) {
  return std::ranges::all_of(
      std::array{least_position(design), greatest_position(design)}, [&](std::int64_t position) {
        const double phase = static_cast<double>(position) * design.frequencies[pair];
        return std::fabs(phase) < 1 &&
               design.amplitude * (1 - std::cos(phase)) <= element_budget(design, position, pair);
      });
}

void map_places(Design& design, std::function<double(double place)> map) {
  design.placing.push_back([map = std::move(map)](const Question&, std::vector<double>& places) {
    std::ranges::transform(places, places.begin(), map);
  });
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(4);
  text << value;
  return text.str();
}

}  // namespace vernier::rates
