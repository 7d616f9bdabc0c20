#include <algorithm>

#include <fmt/format.h>

#include "numerics/arithmetic/finding.hpp"
#include "numerics/arithmetic/open_stages.hpp"
#include "numerics/arithmetic/rounding.hpp"
#include "numerics/arithmetic/search.hpp"
#include "reference/support/counted.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// \name What is told where no computation of the space predicts every bit
/// How many numbers the one with fewest exceptions leaves, and where they lie. No stage of it is claimed: in
/// a third of blind draws it was another than the true one.
/// @{

/// Of more exceptions than this share their places tell nothing. Chosen, not derived.
constexpr double most_exceptions = 0.05;

bool are_few(std::size_t exceptions, std::size_t asked) {
  return static_cast<double>(exceptions) <= most_exceptions * static_cast<double>(asked);
}

std::string told(const Differences& found, std::size_t asked, std::size_t pairs, std::string_view whose) {
  const auto& most = *std::ranges::max_element(found.by_pair, {}, [](const auto& one) { return one.second; });
  const auto where = most.second * 10 >= found.count * 9 && found.count > 4
                         ? fmt::format("{} of them in pair {}", most.second, most.first)
                         : fmt::format("in {} of {} pairs", found.by_pair.size(), pairs);
  return fmt::format(
      "No computation of the space predicts every bit of {}. One leaves {} exceptions in {}, {}, the first "
      "at position {}. It is not named: the true one is often another.",
      whose, found.count, asked, where, found.nearest->input.position);
}

std::string none_is_near(std::string_view whose) {
  return fmt::format("No computation of the space is near {}: nothing is claimed of it.", whose);
}

std::string exceptions_of_table(const StoredBits& bits, const StoredTable& table) {
  if (table.repeated != 0) {
    return fmt::format("{} elements are stored again, in another column or row, with other bits.",
                       table.repeated);
  }
  auto space = space_of(bits, table);
  const auto likely = likeliest_leaf(space, table);
  if (!are_few(likely.exceptions, likely.asked)) {
    return none_is_near("the table");
  }
  Differences found;
  visit_exceptions(
      space, likely.leaf, table,
      [&](std::int64_t position, std::size_t pair, const StoredSine& stored, const StoredSine& predicted) {
        const bool is_sine = same_bits(stored.cosine, predicted.cosine);
        found.add({position, pair}, is_sine ? "sin" : "cos", is_sine ? stored.sine : stored.cosine,
                  is_sine ? predicted.sine : predicted.cosine);
      });
  return told(found, table.elements.size(), table.pairs, "the table");
}

/// Of vectors by a stored table, for each component.
void tell_exceptions(ArithmeticFinding& finding, const RotationSpace& space, const StoredVectors& vectors,
                     const RowOfPosition& rows) {
  const auto tally = tally_of(space, space.taking(no_arithmetic), vectors, rows);
  for (std::size_t component = 0; component < 2; ++component) {
    const auto most = std::ranges::max_element(tally.predicted[component]);
    const auto name = fmt::format("y{}", component);
    if (!are_few(tally.asked - *most, vectors.count())) {
      finding.remarks.push_back(none_is_near(name));
    } else if (*most != tally.asked) {
      std::array<std::optional<std::size_t>, 2> rotation;
      rotation[component] = most - tally.predicted[component].begin();
      finding.remarks.push_back(told(exceptions_of(space, rotation, vectors, rows), vectors.count(),
                                     vectors.pairs_of_vector, name));
    }
  }
}
/// @}

/// What is left, of a table whose format is known.
std::vector<ArithmeticMember> members_of(const TableSpace& space) {
  return mapped(space.left(), [&](const TableLeaf& leaf) {
    auto tables = space.computations_of(leaf);
    for (auto& one : tables) {
      at(one, ArithmeticStage::format) = not_there;
    }
    return ArithmeticMember{std::move(tables), {}, {}};
  });
}

void add_stages(ArithmeticFinding& finding, std::vector<StageFinding> stages) {
  finding.stages.insert(finding.stages.end(), std::make_move_iterator(stages.begin()),
                        std::make_move_iterator(stages.end()));
}

/// In 16 bits a sine of another library, even a poorer one, may have the bits of these: none is named.
void withhold_libraries(std::vector<StageFinding>& stages) {
  for (auto& stage : stages) {
    if (stage.stage == ArithmeticStage::sine || stage.stage == ArithmeticStage::library) {
      stage.is_withheld = true;
      stage.is_proven = false;
      stage.reason +=
          fmt::format("{}in 16 bits libraries that the space lacks predict as much, so none is named",
                      stage.reason.empty() ? "" : "; ");
    }
  }
}

