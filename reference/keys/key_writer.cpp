#include "reference/keys/key_writer.hpp"

#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

struct Writing {
  const Domain& domain;

  OrderedJson operator()(std::monostate) const { return nullptr; }
  OrderedJson operator()(std::int64_t value) const { return value; }
  OrderedJson operator()(bool value) const { return value; }
  OrderedJson operator()(std::size_t choice) const { return domain.choices[choice]; }
  OrderedJson operator()(const Rational& value) const {
    return domain.kind == Domain::Kind::constant ? exact_json_number(value) : json_number(value);
  }
  OrderedJson operator()(const Constant& value) const { return exact_json_number(value); }
  OrderedJson operator()(const std::vector<Rational>& list) const { return exact_json_numbers(list); }
  OrderedJson operator()(const std::vector<std::vector<Rational>>& rows) const {
    auto result = OrderedJson::array();
    for (const auto& row : rows) {
      result.push_back(exact_json_numbers(row));
    }
    return result;
  }
};

}  // namespace

OrderedJson json_of(const KeyValue& value, const Domain& domain) {
  return std::visit(Writing{domain}, value);
}

void KeyWriter::visit_value(const KeyText& key, KeyValue& value, const Domain& domain,
                            Presence /*presence*/) {
  to_[std::string(key.name)] = json_of(value, domain);
}

std::unique_ptr<KeyVisitor> KeyWriter::enter(const KeyText& key, bool is_there) {
  return is_there ? std::make_unique<KeyWriter>(to_[std::string(key.name)] = OrderedJson::object()) : nullptr;
}

std::vector<std::unique_ptr<KeyVisitor>> KeyWriter::enter_each(const KeyText& key, std::size_t present,
                                                               Count /*count*/, std::string_view /*words*/) {
  auto& all = to_[std::string(key.name)] = OrderedJson::array();
  all.get_ref<OrderedJson::array_t&>().resize(present, OrderedJson::object());
  std::vector<std::unique_ptr<KeyVisitor>> result;
  for (auto& one : all) {
    result.push_back(std::make_unique<KeyWriter>(one));
  }
  return result;
}

}  // namespace vernier
