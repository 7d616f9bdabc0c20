#include "reference/keys/key_writer.hpp"

#include "reference/keys/parameters.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

struct Writing {
  const KeyDomain& domain;

  OrderedJson operator()(std::monostate) const { return nullptr; }
  OrderedJson operator()(std::int64_t value) const { return value; }
  OrderedJson operator()(bool value) const { return value; }
  OrderedJson operator()(std::size_t choice) const { return domain.choices[choice]; }
  OrderedJson operator()(const Rational& value) const {
    return domain.kind == KeyDomain::Kind::constant ? exact_json_number(value) : json_number(value);
  }
  OrderedJson operator()(const Constant& value) const { return exact_json_number(value); }
  OrderedJson operator()(const std::vector<Rational>& list) const {
    return mapped(list, [&](const Rational& number) {
      return domain.are_doubles ? json_number(number) : exact_json_number(number);
    });
  }
  OrderedJson operator()(const NumberRows& rows) const { return all(rows); }
  OrderedJson operator()(const std::vector<NumberRows>& rows) const {
    return mapped(rows, [&](const NumberRows& of_heads) {
      return of_heads.size() == 1 ? (*this)(of_heads.front()) : all(of_heads);
    });
  }
  OrderedJson all(const NumberRows& rows) const { return mapped(rows, *this); }
};

}  // namespace

OrderedJson json_of(const KeyValue& value, const KeyDomain& domain) {
  return std::visit(Writing{domain}, value);
}

void KeyWriter::visit_value(std::string_view key, KeyValue& value, const KeyDomain& domain,
                            Presence /*presence*/) {
  to_[std::string(key)] = json_of(value, domain);
}

std::vector<std::unique_ptr<KeyVisitor>> KeyWriter::enter_each(std::string_view key, std::size_t present,
                                                               Presence presence, ListCount /*count*/,
                                                               std::string_view /*words*/) {
  if (present == 0 && presence == Presence::optional) {
    return {};
  }
  auto& all = to_[std::string(key)] = OrderedJson::array();
  all.get_ref<OrderedJson::array_t&>().resize(present, OrderedJson::object());
  std::vector<std::unique_ptr<KeyVisitor>> result;
  for (auto& one : all) {
    result.push_back(std::make_unique<KeyWriter>(one));
  }
  return result;
}

}  // namespace vernier
