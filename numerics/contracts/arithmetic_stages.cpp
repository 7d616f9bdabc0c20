#include "numerics/contracts/arithmetic_stages.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include "numerics/program/sleef.hpp"
#include "numerics/program/way.hpp"
#include "reference/json/json.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {

std::string arithmetic_stages_text();  // generated from arithmetic_stages.json

namespace {

struct StageRow {
  std::string id;
  std::string before;  ///< its words
  std::vector<ArithmeticWay> ways;
};

/// A library whose bits decide a way: what its words call it, and its version on this machine.
struct NamedLibrary {
  std::string id;
  std::string_view words;
  std::string version;
};

const NamedLibrary& library_named(std::string_view id) {
  static const std::array all{
      NamedLibrary{"glibc", "the C library", fmt::format("glibc-{}", gnu_get_libc_version())},
      NamedLibrary{"sleef", "SLEEF", sleef_version()}};
  return *std::ranges::find(all, id, &NamedLibrary::id);
}

/// The way of a row. Those of a library tell its version, that of the machine that runs this.
ArithmeticWay read_way(const OrderedJson& row) {
  ArithmeticWay result{row.at("id"), row.at("words"), {}};
  if (row.contains("library")) {
    const auto& [id, words, version] = library_named(row.at("library").get<std::string>());
    result.version = version.empty() ? id + "-absent" : version;
    result.words.insert(result.words.find(words) + words.size(), fmt::format(" ({})", result.version));
  }
  return result;
}

/// A stage whose ways begin with rows of programs.
struct RowsOf {
  std::string_view id;
  program::Stage stage;
  std::string_view before;  ///< the words of a row
};
constexpr std::array rows_of_programs{RowsOf{"order", program::Stage::order, "frequency "},
                                      RowsOf{"exponent", program::Stage::exponent, ""},
                                      RowsOf{"frequency", program::Stage::narrowing, "frequency "},
                                      RowsOf{"position", program::Stage::position, "positions "}};

/// What rounds is called by the format alone.
std::vector<ArithmeticWay> read_rows(const RowsOf& rows) {
  return mapped(program::ways_that_end(rows.stage), [&](const program::Use& use) {
    return ArithmeticWay{
        std::string(use.to ? use.to->name : use.way->id), fmt::format("{}{}", rows.before, use.words()), {}};
  });
}

std::vector<StageRow> read_stages() {
  const auto all = OrderedJson::parse(arithmetic_stages_text());
  std::vector<StageRow> result;
  for (const auto& stage : all.at("stages")) {
    auto& row = result.emplace_back(StageRow{stage.at("id"), stage.at("before"), {}});
    const auto* rows = std::ranges::find(rows_of_programs, row.id, &RowsOf::id);
    row.ways = rows == rows_of_programs.end() ? std::vector<ArithmeticWay>() : read_rows(*rows);
    for (const auto& way : all.at("ways").at(stage.at("ways").get<std::string>())) {
      row.ways.push_back(read_way(way));
    }
  }
  assert(result.size() == arithmetic_stages);
  return result;
}

const StageRow& row_of(ArithmeticStage stage) {
  static const auto rows = read_stages();
  return rows[static_cast<std::size_t>(stage)];
}

}  // namespace

std::string_view id_of(ArithmeticStage stage) {
  return row_of(stage).id;
}

std::span<const ArithmeticWay> ways_of(ArithmeticStage stage) {
  return row_of(stage).ways;
}

std::int8_t index_of_way(ArithmeticStage stage, std::string_view id) {
  const auto ways = ways_of(stage);
  const auto found = std::ranges::find(ways, id, &ArithmeticWay::id);
  assert(found != ways.end());
  return static_cast<std::int8_t>(found - ways.begin());
}

ArithmeticWays joined_ways(ArithmeticWays first, const ArithmeticWays& second) {
  std::ranges::transform(first, second, first.begin(),
                         [](auto way, auto other) { return way == not_there ? other : way; });
  return first;
}

const ArithmeticWay& way_of(const ArithmeticWays& one, ArithmeticStage stage) {
  assert(at(one, stage) != not_there);
  return ways_of(stage)[static_cast<std::size_t>(at(one, stage))];
}

std::string sentence_of(const ArithmeticWays& one) {
  std::string result;
  for (const auto stage : all_arithmetic_stages) {
    if (at(one, stage) != not_there && !way_of(one, stage).words.empty()) {
      result +=
          fmt::format("{}{}{}", result.empty() ? "" : "; ", row_of(stage).before, way_of(one, stage).words);
    }
  }
  return result;
}

}  // namespace vernier
