#include "reports/words/arithmetic_words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/program_manual.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// A document lists no more computations: sets of vectors without tables have thousands.
constexpr std::size_t most_listed = 1000;

std::vector<std::string> ids_of(ArithmeticStage stage, const std::vector<std::int8_t>& ways) {
  return names_of(ways, [&](std::int8_t way) { return ways_of(stage)[static_cast<std::size_t>(way)].id; });
}

std::string words_of(ArithmeticStage stage, const std::vector<std::int8_t>& ways) {
  return joined(
      ways,
      [&](std::int8_t way) {
        const auto& row = ways_of(stage)[static_cast<std::size_t>(way)];
        return std::string(row.words.empty() ? row.id : row.words);
      },
      " or ");
}

OrderedJson telling_value(const std::optional<TellingInput>& input) {
  if (!input) {
    return nullptr;
  }
  OrderedJson result{{"position", input->position}, {"pair", input->pair}};
  if (input->x0) {
    result["x0"] = *input->x0;
    result["x1"] = *input->x1;
  }
  return result;
}

OrderedJson stage_value(const StageFinding& stage) {
  return {{"stage", id_of(stage.stage)},
          {"settled", stage.is_settled()},
          {"ways", ids_of(stage.stage, stage.ways)},
          {"reason", stage.reason},
          {"telling", telling_value(stage.telling)}};
}

OrderedJson stages_value(const ArithmeticWays& one) {
  OrderedJson result = OrderedJson::object();
  for (const auto stage : all_arithmetic_stages) {
    if (at(one, stage) != not_there) {
      result[std::string(id_of(stage))] = way_of(one, stage).id;
    }
  }
  return result;
}

OrderedJson program_value(const std::string& file, const ArithmeticFinding& finding) {
  const auto ways_value = [&](const ArithmeticWays& ways) -> OrderedJson {
    return {{"sentence", sentence_of(ways)},
            {"stages", stages_value(ways)},
            {"predicted", finding.elements},
            {"of", finding.elements}};
  };
  const auto value_of = [&](const ArithmeticFinding& other) { return program_value(file, other); };
  return {{"file", file},
          {"name", finding.name},
          {"space", {{"computations", finding.computations}, {"distinct", finding.distinct}}},
          {"count", finding.count()},
          {"arithmetics", array_json(finding.listed(most_listed), ways_value)},
          {"stages", array_json(finding.stages, stage_value)},
          {"remarks", finding.remarks},
          {"others", array_json(finding.others, value_of)}};
}

OrderedJson part_value(const ArithmeticParting& part) {
  const auto& shown = part.computed ? part.computed : part.stored.nearest;
  OrderedJson result{{"stage", part.stage ? OrderedJson(id_of(*part.stage)) : OrderedJson()},
                     {"first", part.stage ? ids_of(*part.stage, part.first) : std::vector<std::string>()},
                     {"second", part.stage ? ids_of(*part.stage, part.second) : std::vector<std::string>()},
                     {"input", telling_value(shown ? std::optional(shown->input) : std::nullopt)},
                     {"is_stored", !part.computed},
                     {"parted", part.stored.count},
                     {"of", part.stored.compared},
                     {"greatest", shortest_text(Format::binary64, part.stored.greatest)}};
  if (shown) {
    result["component"] = shown->component;
    result["stored"] = {shortest_text(Format::binary64, shown->first),
                        shortest_text(Format::binary64, shown->second)};
  }
  return result;
}

std::string first_exception(const PinnedBits& bits) {
  return !bits.exceptions.nearest ? std::string()
                                  : ", the first at " + joined(exception_text(bits), [](const auto& one) {
                                      return fmt::format("{} {}", one.first, one.second);
                                    });
}

OrderedJson contract_value(const ArithmeticReport& report) {
  OrderedJson tensors = OrderedJson::array();
  for (std::size_t i = 0; i < report.pinned.size(); ++i) {
    for (const auto& one : report.pinned[i]) {
      OrderedJson first;
      for (const auto& [name, value] :
           one.exceptions.nearest ? exception_text(one) : decltype(exception_text(one))()) {
        first[name] = value;
      }
      tensors.push_back(
          {{"file", report.files[i]},
           {"tensors", one.tensors},
           {"exceptions", one.exceptions.count},
           {"of", one.numbers},
           {"first", first},
           {"stages", array_json(one.parted, [](const auto& parted) { return id_of(parted.stage); })}});
    }
  }
  return {{"ways", report.contract}, {"kept", report.keeps_contract()}, {"tensors", std::move(tensors)}};
}

