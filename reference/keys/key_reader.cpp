#include "reference/keys/key_reader.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

std::vector<Rational> read_elements(const ObjectReader& reader, const std::string& within,
                                    const JsonValue::Array& array, const NumberRange& range) {
  return read_exact_numbers(
      reader, within, array, [&](const Rational& x) { return range.contains(x); }, range.words);
}

std::vector<Rational> read_list(ObjectReader& reader, std::string_view key, const KeyDomain& domain) {
  auto numbers = read_elements(reader, std::string(key), reader.array(key, domain.words), domain.range);
  const bool adds_up =
      !domain.sum || std::accumulate(numbers.begin(), numbers.end(), Rational(0)) == *domain.sum;
  reader.refuse_if(!domain.count.has_own_words && (!domain.count.contains(numbers.size()) || !adds_up), key,
                   domain.words);
  return numbers;
}

std::vector<std::vector<Rational>> read_rows(ObjectReader& reader, std::string_view key,
                                             const KeyDomain& domain) {
  std::vector<std::vector<Rational>> rows;
  for (const auto& row : reader.array(key, domain.words)) {
    const auto within = fmt::format("{}[{}]", key, rows.size());
    const auto* numbers = std::get_if<JsonValue::Array>(&row.value());
    if (numbers == nullptr) {
      reader.refuse_within(within, row, "a row of numbers");
    }
    rows.push_back(read_elements(reader, within, *numbers, domain.range));
    if (domain.names_rows && rows.back().size() != rows.front().size()) {
      reader.refuse_all(fmt::format("{}: found {} numbers, expected {}, as in the first row", within,
                                    rows.back().size(), rows.front().size()));
    }
  }
  if (!domain.count.contains(rows.size()) || std::ranges::any_of(rows, [&](const auto& row) {
        return row.size() != rows.front().size() || !domain.columns.contains(row.size());
      })) {
    reader.refuse(key, domain.words);
  }
  return rows;
}

/// "2 heads of 3 numbers"
std::string shape_of(const NumberRows& heads) {
  const auto numbers = heads.front().size();
  return (heads.size() == 1 ? "" : fmt::format("{} heads of ", heads.size())) +
         (numbers == 1 ? "one number" : fmt::format("{} numbers", numbers));
}

/// A row, head by head.
NumberRows read_row_of_heads(const ObjectReader& reader, const std::string& within, const JsonValue& row,
                             const KeyDomain& domain) {
  const auto numbers_of = [&](const std::string& where, const JsonValue& of_head) {
    const auto* numbers = std::get_if<JsonValue::Array>(&of_head.value());
    if (numbers == nullptr || numbers->empty()) {
      reader.refuse_within(where, of_head, "a row of numbers, one a pair");
    }
    return read_elements(reader, where, *numbers, domain.range);
  };
  const auto* all = std::get_if<JsonValue::Array>(&row.value());
  const bool has_heads =
      all != nullptr && !all->empty() && std::holds_alternative<JsonValue::Array>(all->front().value());
  if (!has_heads || !domain.may_have_heads) {
    return {numbers_of(within, row)};
  }
  NumberRows result;
  for (const auto& of_head : *all) {
    result.push_back(numbers_of(fmt::format("{}[{}]", within, result.size()), of_head));
  }
  return result;
}

std::vector<NumberRows> read_heads(ObjectReader& reader, std::string_view key, const KeyDomain& domain) {
  std::vector<NumberRows> rows;
  for (const auto& row : reader.array(key, domain.words)) {
    const auto within = fmt::format("{}[{}]", key, rows.size());
    rows.push_back(read_row_of_heads(reader, within, row, domain));
    const auto& first = rows.front();
    for (const auto& of_head : rows.back()) {
      if (rows.back().size() != first.size() || of_head.size() != first.front().size()) {
        reader.refuse_all(fmt::format("{}: found {}, expected {}, as of the first axis and head", within,
                                      shape_of({rows.back().size(), of_head}), shape_of(first)));
      }
    }
  }
  reader.refuse_if(!domain.count.contains(rows.size()) ||
                       !domain.columns.contains(rows.front().size() * rows.front().front().size()),
                   key, domain.words);
  return rows;
}

