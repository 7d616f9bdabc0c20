#include "numerics/asking/covering/predicate.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace vernier {
namespace {

constexpr std::array<std::pair<std::string_view, Relation>, 4> relation_signs{{{">=", Relation::at_least},
                                                                               {"<=", Relation::at_most},
                                                                               {"!=", Relation::unequal},
                                                                               {"==", Relation::equal}}};

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

using enum Coordinate;

std::string_view name_among(const Atom& atom, std::initializer_list<std::string_view> names) {
  const auto at = std::clamp<std::int64_t>(atom.value, 0, static_cast<std::int64_t>(names.size()) - 1);
  return *(names.begin() + at);
}

/// What is counted, or counted from 0.
struct CountedNoun {
  Coordinate coordinate;
  std::string_view in;  ///< "at", as in "at position 3"; empty for sizes
  std::string_view one, many;
};
constexpr std::array<CountedNoun, 9> counted_nouns{{{rows, "", "row", "rows"},
                                                    {heads, "", "head", "heads"},
                                                    {batches, "", "batch", "batches"},
                                                    {row, "in", "row", "rows"},
                                                    {head, "in", "head", "heads"},
                                                    {batch, "in", "batch", "batches"},
                                                    {index, "at", "flat index", "flat indices"},
                                                    {position, "at", "position", "positions"},
                                                    {pair, "in", "pair", "pairs"}}};

std::string words_of_number(const Atom& atom, const CountedNoun& noun) {
  const auto& [coordinate, in, one, many] = noun;
  const auto v = atom.value;
  const bool is_size = in.empty();
  const auto counted = v == 1 ? fmt::format("one {}", one) : fmt::format("{} {}", v, many);
  const bool has_first = coordinate == row || coordinate == head || coordinate == batch;
  switch (atom.relation) {
    case Relation::at_least:
      return is_size ? fmt::format("with {} or more", counted)
             : v == 1 && has_first
                 ? fmt::format("{} every {} but the first", in, one)
                 : fmt::format("from {}{} {} on", coordinate == index ? "the " : "", one, v);
    case Relation::at_most:
      return is_size  ? fmt::format("with {} or fewer", counted)
             : v == 0 ? fmt::format("{} {} 0", in, one)
                      : fmt::format("up to {} {}", one, v);
    case Relation::equal:
      return is_size ? fmt::format("with {}", counted) : fmt::format("{} {} {}", in, one, v);
    case Relation::unequal:
      return is_size ? fmt::format("with any number of {} but {}", many, v)
                     : fmt::format("{} every {} but {}", in, one, v);
    default:
      break;
  }
  const bool is_met = atom.relation == Relation::multiple;
  const auto of_size = v == 0 ? fmt::format("{} multiple of {}", is_met ? "a" : "no", atom.modulus)
                              : fmt::format("{}{} modulo {}", is_met ? "" : "not ", v, atom.modulus);
  const auto of_element =
      v == 0 ? fmt::format("{}multiples of {}", is_met ? "" : "no ", atom.modulus) : of_size;
  return is_size ? fmt::format("if the number of {} is {}", many, of_size)
                 : fmt::format("{} {} that are {}", in, many, of_element);
}

/// \param one "row" \param many "rows"
std::string words_from_end(const Atom& atom, std::string_view one, std::string_view many) {
  const auto last = [&](std::int64_t count) {
    return count == 1 ? fmt::format("the last {}", one) : fmt::format("the last {} {}", count, many);
  };
  switch (atom.relation) {
    case Relation::in_tail:
      return fmt::format("in the {} that fill no tile of {}", many, atom.modulus);
    case Relation::at_least:
      return fmt::format("in all {} but {}", many, last(atom.value));
    case Relation::at_most:
      return fmt::format("in {}", last(atom.value + 1));
    case Relation::equal:
      return atom.value == 0 ? fmt::format("in the last {}", one)
                             : fmt::format("in the {} that {} more follow", one, atom.value);
    case Relation::unequal:
      return fmt::format("in every {} but the one that {} more follow", one, atom.value);
    default:
      break;
  }
  return fmt::format("in {} followed by a number of {} that is {}{} modulo {}", many, many,
                     atom.relation == Relation::multiple ? "" : "not ", atom.value, atom.modulus);
}

std::string words_of_rank(const Atom& atom) {
  if (atom.relation == Relation::at_least || atom.relation == Relation::at_most) {
    const auto way = atom.relation == Relation::at_least ? "more" : "fewer";
    return fmt::format("in vectors of {} dimensions or {}", atom.value + 2, way);
  }
  return fmt::format("in vectors of {}{}", atom.relation == Relation::unequal ? "any shape but " : "",
                     name_among(atom, {"2 dimensions [T, D]", "3 dimensions [H, T, D]",
                                       "4 dimensions [B, H, T, D]", "5 dimensions [B, groups, H, T, D]"}));
}

std::string words_of_kind(const Atom& atom) {
  const bool is_not = atom.relation == Relation::unequal;
  const bool is_absent = (atom.value == 0) != is_not;
  switch (atom.coordinate) {
    case order:
      return fmt::format("{} {}", is_not ? "unless positions" : "if positions",
                         name_among(atom, {"count up from the first one", "count up from a later one",
                                           "descend", "are all equal", "ascend and repeat",
                                           "are packed sequences", "ascend with gaps", "are shuffled"}));
    case own_positions:
      return is_absent ? "if batches share their positions" : "if every batch has its own positions";
    case type:
      return fmt::format("in {}{}", is_not ? "every type but " : "",
                         traits(static_cast<ElementType>(atom.value)).name);
    case apart:
      return is_absent ? "if rows are adjacent in memory" : "if rows are apart in memory (strided)";
    default:
      break;
  }
  return fmt::format(
      "{} {}", is_not ? "unless" : "if",
      name_among(atom, {"all numbers are finite", "a rotated dimension is NaN",
                        "a rotated dimension is infinite", "a dimension that passes through is NaN"}));
}

std::string words_of_history(const Atom& atom) {
  struct History {
    std::string_view name;
    std::string_view call;       ///< "only after a call ..."
    std::string_view condition;  ///< "only if ..."
  };
  constexpr std::array<History, 12> all{
      {{"longer_before", "with more rows", ""},
       {"longest_so_far", "", "all calls before had fewer rows"},
       {"farther_before", "with a farther position", ""},
       {"farthest_so_far", "", "all calls before had nearer positions"},
       {"same_rows", "", "the last call had as many rows"},
       {"same_ends", "", "the last call had the same number of rows and the same first and last position"},
       {"same_positions", "", "the last call had the same positions"},
       {"other_type_before", "in another type", ""},
       {"other_type_first", "", "the first call was in another type"},
       {"other_heads_before", "with another number of heads or batches", ""},
       {"not_finite_before", "with NaN or infinity", ""},
       {"refused_before", "that was refused", ""}}};
  const bool is_present = (atom.value == 1) == (atom.relation == Relation::equal);
  const auto found = std::ranges::find(all, traits(atom.coordinate).name, &History::name);
  if (found == all.end()) {
    return is_present ? "in the first question of a process" : "in every question of a process but the first";
  }
  return found->call.empty() ? fmt::format("{} {}", is_present ? "only if" : "unless", found->condition)
         : is_present        ? fmt::format("only after a call {}", found->call)
                             : fmt::format("unless a call {} came before", found->call);
}

std::string words_of_atom(const Atom& atom) {
  const auto noun = std::ranges::find(counted_nouns, atom.coordinate, &CountedNoun::coordinate);
  if (noun != counted_nouns.end()) {
    return words_of_number(atom, *noun) + (atom.coordinate == index ? " (batch x heads x rows)" : "");
  }
  const bool is_history = traits(atom.coordinate).kind == CoordinateKind::history;
  return is_history                          ? words_of_history(atom)
         : atom.coordinate == rank           ? words_of_rank(atom)
         : atom.coordinate == from_end       ? words_from_end(atom, "row", "rows")
         : atom.coordinate == head_from_end  ? words_from_end(atom, "head", "heads")
         : atom.coordinate == batch_from_end ? words_from_end(atom, "batch", "batches")
                                             : words_of_kind(atom);
}

/// "with 2 to 931 rows", "at positions 3 to 7"; nothing of two conditions that are no range.
std::optional<std::string> words_of_range(const Atom& one, const Atom& other) {
  const auto& [least, most] =
      one.relation == Relation::at_least ? std::tie(one, other) : std::tie(other, one);
  const auto noun = std::ranges::find(counted_nouns, least.coordinate, &CountedNoun::coordinate);
  if (noun == counted_nouns.end() || most.coordinate != least.coordinate ||
      least.relation != Relation::at_least || most.relation != Relation::at_most) {
    return std::nullopt;
  }
  return noun->in.empty() ? fmt::format("with {} to {} {}", least.value, most.value, noun->many)
                          : fmt::format("{} {} {} to {}", noun->in, noun->many, least.value, most.value);
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
      return remainder_of(x, modulus) == value;
    case Relation::not_multiple:
      return remainder_of(x, modulus) != value;
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

std::string words_of(const Predicate& predicate) {
  // From the place in the answer to what was asked before.
  constexpr std::array places{row,  from_end,      index, position,      pair,
                              head, head_from_end, batch, batch_from_end};
  auto ordered = predicate;
  const auto rank_of = [&](const Atom& atom) {
    const auto found = std::ranges::find(places, atom.coordinate);
    return found != places.end() ? found - places.begin()
                                 : std::ssize(places) + static_cast<std::ptrdiff_t>(atom.coordinate);
  };
  std::ranges::stable_sort(ordered, {}, rank_of);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const auto range = i + 1 < ordered.size() ? words_of_range(ordered[i], ordered[i + 1]) : std::nullopt;
    words.push_back(range ? *range : words_of_atom(ordered[i]));
    i += range ? 1 : 0;
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string words_of(Masking masking) {
  constexpr std::array<std::string_view, masking_count> where{
      "",
      "",
      "the number of the row",
      "that of the first row plus the number of the row",
      "that of the first row",
      "that of the row before",
      "that of the same row in the first batch",
      "that of the same row in the last call"};
  const auto words = where[static_cast<std::size_t>(masking)];
  return words.empty() ? std::string() : fmt::format(", but right where the position is {}", words);
}

}  // namespace vernier
