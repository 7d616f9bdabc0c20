#include <algorithm>

#include <fmt/format.h>

#include "numerics/arithmetic/exceptions.hpp"
#include "numerics/arithmetic/finding.hpp"
#include "numerics/arithmetic/open_stages.hpp"
#include "numerics/arithmetic/search.hpp"
#include "reference/support/counted.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

std::vector<ArithmeticMember> members_of(const TableSpace& space) {
  return mapped(space.left(), [&](const TableLeaf& leaf) {
    return ArithmeticMember{space.computations_of(leaf, false), {}, {}};
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
void find_by_vectors(ArithmeticFinding& finding, const StoredBits& bits, const ArithmeticEffort& effort) {
  UnstoredTables space(bits);
  const auto& vectors = bits.vectors.front();
  finding.computations = space.computations();
  finding.distinct = space.tables().leaves();
  space.keep_predicting();
  for (const auto& one : space.left()) {
    const auto& rotations = space.rotations(one.leaf.format);
    finding.members.push_back({space.tables().computations_of(one.leaf, true),
                               rotations_in(rotations, one.y0), rotations_in(rotations, one.y1)});
  }
  if (finding.members.empty()) {
    finding.remarks.emplace_back(
        "No computation predicts every bit of the vectors; with the tables that they turn by, the rotation "
        "would be "
        "judged by itself.");
    return;
  }
  auto stages = projected(finding.members);
  explain_table_stages(stages, space.tables(), bits, effort);
  // Rotations are explained by the first table that is left.
  const auto first = space.left().front();
  const auto rows = rows_made(space.tables(), first.leaf);
  explain_rotation_stages(stages, space.rotations(first.leaf.format), {first.y0, first.y1}, vectors, rows);
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
bool find_by_other_tables(ArithmeticFinding& finding, const StoredBits& bits,
                          const ArithmeticEffort& effort) {
  auto vectors = bits;
  vectors.tables.clear();
  ArithmeticFinding other;
  find_by_vectors(other, vectors, effort);
  if (!other.predicts()) {
    return false;
  }
  std::erase_if(other.stages, [](const StageFinding& one) { return one.stage < ArithmeticStage::narrowing; });
  finding.remarks.push_back(fmt::format(
      "The vectors do not turn by the stored tables: {} of other tables predict them, as: {}.",
      counted(other.count(), "computation", "computations"), sentence_of(other.listed(1).front())));
  add_stages(finding, std::move(other.stages));
  return true;
}

/// Tables, and vectors by them where there are any.
void find_by_tables(ArithmeticFinding& finding, const StoredBits& bits, const ArithmeticEffort& effort) {
  const auto& table = bits.tables.front();
  auto space = space_of(bits, table);
  finding.computations = space.computations();
  finding.distinct = space.leaves();
  keep_predicting(space, table);
  auto members = members_of(space);
  bool are_predicted = !members.empty();
  if (are_predicted) {
    auto stages = projected(members);
    explain_table_stages(stages, space, bits, effort);
    if (traits(table.format).bits == 16) {
      withhold_libraries(stages);
    }
    add_stages(finding, std::move(stages));
  } else {
    tell_exceptions(finding, bits, table);
  }
  if (!bits.vectors.empty()) {
    const auto& vectors = bits.vectors.front();
    const auto rows = rows_of(table);
    if (std::ranges::any_of(vectors.positions, [&](auto position) { return rows(position).empty(); })) {
      finding.remarks.emplace_back("The vectors have positions that the tables have no rows of.");
    }
    const RotationSpace rotations(table.format, vectors.input, vectors.output);
    finding.computations += rotations.rotations().size() * rotations.rotations().size();
    finding.distinct += rotations.rotations().size() * rotations.rotations().size();
    const auto sets = predicting_rotations(rotations, vectors, rows);
    const ArithmeticMember turning{
        {no_arithmetic}, rotations_in(rotations, sets[0]), rotations_in(rotations, sets[1])};
    auto stages = projected({turning});
    if (stages.empty()) {
      are_predicted = false;
      if (!find_by_other_tables(finding, bits, effort)) {
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
ArithmeticFinding find_of_role(const StoredBits& bits, const ArithmeticEffort& effort) {
  ArithmeticFinding result{.name = bits.name, .elements = bits.numbers()};
  if (bits.tables.empty()) {
    find_by_vectors(result, bits, effort);
  } else {
    find_by_tables(result, bits, effort);
  }
  std::ranges::sort(result.stages, {}, &StageFinding::stage);
  return result;
}

}  // namespace

ArithmeticFinding find_arithmetic(const StoredBits& bits, const ArithmeticEffort& effort) {
  if (bits.vectors.size() <= 1) {
    return find_of_role(bits, effort);
  }
  auto part = bits;
  part.vectors.resize(1);
  auto result = find_of_role(part, effort);
  for (std::size_t i = 1; i < bits.vectors.size(); ++i) {
    part.vectors.front() = bits.vectors[i];
    auto& other = result.others.emplace_back(find_of_role(part, effort));
    other.name = bits.vectors[i].role;
    if (!bits.tables.empty()) {  // their stages are told once
      std::erase_if(other.stages,
                    [](const StageFinding& one) { return one.stage < ArithmeticStage::narrowing; });
    }
  }
  return result;
}

}  // namespace vernier
