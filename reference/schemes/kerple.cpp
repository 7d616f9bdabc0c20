#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <fmt/core.h>

#include "reference/rational_power.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// KERPLE (T.-C. Chi et al., 2022): biases that a head learns the shape of, with d the distance of query and
/// key and b, a, p the head's numbers.
/// log: -b ln(1 + a d^p); the paper has p = 1, NeMo learns it. power: -b d^p.
struct KerpleSpec {
  enum class Kind { log, power };
  struct Head {
    Rational scale;  ///< b > 0
    Rational a = 1;  ///< > 0, of log
    Rational p = 1;  ///< (0, 2]
  };

  Kind kind = Kind::log;
  std::vector<Head> heads;  ///< at least one
};

class KerpleEncoding final : public Encoding {
 public:
  explicit KerpleEncoding(KerpleSpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "kerple"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  std::vector<Rational> all(Rational KerpleSpec::Head::*number) const;

  KerpleSpec spec_;
};

using Kind = KerpleSpec::Kind;
using Head = KerpleSpec::Head;

constexpr std::array<std::string_view, 2> kind_names{"log", "power"};

/// Reads a number for each head. \param number of a head \param accepts, expected the condition on each
void read_numbers(ObjectReader& reader, std::string_view key, KerpleSpec& spec, Rational Head::*number,
                  bool (*accepts)(const Rational&), std::string_view expected) {
  const std::string name(key);
  const auto values = read_exact_numbers(reader, name, reader.array(key, "an array of numbers, one a head"),
                                         accepts, expected);
  if (values.empty()) {
    reader.refuse(key, "an array of numbers, one a head, at least one");
  }
  if (!spec.heads.empty() && values.size() != spec.heads.size()) {
    reader.refuse_all(fmt::format("{}: found {} numbers, expected {}, as many as scale has", name,
                                  values.size(), spec.heads.size()));
  }
  spec.heads.resize(values.size());
  for (std::size_t head = 0; head < values.size(); ++head) {
    spec.heads[head].*number = values[head];
  }
}

bool is_positive(const Rational& value) {
  static const Rational limit = *parse_rational("1e30");
  return value * limit >= 1 && value <= limit;
}

std::unique_ptr<Encoding> parse_kerple(ObjectReader& reader) {
  constexpr std::string_view positive = "a number from 1e-30 to 1e30";
  KerpleSpec spec;
  spec.kind = static_cast<Kind>(reader.choice("kind", {kind_names[0], kind_names[1]}, 0));
  read_numbers(reader, "scale", spec, &Head::scale, is_positive, positive);
  if (spec.kind == Kind::log && reader.has("a")) {
    read_numbers(reader, "a", spec, &Head::a, is_positive, positive);
  }
  if (reader.has("p")) {
    read_numbers(
        reader, "p", spec, &Head::p, [](const Rational& p) { return p > 0 && p <= 2; },
        "a number greater than 0 and at most 2");
  }
  return std::make_unique<KerpleEncoding>(std::move(spec));
}

/// What d^p is off by, in roundings: d, which counts p times; p, which moves the power by p ln d, twice, as
/// its product with a logarithm is rounded too; and the power itself, two. Nothing where p is 1.
double power_roundings(double distance, double p) {
  return p == 1 ? 1 : 2 + p + 2 * p * std::log(distance);
}

/// Beside d^p: b and the product. Of log: a and its product move the argument of the logarithm too, and so
/// does the sum with 1, all of which moves it absolutely; the logarithm is good to 2u of itself.
ComputedReal bias_of(Kind kind, const Head& head, std::int64_t distance) {
  if (distance == 0) {
    return {[] { return enclose(std::int64_t{0}); }};
  }
  const double d = static_cast<double>(distance);
  const double scale = approximately(head.scale);
  const double p = approximately(head.p);
  const double roundings = power_roundings(d, p);
  if (kind == Kind::power) {
    const double value = scale * std::pow(d, p);
    return {rational_power(Rational(distance), head.p, -head.scale), -value,
            [value, roundings](double u) { return value * growth_by(roundings + 2, u); }};
  }
  const double value = scale * std::log1p(approximately(head.a) * std::pow(d, p));
  return {[head, power = rational_power(Rational(distance), head.p, head.a)] {
            return Interval(-enclose(head.scale) * log(1 + power()));
          },
          -value,
          [value, scale, roundings](double u) {
            // What moves the argument by a share moves the logarithm by -ln(1 - share), twice it at most.
            const double of_argument = 2 * growth_by(roundings + 3, u);
            return value * growth_by(4, u) + scale * of_argument * (1 + growth_by(4, u));
          }};
}

std::vector<TensorDefinition> KerpleEncoding::define_tensors() const {
  BiasTable table{"bias", {}, BiasTable::Factor::distance};
  for (const auto& head : spec_.heads) {
    table.curves.emplace_back([kind = spec_.kind, head](std::int64_t multiplier) {
      return bias_of(kind, head, std::abs(multiplier));
    });
  }
  return {std::move(table)};
}

std::string KerpleEncoding::summary() const {
  return fmt::format("KERPLE, {} of the distance, {} heads", spec_.kind == Kind::log ? "logarithm" : "power",
                     spec_.heads.size());
}

std::vector<Rational> KerpleEncoding::all(Rational Head::*number) const {
  std::vector<Rational> result;
  for (const auto& head : spec_.heads) {
    result.push_back(head.*number);
  }
  return result;
}

OrderedJson KerpleEncoding::spec() const {
  OrderedJson result{{"scheme", "kerple"},
                     {"kind", kind_names[static_cast<std::size_t>(spec_.kind)]},
                     {"scale", exact_json_numbers(all(&Head::scale))}};
  if (spec_.kind == Kind::log) {
    result["a"] = exact_json_numbers(all(&Head::a));
  }
  result["p"] = exact_json_numbers(all(&Head::p));
  return result;
}

}  // namespace

Scheme kerple_scheme() {
  return {"kerple",
          "a penalty on attention scores, a logarithm or a power of the distance (Chi et al. 2022)",
          parse_kerple,
          {R"({"scheme":"kerple","scale":[0.5,1,"4/3"]})",
           R"({"scheme":"kerple","scale":[0.5,2],"a":[1.5,0.1],"p":[0.75,1]})",
           R"({"scheme":"kerple","kind":"power","scale":[0.5,2],"p":[0.5,1.25]})"}};
}

}  // namespace vernier
