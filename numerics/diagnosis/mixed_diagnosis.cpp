#include "numerics/diagnosis/mixed_diagnosis.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/edit_search.hpp"
#include "numerics/diagnosis/spec_patch.hpp"
#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

using Spec = OrderedJson;
using SpecEdits = ModelEdits<Spec>;

/// The order of edits: of several that exclude each other, and of which one comes first.
enum class EditOrder { columns, axes, frequencies, positions };

std::unique_ptr<Encoding> encoding_of(const Spec& spec) {
  try {
    return parse_spec(spec.dump(), "edited spec");
  } catch (const InputError&) {
    return nullptr;
  }
}

/// \param rows empty: all
Tensor rows_of(const Tensor& tensor, std::span<const std::size_t> rows) {
  if (rows.empty()) {
    return tensor;
  }
  const auto& shape = tensor.shape();
  const auto width = tensor.bytes().size() / shape.front();
  std::vector<std::byte> bytes;
  for (const auto row : rows) {
    const auto of_row = tensor.bytes().subspan(row * width, width);
    bytes.insert(bytes.end(), of_row.begin(), of_row.end());
  }
  return {tensor.type(), {rows.size(), shape.back()}, std::move(bytes)};
}

/// A number of a spec, or a row of numbers, with the other sign.
OrderedJson negated(const OrderedJson& number) {
  if (number.is_array()) {
    auto row = OrderedJson::array();
    std::ranges::transform(number, std::back_inserter(row), negated);
    return row;
  }
  if (number.is_string()) {
    const auto text = number.get<std::string>();
    return text.starts_with('-') ? text.substr(1) : "-" + text;
  }
  return number.is_number_integer() ? OrderedJson(-number.get<std::int64_t>())
                                    : OrderedJson(-number.get<double>());
}

/// The positions along each axis.
using Positions = std::vector<std::vector<std::int64_t>>;

/// What other specs say of the tables of a case, or of vectors.
class Trial {
 public:
  explicit Trial(const Case& subject) : encoding_(*subject.encoding), tables_(subject.tensors.of_axes()) {
    take_numbers(subject.positions_by_axis);
  }
  Trial(const Encoding& encoding, const RotatedTensor& vectors) : encoding_(encoding), vectors_(&vectors) {
    take_numbers(vectors.positions_by_axis);
  }

  const Encoding& declared() const { return encoding_; }
  std::size_t axes() const { return numbers_.size(); }
  std::string roles() const {
    return vectors_ != nullptr ? vectors_->role()
                               : joined(tables_, [](const TurnedTensor& one) { return one.role(); });
  }

  /// Of all rows, or of a few.
  Prediction predict(const Spec& spec, bool of_some = false) const {
    constexpr std::size_t some = 12;
    const auto rows = numbers_.front().size();
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; of_some && i < some; ++i) {
      chosen.push_back(i * (rows - 1) / (some - 1));
    }
    const auto encoding = encoding_of(spec);
    const auto places = encoding == nullptr ? std::nullopt : places_of(*encoding, chosen);
    Prediction result;
    for (const auto& table : tables_) {
      add(result, places ? audited(*encoding, table, chosen, *places) : std::nullopt);
    }
    if (vectors_ != nullptr) {
      add(result, places ? audited(*encoding, chosen, *places) : std::nullopt);
    }
    return result;
  }

 private:
  void take_numbers(const Positions& places) {
    for (std::size_t axis = 0; axis < places.size(); ++axis) {
      auto& numbers = numbers_.emplace_back(places[axis]);
      for (auto& number : numbers) {
        number = encoding_.positions_along(axis).number(number);
      }
    }
  }

  /// Nothing where a spec has no such positions. \param chosen rows; empty: all
  std::optional<Positions> places_of(const Encoding& encoding, std::span<const std::size_t> chosen) const {
    Positions result;
    try {
      for (std::size_t axis = 0; axis < axes(); ++axis) {
        const auto& map = encoding.positions_along(axis);
        auto& places = result.emplace_back();
        for (const auto row : chosen) {
          places.push_back(map.place(numbers_[axis][row]));
        }
        for (std::size_t row = 0; chosen.empty() && row < numbers_[axis].size(); ++row) {
          places.push_back(map.place(numbers_[axis][row]));
        }
      }
    } catch (const InputError&) {
      return std::nullopt;
    }
    return result;
  }

  /// Nothing where a spec has no such table.
  static std::optional<ElementwiseReport> audited(const Encoding& encoding, const TurnedTensor& tensor,
                                                  std::span<const std::size_t> chosen,
                                                  const Positions& places) {
    for (const auto& table : encoding.tables_of_axes()) {
      if (role_of(table) == role_of(tensor.table) && columns_of(table) == tensor.columns()) {
        return audit_elements(TurnedTensor{table, rows_of(tensor.tensor, chosen), tensor.contract},
                              {.by_axis = places});
      }
    }
    return std::nullopt;
  }

  std::optional<ElementwiseReport> audited(const Encoding& encoding, std::span<const std::size_t> chosen,
                                           const Positions& places) const {
    for (const auto& rotation : encoding.all<HeadRotation>()) {
      if (rotation.role() == vectors_->role() && rotation.head_dim == vectors_->head_dim()) {
        auto vectors = *vectors_;
        vectors.rotation = rotation;
        vectors.input = rows_of(vectors.input, chosen);
        vectors.rotated = rows_of(vectors.rotated, chosen);
        vectors.positions = places.front();
        vectors.positions_by_axis = places;
        return audit_rotated(vectors).elements;
      }
    }
    return std::nullopt;
  }

  static void add(Prediction& to, const std::optional<ElementwiseReport>& report) {
    if (!report) {
      to.append({.elements = 1, .conclusive = 1, .failing = 1});
      return;
    }
    to.append({.elements = report->elements,
               .conclusive = report->judged,
               .failing = report->failing,
               .largest_budget_ratio = report->worst ? report->worst->budget_ratio : 0});
  }

  const Encoding& encoding_;
  std::span<const TurnedTensor> tables_;
  const RotatedTensor* vectors_ = nullptr;
  Positions numbers_;  ///< as they were given
};

