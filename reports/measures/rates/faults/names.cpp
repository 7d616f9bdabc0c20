#include "reports/measures/rates/faults/names.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "props/judging/specs.hpp"
#include "reports/measures/rates/budgets.hpp"
#include "reports/measures/rates/fault.hpp"

namespace vernier::rates {
namespace {

using Shared = std::shared_ptr<const Design>;

std::size_t fault_index(double x) {
  return static_cast<std::size_t>(x);
}

std::int64_t fault_integer(double x) {
  return static_cast<std::int64_t>(x);
}

std::optional<BiasTable> biases_of(const Design& d) {
  const auto all = d.encoding->all<BiasTable>();
  return all.empty() ? std::nullopt : std::optional(all.back());
}

bool has_factor(const Design& d, BiasTable::Factor factor) {
  const auto biases = biases_of(d);
  return biases && biases->factor == factor;
}

double number_of(bool holds) {
  return holds ? 1 : 0;
}

double number_of(std::size_t count) {
  return static_cast<double>(count);
}

/// Whether pairs are made of two halves, not of neighbours.
bool pairs_halves(const Design& d) {
  return !d.pairs.empty() && d.pairs.front().second == d.pairs.size();
}

bool is_geometric(const Design& d) {
  return d.encoding->has_plain_tables() &&
         d.encoding->plain_tables().front().frequencies.geometric() != nullptr;
}

double axis_count(const Design& d) {
  const auto tables = d.encoding->tables_of_axes();
  return tables.empty() ? 0 : static_cast<double>(tables.front().axes->positions.count);
}

double centre_of(const Design& d) {
  const auto tables = d.encoding->scaled_tables();
  return tables.empty() ? 0 : static_cast<double>(tables.front().scale->centre);
}

const std::map<std::string_view, double (*)(const Design&)> design_facts{
    {"rows", [](const Design& d) { return number_of(has_rows(d)); }},
    {"products", [](const Design& d) { return number_of(has_products(d)); }},
    {"turns", [](const Design& d) { return number_of(d.has_turns()); }},
    {"rotates", [](const Design& d) { return number_of(d.rotates()); }},
    {"axes", [](const Design& d) { return number_of(d.encoding->has_tables_of_axes()); }},
    {"axis_count", axis_count},
    {"vectors", [](const Design& d) { return number_of(d.rotates() && !d.encoding->has_tables_of_axes()); }},
    {"carried", [](const Design& d) { return number_of(d.rule != nullptr); }},
    {"growing", [](const Design& d) { return number_of(d.growing != nullptr); }},
    {"tuned", [](const Design& d) { return number_of(!d.tuning.empty()); }},
    {"placed", [](const Design& d) { return number_of(!d.placing.empty()); }},
    {"contracted", [](const Design& d) { return number_of(d.contract.has_value()); }},
    {"refuses", [](const Design& d) { return number_of(!d.refusing.empty()); }},
    {"sloping", [](const Design& d) { return number_of(d.sloping != nullptr); }},
    {"bucketed", [](const Design& d) { return number_of(d.bucketing != nullptr); }},
    {"biases", [](const Design& d) { return number_of(biases_of(d).has_value()); }},
    {"heads", [](const Design& d) { return biases_of(d) ? number_of(biases_of(d)->slopes.size()) : 0; }},
    {"by_nothing", [](const Design& d) { return number_of(has_factor(d, BiasTable::Factor::one)); }},
    {"by_distance", [](const Design& d) { return number_of(has_factor(d, BiasTable::Factor::distance)); }},
    {"by_key_position",
     [](const Design& d) { return number_of(has_factor(d, BiasTable::Factor::key_position)); }},
    {"least", [](const Design& d) { return static_cast<double>(least_position(d)); }},
    {"last", [](const Design& d) { return static_cast<double>(greatest_position(d)); }},
    {"length", [](const Design& d) { return static_cast<double>(d.length()); }},
    {"has_length", [](const Design& d) { return number_of(d.encoding->sequence_length().has_value()); }},
    {"pairs", [](const Design& d) { return number_of(d.frequencies.size()); }},
    {"head_pairs", [](const Design& d) { return number_of(d.pairs.size()); }},
    {"halves", [](const Design& d) { return number_of(pairs_halves(d)); }},
    {"rotary_dim", [](const Design& d) { return number_of(d.rotary_dim); }},
    {"amplitude", [](const Design& d) { return d.amplitude; }},
    {"direction", [](const Design& d) { return d.direction; }},
    {"stored", [](const Design& d) { return static_cast<double>(d.stored()); }},
    {"precision", [](const Design& d) { return static_cast<double>(traits(d.stored()).precision); }},
    {"unit", [](const Design& d) { return traits(d.stored()).unit_roundoff(); }},
    {"compute", [](const Design& d) { return static_cast<double>(d.compute); }},
    {"compute_precision", [](const Design& d) { return static_cast<double>(traits(d.compute).precision); }},
    {"geometric", [](const Design& d) { return number_of(is_geometric(d)); }},
    {"centre", centre_of},
};

/// The dimension that a dimension of vectors is rotated with; -1 if it is not rotated.
double partner_of(const Design& d, std::size_t dimension) {
  for (const auto& [first, second] : d.pairs) {
    if (dimension == first || dimension == second) {
      return number_of(dimension == first ? second : first);
    }
  }
  return -1;
}

std::pair<double, double> mixed(const Design& d, FormulaArguments a) {
  return d.mixing(a[0], a[1], {a[2], a[3]});
}

double element_of(std::span<const double> values, const FormulaRows& rows, FormulaArguments a) {
  return values[fault_index(a[0]) * rows.width + fault_index(a[1])];
}

using OfDesign = double (*)(const Design& design, FormulaArguments arguments, const FormulaRows& rows);

const std::map<std::string_view, OfDesign> design_functions{
    // Always the same number from 0 to 1 for a number, an index and a salt.
    {"hash",
     [](const Design&, FormulaArguments a, const FormulaRows&) {
       return hashed_share(std::bit_cast<std::uint64_t>(a[0]) + std::bit_cast<std::uint64_t>(a[2]),
                           fault_index(a[1]));
     }},
    {"w", [](const Design& d, FormulaArguments a,
             const FormulaRows&) { return d.frequencies[fault_index(a[0])]; }},
    {"budget", [](const Design& d, FormulaArguments a,
                  const FormulaRows&) { return element_budget(d, fault_integer(a[0]), fault_index(a[1])); }},
    {"phase_budget",
     [](const Design& d, FormulaArguments a, const FormulaRows&) {
       return phase_budget(d, fault_integer(a[0]), fault_index(a[1]));
     }},
    {"hardly_turns", [](const Design& d, FormulaArguments a,
                        const FormulaRows&) { return number_of(hardly_turns(d, fault_index(a[0]))); }},
    {"position_of",
     [](const Design& d, FormulaArguments a, const FormulaRows&) {
       return static_cast<double>(d.positions.at(fault_integer(a[0])));
     }},
    {"cosine",
     [](const Design& d, FormulaArguments a, const FormulaRows&) { return d.trigonometry(a[0]).cosine; }},
    {"sine",
     [](const Design& d, FormulaArguments a, const FormulaRows&) { return d.trigonometry(a[0]).sine; }},
    {"first", [](const Design& d, FormulaArguments a, const FormulaRows&) { return mixed(d, a).first; }},
    {"second", [](const Design& d, FormulaArguments a, const FormulaRows&) { return mixed(d, a).second; }},
    {"partner", [](const Design& d, FormulaArguments a,
                   const FormulaRows&) { return partner_of(d, fault_index(a[0])); }},
    {"at", [](const Design&, FormulaArguments a,
              const FormulaRows& rows) { return element_of(rows.values, rows, a); }},
    {"input", [](const Design&, FormulaArguments a,
                 const FormulaRows& rows) { return element_of(rows.input, rows, a); }},
    {"bucket", [](const Design& d, FormulaArguments a,
                  const FormulaRows&) { return static_cast<double>(d.bucketing(fault_integer(a[0]))); }},
    {"across",
     [](const Design& d, FormulaArguments a, const FormulaRows&) {
       const auto rule = d.encoding->all<BucketTable>().front().rule;
       return number_of(rule(fault_integer(a[0])).across.has_value());
     }},
    {"slope",
     [](const Design& d, FormulaArguments a, const FormulaRows&) { return d.sloping(fault_index(a[0])); }},
    {"slope_step",
     [](const Design& d, FormulaArguments a, const FormulaRows&) {
       return approximately(biases_of(d)->slopes[fault_index(a[0])].step);
     }},
    {"slope_power",
     [](const Design& d, FormulaArguments a, const FormulaRows&) {
       return static_cast<double>(biases_of(d)->slopes[fault_index(a[0])].power);
     }},
    {"grow", [](const Design& d, FormulaArguments a,
                const FormulaRows&) { return d.growing(a[0], fault_index(a[1]), a[2] != 0); }},
};

/// FormulaArguments that take long to compute one by one.
const std::map<std::string_view, std::vector<double> (*)(const Design&)> number_lists{
    {"phase_allowance",
     [](const Design& d) {
       std::vector<double> allowed;
       for (std::size_t pair = 0; pair < d.frequencies.size(); ++pair) {
         allowed.push_back(phase_budget(d, greatest_position(d), pair));
       }
       return allowed;
     }},
    // The frequencies that a scaling scales.
    {"plain",
     [](const Design& d) {
       auto spec = OrderedJson::parse(d.spec);
       spec.erase("rope_scaling");
       spec.erase("sequence_length");
       const auto table = encoding_of(spec.dump())->plain_tables().front();
       std::vector<double> plain;
       for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
         plain.push_back(table.frequencies.approximate(pair));
       }
       return plain;
     }},
    {"sorted_slope",
     [](const Design& d) {
       std::vector<double> slopes;
       for (std::size_t head = 0; head < biases_of(d)->slopes.size(); ++head) {
         slopes.push_back(d.sloping(head));
       }
       std::ranges::sort(slopes, std::greater());
       return slopes;
     }},
};

using OfDraw = double (*)(Draw& draw, FormulaArguments arguments);

const std::map<std::string_view, OfDraw> draw_functions{
    {"between",
     [](Draw& draw, FormulaArguments a) {
       return static_cast<double>(draw.between(fault_integer(a[0]), fault_integer(a[1])));
     }},
    {"spread", [](Draw& draw, FormulaArguments a) { return draw.spread(a[0], a[1]); }},
    {"spread_integer",
     [](Draw& draw, FormulaArguments a) {
       return static_cast<double>(draw.spread_integer(fault_integer(a[0]), fault_integer(a[1])));
     }},
    {"one_of", [](Draw& draw, FormulaArguments a) { return draw.any_of(a); }},
    {"share", [](Draw& draw, FormulaArguments) { return draw.share(); }},
    {"chance", [](Draw& draw, FormulaArguments a) { return number_of(draw.chance(a[0])); }},
    {"sign", [](Draw& draw, FormulaArguments) { return draw.sign(); }},
    {"index", [](Draw& draw, FormulaArguments a) { return number_of(draw.index(fault_index(a[0]))); }},
    {"bits", [](Draw& draw, FormulaArguments) { return std::bit_cast<double>(draw.bits()); }},
};

}  // namespace