std::string headline(const ArithmeticFinding& finding) {
  if (!finding.members.empty()) {
    const auto count = finding.count();
    return fmt::format("{}: {} {} every bit of {} numbers\n", finding.name,
                       count == 1 ? "one computation" : fmt::format("{} computations", count),
                       count == 1 ? "predicts" : "predict", finding.elements);
  }
  return fmt::format("{}: no computation of the space predicts every bit of {} numbers\n", finding.name,
                     finding.elements);
}

ArithmeticWays settled_ways(const ArithmeticFinding& finding) {
  auto result = no_arithmetic;
  for (const auto& stage : finding.stages) {
    at(result, stage.stage) = stage.is_settled() ? stage.ways.front() : not_there;
  }
  return result;
}

std::string finding_text(const ArithmeticFinding& finding, bool is_verbose) {
  auto result = headline(finding);
  for (const auto& stage : finding.stages) {
    const auto words = words_of(stage.stage, stage.ways);
    if (stage.is_settled()) {
      result += words.empty() || words == "none"
                    ? ""
                    : fmt::format("  {}: {}{}\n", id_of(stage.stage), words,
                                  stage.reason.empty() ? "" : fmt::format(" ({})", stage.reason));
    } else {
      result += fmt::format("  {}: open, one of {}: {}\n    {}\n", id_of(stage.stage), stage.ways.size(),
                            words, stage.reason);
    }
  }
  for (const auto& remark : finding.remarks) {
    result += fmt::format("  {}\n", remark);
  }
  result += fmt::format("  The space has {} computations; {} of them differ in the bits of a frequency.\n",
                        finding.computations, finding.distinct);
  if (is_verbose && !finding.members.empty()) {
    if (const auto contract = contract_pinning(settled_ways(finding)); !contract.empty()) {
      result += fmt::format("  To hold a program to what is settled: --contract {}\n", shell_word(contract));
    }
    for (const auto& one : finding.listed(most_listed)) {
      result += fmt::format("  predicts: {}\n", sentence_of(one));
    }
  }
  for (const auto& other : finding.others) {
    result += finding_text(other, is_verbose);
  }
  return result;
}

std::string part_text(const ArithmeticReport& report, const ArithmeticParting& part) {
  auto result = part.stage ? fmt::format("  {}: {} has {}; {} has {}\n", id_of(*part.stage),
                                         report.files.back(), words_of(*part.stage, part.second),
                                         report.files.front(), words_of(*part.stage, part.first))
                           : std::string("  No stage has ways that the two do not share.\n");
  if (const auto& shown = part.computed ? part.computed : part.stored.nearest) {
    const auto& [input, component, one, other] = *shown;
    const auto of = input.x0 ? fmt::format(", x0 = {}, x1 = {}", shortest_text(Format::binary64, *input.x0),
                                           shortest_text(Format::binary64, *input.x1))
                             : "";
    const auto values =
        fmt::format("position {}, pair {}{}: {} is {} and {}", input.position, input.pair, of, component,
                    shortest_text(Format::binary64, one), shortest_text(Format::binary64, other));
    result +=
        part.computed
            ? fmt::format("    no stored number of one input parts; the smallest input that would: {}\n",
                          values)
            : fmt::format("    first at {}; {} of {} numbers part, by up to {}\n", values, part.stored.count,
                          part.stored.compared, shortest_text(Format::binary64, part.stored.greatest));
  } else {
    result +=
        fmt::format("    no number of the {} that both store of one input parts\n", part.stored.compared);
  }
  return result;
}

}  // namespace

bool ArithmeticReport::keeps_contract() const {
  return std::ranges::all_of(pinned,
                             [](const auto& one) { return std::ranges::all_of(one, &PinnedBits::is_kept); });
}

int ArithmeticReport::exit_code() const {
  if (!keeps_contract()) {
    return 1;
  }
  if (comparison) {
    return comparison->are_same ? 0 : 1;
  }
  const auto& finding = findings.front();
  return finding.predicts() ? 0 : finding.stages.empty() ? 4 : 1;
}

