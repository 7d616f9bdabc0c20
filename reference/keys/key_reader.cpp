#include "reference/keys/key_reader.hpp"

#include <optional>
#include <utility>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

std::vector<Rational> read_elements(const ObjectReader& reader, const std::string& within,
                                    const JsonValue::Array& array, const NumberRange& range) {
  return read_exact_numbers(
      reader, within, array, [&](const Rational& x) { return range.contains(x); }, range.words);
}

std::vector<Rational> read_list(ObjectReader& reader, std::string_view key, const Domain& domain) {
  auto numbers = read_elements(reader, std::string(key), reader.array(key, domain.words), domain.range);
  if (!domain.count.contains(numbers.size())) {
    reader.refuse(key, domain.words);
  }
  return numbers;
}

std::vector<std::vector<Rational>> read_rows(ObjectReader& reader, std::string_view key,
                                             const Domain& domain) {
  std::vector<std::vector<Rational>> rows;
  for (const auto& row : reader.array(key, domain.words)) {
    const auto within = fmt::format("{}[{}]", key, rows.size());
    const auto* numbers = std::get_if<JsonValue::Array>(&row.value());
    if (numbers == nullptr) {
      reader.refuse_within(within, row, "a row of numbers");
    }
    rows.push_back(read_elements(reader, within, *numbers, domain.range));
    if (rows.back().size() != rows.front().size()) {
      reader.refuse_all(fmt::format("{}: found {} numbers, expected {}, as in the first row", within,
                                    rows.back().size(), rows.front().size()));
    }
  }
  if (!domain.count.contains(rows.size()) || (!rows.empty() && rows.front().empty())) {
    reader.refuse(key, domain.words);
  }
  return rows;
}

/// \pre the key is there, or it is no list
std::optional<KeyValue> read(ObjectReader& reader, std::string_view key, const Domain& domain,
                             bool is_required) {
  const auto& range = domain.range;
  const auto value_of = [](auto&& value) {
    return value ? std::optional<KeyValue>(*std::forward<decltype(value)>(value)) : std::nullopt;
  };
  const auto accepts = [&](const Rational& x) { return range.contains(x); };
  switch (domain.kind) {
    case Domain::Kind::integer: {
      const auto least = *as_integer(range.least);
      const auto greatest = *as_integer(range.greatest);
      return is_required ? KeyValue(reader.integer(key, least, greatest))
                         : value_of(reader.optional_integer(key, least, greatest));
    }
    case Domain::Kind::number:
      return is_required ? KeyValue(reader.number(key, accepts, range.words))
                         : value_of(reader.optional_number(key, accepts, range.words));
    case Domain::Kind::constant: {
      auto found = value_of(reader.optional_constant(
          key,
          [&](const Constant& x) {
            return (domain.may_have_pi || x.power_of_pi == 0) && range.contains(x.factor);
          },
          range.words));
      if (!found && is_required) {
        reader.refuse(key, range.words);
      }
      return found;
    }
    case Domain::Kind::boolean:
      return value_of(reader.optional_boolean(key));
    case Domain::Kind::choice:
      return value_of(reader.optional_choice(key, domain.choices));
    case Domain::Kind::numbers:
      return read_list(reader, key, domain);
    case Domain::Kind::rows:
      return read_rows(reader, key, domain);
  }
  return std::nullopt;
}

bool is_list(const Domain& domain) {
  return domain.kind == Domain::Kind::numbers || domain.kind == Domain::Kind::rows;
}

}  // namespace

void KeyReader::require(bool holds, std::string_view key, std::string_view expected) {
  if (!holds) {
    reader_.refuse(key, expected);
  }
}

void KeyReader::require_all(bool holds, std::string_view sentence) {
  if (!holds) {
    reader_.refuse_all(sentence);
  }
}

void KeyReader::needed(std::string_view key, std::string_view expected) {
  require(reader_.has(key), key, expected);
}

void KeyReader::forbidden(std::string_view key, std::string_view expected) {
  require(!reader_.has(key), key, expected);
  reader_.ignore(key);
}

void KeyReader::visit_value(const KeyText& key, KeyValue& value, const Domain& domain, Presence presence) {
  if (is_list(domain) && presence != Presence::required && !reader_.has(key.name)) {
    reader_.ignore(key.name);
    return;
  }
  if (auto found = read(reader_, key.name, domain, presence == Presence::required)) {
    value = *std::move(found);
  }
}

std::unique_ptr<KeyVisitor> KeyReader::enter(const KeyText& key, bool /*is_there*/) {
  auto within = reader_.optional_object(key.name);
  return within ? std::make_unique<KeyReader>(*std::move(within)) : nullptr;
}

std::vector<std::unique_ptr<KeyVisitor>> KeyReader::enter_each(const KeyText& key, std::size_t /*present*/,
                                                               Count count, std::string_view words) {
  std::vector<std::unique_ptr<KeyVisitor>> result;
  for (auto& one : reader_.objects(key.name, words)) {
    result.push_back(std::make_unique<KeyReader>(std::move(one)));
  }
  if (!count.contains(result.size())) {
    reader_.refuse(key.name, words);
  }
  return result;
}

std::optional<KeyValue> read_value(ObjectReader& reader, std::string_view key, const Domain& domain,
                                   bool is_required) {
  return read(reader, key, domain, is_required);
}

}  // namespace vernier
