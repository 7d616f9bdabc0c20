// The stages that faults edit, and the variables that their formulas have: a row each at the end.

#include "reports/measures/rates/faults/edits.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "props/judging/specs.hpp"
#include "reference/support/input_error.hpp"
#include "reports/measures/rates/fault.hpp"
#include "reports/measures/rates/planted_draw.hpp"

namespace vernier::rates {
namespace {

double as_number(std::size_t index) {
  return static_cast<double>(index);
}

/// \param variables of the formula that the value is
Formula formula_of(const OrderedJson& value, const FaultNames& names, std::vector<std::string> variables) {
  return names.formula(value.get<std::string>(), std::move(variables));
}

bool edit_places(const OrderedJson& value, FaultNames& names, Design& design) {
  map_places(design, [place = formula_of(value, names, {"p"})](double p) { return place({p}); });
  return true;
}

bool edit_frequencies(const OrderedJson& value, FaultNames& names, Design& design) {
  const auto formula = formula_of(value, names, {"i", "w", "before"});
  double before = 0;
  for (std::size_t i = 0; i < design.frequencies.size(); ++i) {
    auto& w = design.frequencies[i];
    before = w = round_to(design.compute, formula({as_number(i), w, before}));
  }
  return true;
}

bool edit_amplitude(const OrderedJson& value, FaultNames& names, Design& design) {
  design.amplitude = round_to(design.compute, names.value(value));
  return true;
}

bool edit_direction(const OrderedJson& value, FaultNames& names, Design& design) {
  design.direction = names.value(value);
  return true;
}

bool edit_phases(const OrderedJson& value, FaultNames& names, Design& design) {
  design.phasing.push_back(
      [phase = formula_of(value, names, {"p", "i", "f"})](double p, std::size_t i, double f) {
        return phase({p, as_number(i), f});
      });
  return true;
}

bool edit_trigonometry(const OrderedJson& value, FaultNames& names, Design& design) {
  design.trigonometry = [cosine = formula_of(value[0], names, {"x"}),
                         sine = formula_of(value[1], names, {"x"})](double x) {
    return Turn{cosine({x}), sine({x})};
  };
  return true;
}

bool edit_turns(const OrderedJson& value, FaultNames& names, Design& design) {
  design.turning.push_back([cosine = formula_of(value[0], names, {"p", "i", "c", "s"}),
                            sine = formula_of(value[1], names, {"p", "i", "c", "s"})](
                               std::int64_t position, std::size_t i, Turn turn) {
    const auto p = static_cast<double>(position);
    return Turn{cosine({p, as_number(i), turn.cosine, turn.sine}),
                sine({p, as_number(i), turn.cosine, turn.sine})};
  });
  return true;
}

bool edit_reading(const OrderedJson& value, FaultNames& names, Design& design) {
  design.reading.push_back([read = formula_of(value, names, {"x"})](double x) { return read({x}); });
  return true;
}

bool edit_mixing(const OrderedJson& value, FaultNames& names, Design& design) {
  design.mixing = [first = formula_of(value[0], names, {"x0", "x1", "c", "s"}),
                   second = formula_of(value[1], names, {"x0", "x1", "c", "s"})](double x0, double x1,
                                                                                 Turn turn) {
    return std::pair(first({x0, x1, turn.cosine, turn.sine}), second({x0, x1, turn.cosine, turn.sine}));
  };
  return true;
}

/// Of tensors of the roles named, of all if none is: the element of row r, at position p, and column j.
bool edit_values(const OrderedJson& value, FaultNames& names, Design& design) {
  std::vector<std::string> roles;
  for (const auto& role : value.value("of", OrderedJson::array())) {
    roles.push_back(names.role(role));
  }
  design.finishing.push_back([roles, element = formula_of(value["is"], names,
                                                          {"p", "r", "j", "v", "rows", "width"})](
                                 const Question& question, std::size_t width, std::span<double> values) {
    if (!roles.empty() && std::ranges::find(roles, question.role) == roles.end()) {
      return;
    }
    const std::vector<double> before(values.begin(), values.end());
    const FormulaRows all{before, question.input, width};
    const auto rows = question.positions.size();
    for (std::size_t i = 0; i < rows * width; ++i) {
      const auto p = static_cast<double>(question.positions[i / width]);
      values[i] = element(
          {p, as_number(i / width), as_number(i % width), before[i], as_number(rows), as_number(width)}, all);
    }
  });
  return true;
}

bool edit_storing(const OrderedJson& value, FaultNames& names, Design& design) {
  design.storing = [store = formula_of(value, names, {"v"})](double v) { return store({v}); };
  return true;
}

bool edit_pairs(const OrderedJson& value, FaultNames& names, Design& design) {
  const auto first = formula_of(value[0], names, {"i", "a", "b"});
  const auto second = formula_of(value[1], names, {"i", "a", "b"});
  for (std::size_t i = 0; i < design.pairs.size(); ++i) {
    const auto a = as_number(design.pairs[i].first);
    const auto b = as_number(design.pairs[i].second);
    design.pairs[i] = {static_cast<std::size_t>(first({as_number(i), a, b})),
                       static_cast<std::size_t>(second({as_number(i), a, b}))};
  }
  return true;
}

bool edit_columns(const OrderedJson& value, FaultNames&, Design& design) {
  design.doubles_columns = value;
  return true;
}

bool edit_axes(const OrderedJson& value, FaultNames& names, Design& design) {
  design.steering = [axis = formula_of(value, names, {"i", "a"})](std::size_t pair, int a) {
    return static_cast<int>(axis({as_number(pair), static_cast<double>(a)}));
  };
  return true;
}

bool edit_slopes(const OrderedJson& value, FaultNames& names, Design& design) {
  design.sloping = [slope = formula_of(value, names, {"h"})](std::size_t h) { return slope({as_number(h)}); };
  return true;
}

/// What should multiply a slope is d; the positions are those of the key, of the key that has the row of the
/// query, and of the last key.
bool edit_distances(const OrderedJson& value, FaultNames& names, Design& design) {
  design.distancing = [distance = formula_of(value, names, {"d", "key", "aligned", "newest"})](
                          const std::vector<std::int64_t>& at, std::size_t /*queries*/, std::size_t query,
                          std::size_t key, std::int64_t factor) {
    return distance({static_cast<double>(factor), static_cast<double>(at[key]),
                     static_cast<double>(at[query]), static_cast<double>(at.back())});
  };
  return true;
}

bool edit_buckets(const OrderedJson& value, FaultNames& names, Design& design) {
  design.bucketing = [bucket = formula_of(value, names, {"r"})](std::int64_t r) {
    return static_cast<std::int64_t>(bucket({static_cast<double>(r)}));
  };
  return true;
}

bool edit_growth(const OrderedJson& value, FaultNames& names, Design& design) {
  design.growing = [growth = formula_of(value, names, {"p", "i", "keys"})](double p, std::size_t i,
                                                                           bool of_keys) {
    return growth({p, as_number(i), of_keys ? 1.0 : 0.0});
  };
  return true;
}

/// Gives the design what another spec defines: buckets, or frequencies, their pairs and the amplitude.
void compute_spec(Design& design, const OrderedJson& spec) {
  const auto encoding = encoding_of(spec.dump());
  if (encoding->has<BucketTable>()) {
    design.bucketing = [rule = encoding->all<BucketTable>().front().rule](std::int64_t r) {
      return rule(r).index;
    };
    return;
  }
  const auto table = encoding->plain_tables().front();
  const auto pairs = static_cast<std::size_t>(table.frequencies.pairs());
  if (pairs != design.frequencies.size()) {
    const auto rotation = encoding->all<HeadRotation>().front();
    design.pairs.assign(rotation.pairs.begin(), rotation.pairs.end());
    design.rotary_dim = rotation.rotated.size();
    design.frequencies.resize(pairs);
  }
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    design.frequencies[pair] =
        round_to(design.compute, table.frequencies.approximate(static_cast<int>(pair)));
  }
  design.amplitude = round_to(design.compute, approximately(table.amplitude));
}

bool compute_another(Design& design, const OrderedJson& spec) {
  try {
    compute_spec(design, spec);
    return true;
  } catch (const InputError&) {
    return false;  // there is no such encoding
  }
}

/// A number as the spec writes it: a truth where that is one.
OrderedJson as_written(double value, const OrderedJson& like) {
  return like.is_boolean() ? OrderedJson(value != 0) : number_json(value);
}

/// Keys that have other values, or none.
bool edit_spec(const OrderedJson& value, FaultNames& names, Design& design) {
  auto spec = names.spec();
  for (const auto& [key, formula] : value.items()) {
    if (formula.get_ref<const std::string&>().empty()) {
      spec.erase(key);
    } else {
      spec[pointer_to(key)] = as_written(names.value(formula), names.in_spec(key));
    }
  }
  return compute_another(design, spec);
}

/// Two keys that have the value of each other.
bool swap_in_spec(const OrderedJson& value, FaultNames& names, Design& design) {
  auto spec = names.spec();
  std::swap(spec[pointer_to(value[0].get<std::string>())], spec[pointer_to(value[1].get<std::string>())]);
  return compute_another(design, spec);
}

constexpr int most_condition_draws = 2000;

/// Whether the design's rows are asked for one by one, so that other questions about them are asked.
bool converses(const Design& design) {
  return has_rows(design) && design.has_turns() && !design.encoding->has_tables_of_axes() &&
         design.tuning.empty() && design.positions.step == 1 && design.length() >= 64;
}

/// Whether a short conversation about any encoding meets it.
bool is_common(const Atom& atom, const Design& design) {
  constexpr std::int64_t most = 16;
  switch (atom.coordinate) {
    case Coordinate::rows:
    case Coordinate::row:
    case Coordinate::from_end:
      return atom.relation != Relation::equal && atom.value <= most && atom.modulus <= 4;
    case Coordinate::order:
      return !design.contiguous_only && (static_cast<Order>(atom.value) == Order::shuffled ||
                                         static_cast<Order>(atom.value) == Order::descending ||
                                         static_cast<Order>(atom.value) == Order::packed);
    case Coordinate::heads:
    case Coordinate::head:
    case Coordinate::batch:
      return design.rotates() && atom.relation == Relation::at_least && atom.value <= 2;
    case Coordinate::longer_before:
    case Coordinate::longest_so_far:
    case Coordinate::same_rows:
      return true;
    default:
      return false;
  }
}

constexpr std::array<std::pair<std::string_view, CoordinateKind>, 4> conversation_kinds{
    {{"size", CoordinateKind::size},
     {"kind", CoordinateKind::kind},
     {"history", CoordinateKind::history},
     {"element", CoordinateKind::element}}};

/// A fault that hangs on the question, drawn as a condition on coordinates of one kind: how many rows and in
/// which order it asks for, of which heads and batches, and after what. Vectors of which it holds have
/// another position.
bool edit_conversation(const OrderedJson& kind, FaultNames& names, Design& design) {
  if (!converses(design)) {
    return false;
  }
  const auto wanted =
      std::ranges::find(conversation_kinds, kind.get<std::string>(), [](const auto& k) { return k.first; });
  const auto suits = [&](const Predicate& where) {
    return where.size() == 1 && traits(where.front().coordinate).kind == wanted->second &&
           is_common(where.front(), design);
  };
  auto& draw = names.draw();
  PlantedKernel kernel{.is_faulty = true, .effect = draw.one_of({Effect::next, Effect::previous})};
  for (int attempt = 0; !suits(kernel.where); ++attempt) {
    if (attempt == most_condition_draws) {
      return false;
    }
    kernel.where = draw_conditions(draw, Distribution::covering);
  }
  design.placing.push_back([kernel](const Question& question, std::vector<double>& places) {
    const auto& [asked, coordinates, last] = question.conversation;
    for (std::size_t row = 0; row < places.size(); ++row) {
      const auto index = question.sequence * places.size() + row;
      if (asked != nullptr && holds(kernel.where, with_vector(*coordinates, *asked, index))) {
        const auto place = misplaced(kernel, *asked, index, last);
        places[row] += static_cast<double>(place - asked->position(question.batch, row));
      }
    }
  });
  names.define_text("kernel", to_text(kernel));
  return true;
}

/// A function's own: other sources ask for it while their constants are made.
const std::map<std::string, Edit, std::less<>>& fault_edits() {
  static const std::map<std::string, Edit, std::less<>> all{
      {"place", edit_places},
      {"frequency", edit_frequencies},
      {"amplitude", edit_amplitude},
      {"direction", edit_direction},
      {"phase", edit_phases},
      {"trigonometry", edit_trigonometry},
      {"turn", edit_turns},
      {"read", edit_reading},
      {"pair", edit_mixing},
      {"value", edit_values},
      {"store", edit_storing},
      {"pairs", edit_pairs},
      {"doubles_columns", edit_columns},
      {"axis", edit_axes},
      {"slope", edit_slopes},
      {"distance", edit_distances},
      {"bucket", edit_buckets},
      {"growth", edit_growth},
      {"spec", edit_spec},
      {"spec_swap", swap_in_spec},
      {"condition", edit_conversation},
  };
  return all;
}

}  // namespace

Edit edit_called(const std::string& key) {
  const auto found = fault_edits().find(key);
  return found == fault_edits().end() ? nullptr : found->second;
}

}  // namespace vernier::rates