OrderedJson number_json(double value) {
  const bool is_integer = value == std::floor(value) && std::fabs(value) < 0x1p53;
  return is_integer ? OrderedJson(static_cast<std::int64_t>(value)) : OrderedJson(value);
}

OrderedJson::json_pointer pointer_to(std::string_view path) {
  std::string text(1, '/');
  text += path;
  std::ranges::replace(text, '.', '/');
  return OrderedJson::json_pointer(text);
}

FaultNames::FaultNames(Draw& draw, const Design& design)
    : draw_(draw), before_(std::make_shared<const Design>(design)), spec_(OrderedJson::parse(design.spec)) {}

const OrderedJson* FaultNames::written(std::string_view path) const {
  const auto pointer = pointer_to(path);
  return spec_.contains(pointer) && !spec_.at(pointer).is_null() ? &spec_.at(pointer) : nullptr;
}

OrderedJson FaultNames::in_spec(std::string_view path) const {
  const auto* own = written(path);
  return own != nullptr ? *own : before_->encoding->spec().value(pointer_to(path), OrderedJson());
}

std::optional<double> FaultNames::constant(const std::string& name) const {
  if (const auto drawn = drawn_.find(name); drawn != drawn_.end()) {
    return drawn->second;
  }
  if (!before_) {
    return std::nullopt;
  }
  if (const auto fact = design_facts.find(name); fact != design_facts.end()) {
    return fact->second(*before_);
  }
  const auto dot = name.find('.');
  const auto group = name.substr(0, dot);
  const auto rest = dot == std::string::npos ? std::string() : name.substr(dot + 1);
  if (group == "is") {
    return number_of(before_->encoding->scheme() == rest);
  }
  if (group == "has") {
    return number_of(written(rest) != nullptr);
  }
  if (group == "scaling") {
    const auto type = spec_.value(pointer_to("rope_scaling.rope_type"), std::string());
    return number_of(type.starts_with(rest));
  }
  if (group == "role" && !rest.empty()) {
    return code_of_role(rest);
  }
  if (group != "spec") {
    return std::nullopt;
  }
  const auto value = in_spec(rest);
  return value.is_boolean()  ? number_of(value.get<bool>())
         : value.is_number() ? value.get<double>()
                             : std::numeric_limits<double>::quiet_NaN();
}