/// \pre a choice with words of its own is there
std::optional<KeyValue> read_choice(ObjectReader& reader, std::string_view key, const KeyDomain& domain) {
  if (domain.words.empty()) {
    const auto found = reader.optional_choice(key, domain.choices);
    return found ? std::optional<KeyValue>(*found) : std::nullopt;
  }
  const auto found = domain.choice_named(reader.string(key));
  reader.refuse_if(!found, key, domain.words);
  return *found;
}

bool is_list(const KeyDomain& domain) {
  return domain.kind == KeyDomain::Kind::numbers || domain.kind == KeyDomain::Kind::rows ||
         domain.kind == KeyDomain::Kind::heads;
}

}  // namespace

void KeyReader::require_all(bool holds, std::string_view sentence) {
  if (!holds) {
    reader_.refuse_all(sentence);
  }
}

void KeyReader::forbidden(std::string_view key, std::string_view expected) {
  require(!reader_.has(key), key, expected);
  reader_.ignore(key);
}

void KeyReader::visit_value(std::string_view key, KeyValue& value, const KeyDomain& domain,
                            Presence presence) {
  if (is_list(domain) && presence != Presence::required && !reader_.has(key)) {
    reader_.ignore(key);
    return;
  }
  const auto name = reader_.has(domain.older_key) && !reader_.has(key) ? domain.older_key : key;
  if (auto found = read_value(reader_, name, domain, presence == Presence::required)) {
    value = *std::move(found);
  }
  if (!domain.older_key.empty()) {
    reader_.ignore(domain.older_key);
  }
}

std::unique_ptr<KeyVisitor> KeyReader::enter(std::string_view key, bool /*is_there*/) {
  auto within = reader_.optional_object(key);
  return within ? std::make_unique<KeyReader>(*std::move(within)) : nullptr;
}

std::vector<std::unique_ptr<KeyVisitor>> KeyReader::enter_each(std::string_view key, std::size_t /*present*/,
                                                               Presence presence, ListCount count,
                                                               std::string_view words) {
  if (presence == Presence::optional && !reader_.has(key)) {
    reader_.ignore(key);
    return {};
  }
  std::vector<std::unique_ptr<KeyVisitor>> result;
  for (auto& one : reader_.objects(key, words)) {
    result.push_back(std::make_unique<KeyReader>(std::move(one)));
  }
  reader_.refuse_if(!count.has_own_words && !count.contains(result.size()), key, words);
  return result;
}

std::optional<KeyValue> read_value(ObjectReader& reader, std::string_view key, const KeyDomain& domain,
                                   bool is_required) {
  const auto& range = domain.range;
  const auto value_of = [](auto&& value) {
    return value ? std::optional<KeyValue>(*std::forward<decltype(value)>(value)) : std::nullopt;
  };
  const auto accepts = [&](const Rational& x) { return range.contains(x); };
  switch (domain.kind) {
    case KeyDomain::Kind::integer: {
      const auto least = *as_integer(range.least);
      const auto greatest = *as_integer(range.greatest);
      return is_required ? KeyValue(reader.integer(key, least, greatest))
                         : value_of(reader.optional_integer(key, least, greatest));
    }
    case KeyDomain::Kind::number:
      return is_required ? KeyValue(reader.number(key, accepts, range.words))
                         : value_of(reader.optional_number(key, accepts, range.words));
    case KeyDomain::Kind::constant: {
      auto found = value_of(reader.optional_constant(
          key,
          [&](const Constant& x) {
            return (domain.may_have_pi || x.power_of_pi == 0) && range.contains(x.factor);
          },
          range.words));
      reader.refuse_if(!found && is_required, key, range.words);
      return found;
    }
    case KeyDomain::Kind::boolean:
      return value_of(reader.optional_boolean(key));
    case KeyDomain::Kind::choice:
      return read_choice(reader, key, domain);
    case KeyDomain::Kind::numbers:
      return read_list(reader, key, domain);
    case KeyDomain::Kind::rows:
      return read_rows(reader, key, domain);
    case KeyDomain::Kind::heads:
      return read_heads(reader, key, domain);
  }
  return std::nullopt;
}

}  // namespace vernier