/// Vectors alone: every table of the space with every rotation.
void find_by_vectors(ArithmeticFinding& finding, const StoredBits& bits, bool whole_context) {
  UnstoredTables space(bits);
  const auto& vectors = bits.vectors.front();
  finding.computations = space.computations();
  finding.distinct = space.tables().leaves();
  space.keep_predicting();
  for (const auto& [leaf, sets] : space.left()) {
    const auto& rotations = space.rotations(leaf.format());
    finding.members.push_back(
        {space.tables().computations_of(leaf), rotations.ways(sets[0], 0), rotations.ways(sets[1], 1)});
  }
  if (finding.members.empty()) {
    finding.remarks.emplace_back(
        "No computation predicts every bit of the vectors; with the tables that they turn by, the rotation "
        "would be "
        "judged by itself.");
    return;
  }
  auto stages = projected(finding.members);
  explain_table_stages(stages, space.tables(), bits, whole_context);
  // Rotations are explained by the first table that is left.
  const auto [leaf, sets] = space.left().front();
  explain_rotation_stages(stages, space.rotations(leaf.format()), sets, vectors,
                          rows_made(space.tables(), leaf));
  for (auto& stage : stages) {
    if (!stage.is_settled() && stage.reason.empty()) {
      stage.reason = "the table that is stored, or rounded on the way, decides";
    }
  }
  if (traits(vectors.output).bits == 16) {
    withhold_libraries(stages);
  }
  add_stages(finding, std::move(stages));
}

/// Vectors that do not turn by the stored tables, as of a program that computes each sine where it rotates.
/// \return whether a table that is not stored predicts them
bool find_by_other_tables(ArithmeticFinding& finding, const StoredBits& bits, bool whole_context) {
  auto vectors = bits;
  vectors.tables.clear();
  ArithmeticFinding other;
  find_by_vectors(other, vectors, whole_context);
  if (!other.predicts()) {
    return false;
  }
  std::erase_if(other.stages, [](const StageFinding& one) { return !is_of_rotation(one.stage); });
  finding.remarks.push_back(fmt::format(
      "The vectors do not turn by the stored tables: {} of other tables predict them, as: {}.",
      counted(other.count(), "computation", "computations"), sentence_of(other.listed(1).front())));
  add_stages(finding, std::move(other.stages));
  return true;
}

/// Tables, and vectors by them where there are any.
void find_by_tables(ArithmeticFinding& finding, const StoredBits& bits, bool whole_context) {
  const auto& table = bits.tables.front();
  auto space = space_of(bits, table);
  finding.computations = space.computations();
  finding.distinct = space.leaves();
  keep_predicting(space, table);
  auto members = members_of(space);
  bool are_predicted = !members.empty();
  if (are_predicted) {
    auto stages = projected(members);
    explain_table_stages(stages, space, bits, whole_context);
    if (traits(table.format).bits == 16) {
      withhold_libraries(stages);
    }
    add_stages(finding, std::move(stages));
  } else {
    finding.remarks.push_back(exceptions_of_table(bits, table));
  }
  if (!bits.vectors.empty()) {
    const auto& vectors = bits.vectors.front();
    const auto rows = rows_of(table);
    if (std::ranges::any_of(vectors.positions, [&](auto position) { return rows(position).empty(); })) {
      finding.remarks.emplace_back("The vectors have positions that the tables have no rows of.");
    }
    const RotationSpace rotations(table.format, vectors.input, vectors.output);
    finding.computations += rotations.size() * rotations.size();
    finding.distinct += rotations.size() * rotations.size();
    const auto sets = predicting_rotations(rotations, vectors, rows);
    const ArithmeticMember turning{{no_arithmetic}, rotations.ways(sets[0], 0), rotations.ways(sets[1], 1)};
    auto stages = projected({turning});
    if (stages.empty()) {
      are_predicted = false;
      if (!find_by_other_tables(finding, bits, whole_context)) {
        tell_exceptions(finding, rotations, vectors, rows);
      }
    } else {
      if (!are_predicted) {  // a narrowing may round away what is wrong with the table
        std::erase_if(stages, [](const StageFinding& one) {
          return one.stage == ArithmeticStage::narrowing && one.ways.back() != index_of(TableNarrowing::kept);
        });
      }
      explain_rotation_stages(stages, rotations, sets, vectors, rows);
      add_stages(finding, std::move(stages));
    }
    for (auto& member : members) {
      member.y0 = turning.y0;
      member.y1 = turning.y1;
    }
  }
  finding.members = are_predicted ? std::move(members) : std::vector<ArithmeticMember>();
}

/// \param bits with vectors of one role at most
ArithmeticFinding find_of_role(const StoredBits& bits, bool whole_context) {
  ArithmeticFinding result{.name = bits.name, .elements = bits.numbers()};
  if (bits.tables.empty()) {
    find_by_vectors(result, bits, whole_context);
  } else {
    find_by_tables(result, bits, whole_context);
  }
  std::ranges::sort(result.stages, {}, &StageFinding::stage);
  return result;
}

}  // namespace

ArithmeticFinding find_arithmetic(const StoredBits& bits, bool whole_context) {
  if (bits.vectors.size() <= 1) {
    return find_of_role(bits, whole_context);
  }
  auto part = bits;
  part.vectors.resize(1);
  auto result = find_of_role(part, whole_context);
  for (std::size_t i = 1; i < bits.vectors.size(); ++i) {
    part.vectors.front() = bits.vectors[i];
    auto& other = result.others.emplace_back(find_of_role(part, whole_context));
    other.name = bits.vectors[i].role;
    if (!bits.tables.empty()) {  // their stages are told once
      std::erase_if(other.stages, [](const StageFinding& one) { return !is_of_rotation(one.stage); });
    }
  }
  return result;
}

}  // namespace vernier
