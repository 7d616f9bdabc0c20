#include "numerics/implementations/covering/predicate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <utility>

#include <fmt/core.h>

#include "reference/input_error.hpp"

namespace vernier {
namespace {

/// Longer relation_signs before those that they begin with.
constexpr std::array<std::pair<std::string_view, Relation>, 4> relation_signs{{{">=", Relation::at_least},
                                                                               {"<=", Relation::at_most},
                                                                               {"!=", Relation::unequal},
                                                                               {"==", Relation::equal}}};

std::int64_t remainder(std::int64_t x, std::int64_t modulus) {
  return (x % modulus + modulus) % modulus;
}

std::string_view sign_of(Relation relation) {
  return std::ranges::find(relation_signs, relation, &std::pair<std::string_view, Relation>::second)->first;
}

std::string text_of(const Atom& atom) {
  const auto name = traits(atom.coordinate).name;
  switch (atom.relation) {
    case Relation::in_tail:
      return fmt::format("{}~tail{}", name, atom.modulus);
    case Relation::multiple:
      return fmt::format("{}%{}=={}", name, atom.modulus, atom.value);
    case Relation::not_multiple:
      return fmt::format("{}%{}!={}", name, atom.modulus, atom.value);
    default:
      return fmt::format("{}{}{}", name, sign_of(atom.relation), atom.value);
  }
}

[[noreturn]] void refuse(std::string_view text) {
  throw InputError(
      "a predicate: found \"{}\", expected conditions such as \"rows>=33 head>=1 position%256==0\"", text);
}

std::int64_t number_of(std::string_view text, std::string_view whole) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    refuse(whole);
  }
  return value;
}

Atom atom_of(std::string_view text) {
  const auto end_of_name = text.find_first_of("<>=!%~");
  const auto found =
      std::ranges::find(all_coordinates(), text.substr(0, end_of_name), &CoordinateTraits::name);
  if (end_of_name == std::string_view::npos || found == all_coordinates().end()) {
    refuse(text);
  }
  Atom atom{found->coordinate};
  auto rest = text.substr(end_of_name);
  constexpr std::string_view tail = "~tail";
  if (rest.starts_with(tail)) {
    atom.relation = Relation::in_tail;
    atom.modulus = number_of(rest.substr(tail.size()), text);
    return atom;
  }
  const bool has_modulus = rest.starts_with("%");
  if (has_modulus) {
    const auto end = rest.find_first_of("=!");
    atom.modulus = number_of(rest.substr(1, end - 1), text);
    rest = rest.substr(std::min(end, rest.size()));
  }
  const auto sign =
      std::ranges::find_if(relation_signs, [&](const auto& one) { return rest.starts_with(one.first); });
  if (sign == relation_signs.end() || atom.modulus < 1) {
    refuse(text);
  }
  atom.relation = sign->second;
  if (has_modulus) {
    if (atom.relation != Relation::equal && atom.relation != Relation::unequal) {
      refuse(text);
    }
    atom.relation = atom.relation == Relation::equal ? Relation::multiple : Relation::not_multiple;
  }
  atom.value = number_of(rest.substr(2), text);
  return atom;
}

}  // namespace

bool Atom::holds(const Coordinates& values) const {
  const auto x = values[coordinate];
  switch (relation) {
    case Relation::at_least:
      return x >= value;
    case Relation::at_most:
      return x <= value;
    case Relation::equal:
      return x == value;
    case Relation::unequal:
      return x != value;
    case Relation::multiple:
      return remainder(x, modulus) == value;
    case Relation::not_multiple:
      return remainder(x, modulus) != value;
    case Relation::in_tail:
      break;
  }
  return x < values[Coordinate::rows] % modulus;
}

bool holds(const Predicate& predicate, const Coordinates& values) {
  return std::ranges::all_of(predicate, [&](const Atom& atom) { return atom.holds(values); });
}

bool may_hold(const Predicate& predicate, const Coordinates& question) {
  return std::ranges::all_of(predicate, [&](const Atom& atom) {
    return traits(atom.coordinate).kind == CoordinateKind::element || atom.holds(question);
  });
}

std::string to_text(const Predicate& predicate) {
  std::string text;
  for (const auto& atom : predicate) {
    text += (text.empty() ? "" : " ") + text_of(atom);
  }
  return text;
}

Predicate parse_predicate(std::string_view text) {
  std::istringstream words{std::string(text)};
  Predicate predicate;
  for (std::string word; words >> word;) {
    predicate.push_back(atom_of(word));
  }
  return predicate;
}

}  // namespace vernier