class MixedProposals {
 public:
  explicit MixedProposals(const Trial& trial) : trial_(trial), spec_(trial.declared().spec()) {
    columns();
    axes();
    signs();
    frequencies();
    positions();
  }

  SpecEdits edits;

 private:
  void add(std::string_view kind, std::string sentence, double bits, EditOrder order,
           const OrderedJson& patch) {
    edits.push_back({{fault_kind_named(kind), std::move(sentence), patch},
                     bits,
                     static_cast<int>(order),
                     [patch](Spec& spec) { spec = spec.patch(patch); }});
  }

  /// What a spec says of each axis, or of all, said of each.
  OrderedJson& said_of_axes(Spec& spec) const {
    if (!spec.contains("axes")) {
      spec["axes"] = std::vector<OrderedJson>(trial_.axes(), OrderedJson::object());
    }
    for (auto& axis : spec["axes"]) {
      for (const auto* key : {"position_scale", "position_offset", "frequency_scale"}) {
        if (!axis.contains(key)) {
          axis[key] = spec.contains(key) ? spec.at(key) : OrderedJson(key == offset_key ? 0 : 1);
        }
      }
    }
    return spec["axes"];
  }

  /// \param edit of what is said of an axis, and its number
  template <class Edit>
  void add_to_axes(std::string_view kind, std::string sentence, EditOrder order, const Edit& edit) {
    const auto apply = [this, edit](Spec& spec) {
      auto& axes = said_of_axes(spec);
      for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        edit(axes.at(axis), axis);
      }
    };
    auto edited = spec_;
    apply(edited);
    edits.push_back({{fault_kind_named(kind), std::move(sentence), replacement("axes", edited.at("axes"))},
                     variant_bits,
                     static_cast<int>(order),
                     apply});
  }

  void columns() {
    if (spec_.contains("order")) {
      add("mapping/components", "sine and cosine are exchanged", flag_bits, EditOrder::columns,
          replacement("order", spec_.at("order") == "sin_cos" ? "cos_sin" : "sin_cos"));
    }
    const auto own = spec_.at("layout").get<std::string>();
    const auto* const halves = spec_.at("scheme") == "axial_rope" ? "half" : "halves";
    const std::string other = own == "interleaved" ? halves : "interleaved";
    add("mapping/layout", fmt::format("the columns of the pairs are {}, not {}", other, own), flag_bits,
        EditOrder::columns, replacement("layout", other));
  }

  void axes() {
    for (std::size_t a = 0; a < trial_.axes(); ++a) {
      for (std::size_t b = a + 1; b < trial_.axes(); ++b) {
        auto rows = spec_.at("frequencies");
        std::swap(rows.at(a), rows.at(b));
        add("mapping/axes", fmt::format("axes {} and {} are exchanged", a, b), variant_bits, EditOrder::axes,
            replacement("frequencies", rows));
      }
    }
  }

  void signs() {
    const auto& own = spec_.at("frequencies");
    add("direction/sign", "the sine has the opposite sign (or, the same here, positions are negated)",
        flag_bits, EditOrder::axes, replacement("frequencies", negated(own)));
    for (std::size_t axis = 0; trial_.axes() > 1 && axis < trial_.axes(); ++axis) {
      auto rows = own;
      rows.at(axis) = negated(own.at(axis));
      add("position/reversed",
          fmt::format("positions along axis {} are negated (or, the same here, its frequencies)", axis),
          variant_bits, EditOrder::axes, replacement("frequencies", rows));
    }
  }

  void frequencies() {
    auto declared = spec_;
    const auto own = said_of_axes(declared).front().at("frequency_scale");
    const auto words = [](const OrderedJson& factor) {
      return factor.is_string() ? factor.get<std::string>() : factor.dump();
    };
    for (const auto& other : {OrderedJson(1), OrderedJson("pi"), OrderedJson("2pi"), OrderedJson(2)}) {
      if (other != own) {
        add_to_axes("frequency/factor",
                    fmt::format("frequencies are multiplied by {}, not {}", words(other), words(own)),
                    EditOrder::frequencies,
                    [other](OrderedJson& axis, std::size_t) { axis["frequency_scale"] = other; });
      }
    }
  }

  /// Numbers that positions become, s p + o.
  struct Line {
    Rational scale;
    Rational offset;
    int power_of_pi = 0;
  };

  Line line_of(std::size_t axis) const {
    const auto& map = trial_.declared().positions_along(axis);
    return {map.scale().factor, map.offset().factor, map.scale().power_of_pi};
  }

  /// \param edit of the line of each axis
  template <class Edit>
  void add_positions(std::string_view kind, std::string sentence, const Edit& edit) {
    add_to_axes(
        kind, std::move(sentence), EditOrder::positions, [this, edit](OrderedJson& axis, std::size_t i) {
          auto line = line_of(i);
          edit(line);
          axis["position_scale"] = exact_json_number(Constant{line.scale, line.power_of_pi});
          axis["position_offset"] =
              line.offset == 0 ? OrderedJson(0) : exact_json_number(Constant{line.offset, line.power_of_pi});
        });
  }

  void positions() {
    for (const auto& by : {Rational(1, 2), Rational(1)}) {
      for (const int sign : {1, -1}) {
        add_positions("position/offset",
                      fmt::format("positions are {} by {}", sign > 0 ? "larger" : "smaller", to_string(by)),
                      [shift = Rational(sign * by)](Line& line) { line.offset += shift * line.scale; });
      }
    }
    for (std::size_t axis = 0; axis < trial_.axes(); ++axis) {
      if (line_of(axis).power_of_pi != 0) {
        return;  // angles, and no coordinates
      }
    }
    add_positions("position/scaled", "coordinates run from 0 to 1, not from -1 to 1", [](Line& line) {
      line = {line.scale / 2, (line.offset + 1) / 2};
    });
    add_positions("position/scaled", "coordinates run from -1 to 1, not from 0 to 1", [](Line& line) {
      line = {line.scale * 2, line.offset * 2 - 1};
    });
    add_positions("position/scaled", "positions are taken as they are given", [](Line& line) {
      line = {1, 0};
    });
  }

  static constexpr std::string_view offset_key = "position_offset";

  const Trial& trial_;
  Spec spec_;
};