OrderedJson arithmetic_value(const ArithmeticReport& report) {
  OrderedJson result{{"vernier_arithmetic", 1}};
  if (!report.contract.empty()) {
    result["contract"] = contract_value(report);
  }
  if (!report.comparison) {
    result.update(program_value(report.files.front(), report.findings.front()));
    return result;
  }
  OrderedJson programs = OrderedJson::array();
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    programs.push_back(program_value(report.files[i], report.findings[i]));
  }
  result["same"] = report.comparison->are_same;
  result["reason"] = report.comparison->reason;
  result["shared"] = report.comparison->shared;
  result["parts"] = array_json(report.comparison->parts, part_value);
  result["programs"] = std::move(programs);
  return result;
}

std::string arithmetic_text(const ArithmeticReport& report, bool is_verbose) {
  std::string result;
  if (!report.contract.empty()) {
    result = fmt::format("contract {}: {}\n", report.contract,
                         report.keeps_contract() ? "kept in every bit" : "not kept");
    for (std::size_t i = 0; i < report.pinned.size(); ++i) {
      for (const auto& one : report.pinned[i]) {
        const auto parted = parted_text(one);
        result += fmt::format("  {}, {}: {}{}{}{}\n", report.files[i], one.tensors, pinned_text(one),
                              first_exception(one), parted.empty() ? "" : "; ", parted);
      }
    }
  }
  if (report.comparison) {
    const auto& comparison = *report.comparison;
    result = comparison.are_same ? fmt::format("{} and {}: one arithmetic, {}\n", report.files.front(),
                                               report.files.back(), comparison.reason)
                                 : fmt::format("{} and {} part\n", report.files.front(), report.files.back());
    for (const auto& part : comparison.parts) {
      result += part_text(report, part);
    }
  }
  for (const auto& finding : report.findings) {
    result += finding_text(finding, is_verbose);
  }
  return result;
}

std::string arithmetic_summary(const ArithmeticFinding& finding) {
  const auto open =
      mapped(filtered(finding.stages, [](const StageFinding& stage) { return !stage.is_settled(); }),
             [](const StageFinding& stage) { return std::string(id_of(stage.stage)); });
  return fmt::format("{} every bit: {}{}{}",
                     finding.count() == 1 ? "one computation predicts"
                                          : fmt::format("{} computations predict", finding.count()),
                     sentence_of(settled_ways(finding)), open.empty() ? "" : "; open: ", joined(open));
}

std::vector<std::pair<std::string, std::string>> exception_text(const PinnedBits& bits) {
  const auto& [input, component, stored, predicted] = *bits.exceptions.nearest;
  std::vector<std::pair<std::string, std::string>> result{{"position", std::to_string(input.position)},
                                                          {"pair", std::to_string(input.pair)}};
  if (input.x0) {
    result.emplace_back("x0", shortest_text(bits.format, *input.x0));
    result.emplace_back("x1", shortest_text(bits.format, *input.x1));
  }
  result.emplace_back("component", component);
  result.emplace_back("stored", shortest_text(bits.format, stored));
  result.emplace_back("predicted", shortest_text(bits.format, predicted));
  return result;
}

std::string pinning_contract_text() {
  std::string result =
      "arithmetic:STAGE=WAY,... pins stages of an arithmetic: a computation that takes these ways predicts "
      "every "
      "stored bit of sines, cosines and rotated vectors. Stages that are not named are free; products and "
      "store "
      "are those of y0 and of y1. A library's way may name its version (@VERSION).\n";
  for (const auto stage : all_arithmetic_stages) {
    result += fmt::format("\n{}\n", id_of(stage));
    for (const auto& way : ways_of(stage)) {
      result += fmt::format("  {}{}{}: {}\n", way.id, way.version.empty() ? "" : "@", way.version,
                            way.words.empty() ? "no exponent" : way.words);
    }
  }
  return result;
}

std::string pinned_text(const PinnedBits& bits) {
  if (bits.numbers == 0) {
    return "the case stores no numbers that a pinned stage is of";
  }
  if (!bits.has_computation) {
    return "no computation of the space takes these ways";
  }
  if (bits.exceptions.count == 0) {
    return bits.unasked == 0 ? fmt::format("all {} numbers are predicted", bits.numbers)
                             : fmt::format("{} of {} numbers are at positions that the tables have no row of",
                                           bits.unasked, bits.numbers);
  }
  return fmt::format("{} of {} numbers are not predicted", bits.exceptions.count, bits.numbers);
}

std::string parted_text(const PinnedBits& bits) {
  const auto texts = mapped(bits.parted, [](const auto& parted) {
    const auto& [stage, pinned, shown] = parted;
    return fmt::format("{}: found {}, expected {}", id_of(stage), words_of(stage, shown),
                       words_of(stage, {pinned}));
  });
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace vernier