Formula::Function FaultNames::function(const std::string& name) const {
  if (const auto found = design_functions.find(name); found != design_functions.end()) {
    return [of = found->second, design = before_](FormulaArguments a, const FormulaRows& rows) {
      return of(*design, a, rows);
    };
  }
  if (const auto found = number_lists.find(name); found != number_lists.end()) {
    return [list = found->second(*before_)](FormulaArguments a, const FormulaRows&) {
      return list[fault_index(a[0])];
    };
  }
  if (const auto found = draw_functions.find(name); found != draw_functions.end()) {
    return
        [of = found->second, &draw = draw_](FormulaArguments a, const FormulaRows&) { return of(draw, a); };
  }
  if (const auto found = formulas_.find(name); found != formulas_.end()) {
    return [this, &formula = found->second](FormulaArguments, const FormulaRows&) { return value(formula); };
  }
  if (name == "position") {
    return [this](FormulaArguments, const FormulaRows&) {
      return static_cast<double>(draw_position(draw_, *before_));
    };
  }
  if (name == "role") {
    return [this](FormulaArguments, const FormulaRows&) { return code_of_role(draw_role(draw_, *before_)); };
  }
  return {};
}

Formula::Names FaultNames::names(std::vector<std::string> variables) const {
  return {std::move(variables), [this](const std::string& name) { return constant(name); },
          [this](const std::string& name) { return function(name); }};
}