Diagnosis diagnose(const Trial& trial) {
  Diagnosis diagnosis{.roles = trial.roles()};
  const auto spec = trial.declared().spec();
  const auto declared = trial.predict(spec);
  if (declared.failing == 0) {
    return diagnosis;
  }
  const MixedProposals proposals(trial);
  const ModelChecks<Spec> checks{[&](const Spec& edited) { return trial.predict(edited, true).failing == 0; },
                                 [&](const Spec& edited) {
                                   const auto some = trial.predict(edited, true);
                                   return static_cast<double>(some.failing) /
                                          static_cast<double>(some.elements);
                                 },
                                 [&](const Spec& edited) { return trial.predict(edited); }, declared.failing};
  auto result = search_edits(spec, proposals.edits, checks);
  diagnosis.searched = result.searched;
  diagnosis.explanations = std::move(result.explanations);
  if (!diagnosis.is_explained()) {
    diagnosis.rest = fmt::format("{} of {} elements fail, and no other spec that was tried predicts them.",
                                 declared.failing, declared.elements);
  }
  return diagnosis;
}

}  // namespace

Diagnosis diagnose_mixed(const Case& subject) {
  return diagnose(Trial(subject));
}

Diagnosis diagnose_mixed(const Encoding& encoding, const RotatedTensor& vectors) {
  return diagnose(Trial(encoding, vectors));
}

}  // namespace vernier
