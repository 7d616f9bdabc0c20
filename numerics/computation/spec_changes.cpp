#include "numerics/computation/spec_changes.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/computation/spec_patch.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/keys/value_draw.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_edit.hpp"

namespace vernier {
namespace {

/// Whether a whole number becomes so much larger that it is none of that key: a size, as whose tensors would
/// fill the memory.
bool is_far_off(const SpecEdit& edit) {
  constexpr std::int64_t most_larger = 2;
  constexpr std::int64_t small = 64;
  const auto* becomes = std::get_if<std::int64_t>(&edit.value);
  const auto* was = std::get_if<std::int64_t>(&edit.key.value);
  return becomes != nullptr && *becomes > most_larger * std::max(small, was == nullptr ? 0 : *was);
}

constexpr int few_choices = 3;

/// Whether a value is one of a few that a key has.
bool is_choice(const KeyDescription& key, const KeyValue& value) {
  const auto* constant = std::get_if<Constant>(&value);
  if (constant != nullptr && key.domain && key.domain->may_have_pi) {
    return constant->factor == 1 || constant->factor == 2;
  }
  const auto* whole = std::get_if<std::int64_t>(&value);
  if (whole != nullptr && key.domain && key.domain->range.greatest - key.domain->range.least < few_choices) {
    return true;
  }
  if (std::holds_alternative<std::monostate>(value)) {
    return !key.domain || !number_of(key.usual);
  }
  return key.domain &&
         (key.domain->kind == KeyDomain::Kind::choice || key.domain->kind == KeyDomain::Kind::boolean);
}

/// Whether a number had to be made up, as the other value needs a key that has none.
bool has_made_up_number(const OrderedJson& before, const SpecEdit& edit) {
  return std::ranges::any_of(edit.keys, [&](const KeyDescription& key) {
    const OrderedJson::json_pointer pointer(fmt::format("/{}", pointer_of(key.path)));
    return key.domain && number_of(key.value) && key.value != key.usual &&
           generic_path(key.path) != generic_path(edit.key.path) && !before.contains(pointer);
  });
}

/// Whether an object is added, with keys that are drawn at random.
bool adds_object(const SpecEdit& edit) {
  return !edit.key.domain && !edit.key.is_there();
}

/// Whether LongRoPE's list for long sequences is the declared one.
bool is_long(const OrderedJson& spec) {
  return spec.value("max_position_embeddings", 0.0) >
         spec.value("/rope_scaling/original_max_position_embeddings"_json_pointer, 0.0);
}

/// Whether the context alone chooses between LongRoPE's two lists. Then a sequence length tells of the other
/// one, not another context, which is what the model has.
bool lacks_length_of_lists(const OrderedJson& spec) {
  return spec.contains("/rope_scaling/long_factor"_json_pointer) && !spec.contains("sequence_length");
}

/// Appends changes, each spec once.
class ChangeList {
 public:
  explicit ChangeList(const Encoding& declared) : declared_(declared), seen_{declared.spec().dump()} {}

  void add(std::shared_ptr<const Encoding> other, ChangedValue value) {
    if (other == nullptr ||
        (lacks_length_of_lists(declared_.spec()) && lacks_length_of_lists(other->spec()) &&
         is_long(declared_.spec()) != is_long(other->spec()))) {
      return;
    }
    if (seen_.insert(other->spec().dump()).second) {
      auto change = change_between(declared_, std::move(other), value);
      if (change.bits <= most_change_bits) {
        changes_.push_back(std::move(change));
      }
    }
  }
  void add(const OrderedJson& patch, ChangedValue value) { add(patched(declared_, patch), value); }

  std::vector<SpecChange> take() { return std::move(changes_); }

 private:
  static constexpr double most_change_bits = 30;  // no one key