double FaultNames::code_of_role(const std::string& role) const {
  const auto found = std::ranges::find(roles_, role);
  const auto code = found - roles_.begin();
  if (found == roles_.end()) {
    roles_.push_back(role);
  }
  return static_cast<double>(code);
}

std::string FaultNames::role(const std::string& formula) const {
  return roles_[fault_index(value(formula))];
}

std::string FaultNames::shown(const std::string& formula, std::string_view as) const {
  if (as == "spec") {
    return in_spec(formula).dump();
  }
  if (as == "text") {
    return texts_.at(formula);
  }
  const double x = value(formula);
  return as == "role"   ? roles_[fault_index(x)]
         : as == "f"    ? std::string(traits(static_cast<Format>(fault_index(x))).name)
         : as == "i"    ? std::to_string(fault_integer(x))
         : as == "json" ? OrderedJson(x).dump()
                        : number(x);
}

std::string FaultNames::words(const std::string& text) const {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto open = std::min(text.find('{', at), text.size());
    result += text.substr(at, open - at);
    const auto close = text.find('}', open);
    if (close == std::string::npos) {
      break;
    }
    const auto inner = text.substr(open + 1, close - open - 1);
    const auto colon = std::min(inner.find(':'), inner.size());
    result +=
        shown(inner.substr(0, colon), std::string_view(inner).substr(std::min(colon + 1, inner.size())));
    at = close + 1;
  }
  return result;
}

}  // namespace vernier::rates