  const Encoding& declared_;
  std::set<std::string> seen_;  ///< specs
  std::vector<SpecChange> changes_;
};

/// Appends what edits of keys make, but for those that are no changes of one key.
void add_edits(ChangeList& changes, const Encoding& declared, const WantsEdit& wants) {
  const auto& before = declared.spec();
  for (auto& edit : edits_of(declared, wants)) {
    if (is_far_off(edit) || adds_object(edit) || has_made_up_number(before, edit)) {
      continue;
    }
    const bool has_many = edit.key.domain && edit.key.domain->choices.size() > std::size_t{few_choices};
    const auto value = !is_choice(edit.key, edit.value) ? ChangedValue::listed
                       : has_many                       ? ChangedValue::variant
                                                        : ChangedValue::choice;
    changes.add(std::move(edit.encoding), value);
  }
}

}  // namespace

std::vector<SpecChange> choice_changes(const Encoding& declared) {
  ChangeList changes(declared);
  add_edits(changes, declared, is_choice);
  return changes.take();
}

std::vector<SpecChange> spec_changes(const Encoding& declared) {
  ChangeList changes(declared);
  add_edits(changes, declared, nullptr);
  if (lacks_length_of_lists(declared.spec())) {
    const auto original =
        declared.spec().at("/rope_scaling/original_max_position_embeddings"_json_pointer).get<std::int64_t>();
    changes.add(replacement("sequence_length", is_long(declared.spec()) ? original : original + 1),
                ChangedValue::choice);
  }
  const auto numbers = numbers_of(declared);
  for (const auto& one : numbers) {
    for (const auto& other : numbers) {
      if (one.value == other.value || one.path == other.path) {
        continue;
      }
      const bool are_neighbours = object_of(one.path) == object_of(other.path) && one.path < other.path;
      if (are_neighbours && (one.is_there || other.is_there) && one.listed == other.listed) {
        auto both = one.replaced(other.value);
        both.push_back(other.replaced(one.value).front());
        changes.add(both, ChangedValue::listed);
      }
      if (one.is_there && other.is_there &&
          (one.counts_positions || other.value <= 2 * one.value)) {  // as is_far_off() has it
        changes.add(one.replaced(other.value), ChangedValue::listed);
      }
      if (one.is_there && other.is_there && one.counts_positions && !other.counts_positions &&
          object_of(one.path) == object_of(other.path)) {  // a length that was multiplied by a factor
        changes.add(one.replaced(one.value * other.value), ChangedValue::listed);
      }
    }
  }
  return changes.take();
}

namespace {

/// The specs that show how a scheme is written.
std::vector<OrderedJson> examples_of(std::string_view name) {
  std::vector<OrderedJson> result;
  const auto scheme = std::ranges::find(schemes(), name, &Scheme::name);
  for (const auto text : scheme->examples) {
    result.push_back(OrderedJson::parse(text));
  }
  return result;
}

/// An edited spec, with the numbers that an example has beside the same value.
std::shared_ptr<const Encoding> with_usual_numbers(SpecEdit edit, const OrderedJson& before,
                                                   const std::vector<OrderedJson>& examples) {
  const auto edited = edit.encoding->spec();
  const OrderedJson::json_pointer choice(fmt::format("/{}", pointer_of(edit.key.path)));
  auto patch = OrderedJson::array();
  for (const auto& example : examples) {
    if (!edited.contains(choice) || !example.contains(choice) || example.at(choice) != edited.at(choice)) {
      continue;
    }
    for (const auto& number : numbers_of(*edit.encoding)) {
      const OrderedJson::json_pointer pointer(fmt::format("/{}", number.path));
      if (number.is_there && !before.contains(pointer) && example.contains(pointer)) {
        patch.push_back(replacement(number.path, example.at(pointer)).front());
      }
    }
  }
  std::shared_ptr<const Encoding> usual = patched(*edit.encoding, patch);
  return usual != nullptr ? usual : std::move(edit.encoding);
}

}  // namespace

std::vector<std::shared_ptr<const Encoding>> incomplete_changes(const Encoding& declared) {
  const auto examples = examples_of(declared.scheme());
  std::vector<std::shared_ptr<const Encoding>> result;
  std::set<std::string> seen;
  const auto add = [&](std::shared_ptr<const Encoding> other) {
    if (other != nullptr && seen.insert(other->spec().dump()).second) {
      result.push_back(std::move(other));
    }
  };
  const auto add_choices = [&](const Encoding& of) {
    const auto& before = of.spec();
    for (auto& edit : edits_of(of, is_choice)) {
      if (edit.key.domain && has_made_up_number(before, edit)) {
        add(with_usual_numbers(std::move(edit), before, examples));
      }
    }
  };
  add_choices(declared);
  std::set<std::string> added;
  for (const auto& example : examples) {
    for (const auto& [key, value] : example.items()) {
      if (!value.is_object() || declared.spec().contains(key)) {
        continue;
      }
      const std::shared_ptr<const Encoding> other = patched(declared, replacement(key, value));
      add(other);
      if (other != nullptr && added.insert(key).second) {
        add_choices(*other);
      }
    }
  }
  return result;
}

namespace {

/// The numbers of an axis: s p + o, both times a power of pi.
struct PositionLine {
  Rational scale;
  Rational offset;
  int power_of_pi = 0;
};

/// Another line of positions.
struct LineChange {
  std::string_view kind;
  std::string_view words;
  bool of_plain_axes;  ///< those along which positions are integers, too
  PositionLine (*line)(const PositionLine& own, const Rational& points);  ///< of an axis with so many
};

/// Moved by so many halves of a position.
template <int halves>
PositionLine moved(const PositionLine& own, const Rational&) {
  return {own.scale, own.offset + own.scale * halves / 2, own.power_of_pi};
}
/// (b - a)/(n - 1) = s n/(n - 1) with b = a + n s.
PositionLine to_the_end(const PositionLine& own, const Rational& n) {
  return n > 1 ? PositionLine{own.scale * n / (n - 1), own.offset, own.power_of_pi} : own;
}
/// (b (n - 1)/n - a)/(n - 1) = s - a/(n (n - 1)) with b = a + n s.
PositionLine before_the_end(const PositionLine& own, const Rational& n) {
  return n > 1 ? PositionLine{own.scale - own.offset / (n * (n - 1)), own.offset, own.power_of_pi} : own;
}
const std::array line_changes{
    LineChange{"position/offset", "positions are larger by 1/2", true, moved<1>},
    LineChange{"position/offset", "positions are smaller by 1/2", true, moved<-1>},
    LineChange{"position/offset", "positions are larger by 1", true, moved<2>},
    LineChange{"position/offset", "positions are smaller by 1", true, moved<-2>},
    LineChange{"position/scaled", "coordinates run from 0 to 1, not from -1 to 1", false,
               [](const PositionLine& own, const Rational&) {
                 return PositionLine{own.scale / 2, (own.offset + 1) / 2, own.power_of_pi};
               }},
    LineChange{"position/scaled", "coordinates run from -1 to 1, not from 0 to 1", false,
               [](const PositionLine& own, const Rational&) {
                 return PositionLine{2 * own.scale, 2 * own.offset - 1, own.power_of_pi};
               }},
    LineChange{"position/scaled", "positions are taken as they are given", true,
               [](const PositionLine&, const Rational&) {
                 return PositionLine{1, 0};
               }},
    LineChange{"position/endpoint",
               "coordinates are those of linspace(a, b (n - 1)/n, n), a the first of n and b the end: their "
               "step is not (b - a)/n",
               true, before_the_end},
    LineChange{"position/endpoint", "coordinates reach the end: their step is (b - a)/(n - 1), not (b - a)/n",
               false, to_the_end},
    LineChange{"position/endpoint",
               "coordinates reach the end: their step is (b - a)/(n - 1), not (b - a)/n, along all axes",
               true, to_the_end}};

/// The spec with other lines of positions, said of each axis where it lists axes or has several.
/// \param points of each axis
OrderedJson with_lines(const Encoding& declared, std::span<const std::int64_t> points,
                       const LineChange& change) {
  auto spec = declared.spec();
  const auto axes = points.size();
  if (axes > 1 && !spec.contains("axes")) {
    spec["axes"] = std::vector<OrderedJson>(axes, OrderedJson::object());
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto& map = declared.positions_along(axis);
    if (map.is_plain() && !change.of_plain_axes) {
      continue;
    }
    const auto line =
        change.line({map.scale().factor, map.offset().factor, map.scale().power_of_pi}, points[axis]);
    auto& said = spec.contains("axes") ? spec["axes"].at(axis) : spec;
    said["position_scale"] = exact_json_number(Constant{line.scale, line.power_of_pi});
    said["position_offset"] =
        line.offset == 0 ? OrderedJson(0) : exact_json_number(Constant{line.offset, line.power_of_pi});
  }
  for (const auto* key : {"position_scale", "position_offset"}) {
    if (axes > 1) {
      spec.erase(key);
    }
  }
  return OrderedJson::diff(declared.spec(), spec);
}

}  // namespace

std::vector<SpecChange> position_changes(const Encoding& declared, std::span<const std::int64_t> points) {
  std::vector<SpecChange> changes;
  for (const auto& change : line_changes) {
    auto patch = with_lines(declared, points, change);
    if (std::shared_ptr<const Encoding> other = patched(declared, patch);
        other != nullptr && other->spec() != declared.spec()) {
      changes.push_back({{&fault_kind(change.kind), std::string(change.words), std::move(patch)},
                         variant_bits,
                         std::move(other),
                         true});
    }
  }
  return changes;
}

}  // namespace vernier
