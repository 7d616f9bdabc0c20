#include "reports/measures/tolerances/tolerances_in_use.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "props/judging/specs.hpp"
#include "reference/json/json.hpp"
#include "reports/measures/rates/design.hpp"

namespace vernier {

/// tolerances_in_use.json as it stands.
std::string tolerances_in_use_text();

namespace {

constexpr std::string_view rope_64_spec = R"({"scheme": "rope", "head_dim": 64, "rope_theta": 10000})";
constexpr std::size_t most_examples = 3;

constexpr double of_table = 0;

std::vector<ToleranceInUse> read_tolerances() {
  static constexpr std::array<std::pair<std::string_view, Expected>, 3> expected_names{
      {{"same_table", Expected::same_table},
       {"another", Expected::another},
       {"certified", Expected::certified}}};
  std::vector<ToleranceInUse> result;
  for (const auto& one : OrderedJson::parse(tolerances_in_use_text())) {
    ToleranceInUse in_use;
    in_use.project = one.at("project");
    in_use.source = one.at("source");
    in_use.of = one.at("compares");
    in_use.type = element_type_named(one.at("type").get<std::string>()).value();
    in_use.positions = one.at("positions");
    in_use.tolerance = {one.at("absolute"), one.at("relative")};
    const auto expected = one.value("expected", std::string("same_table"));
    in_use.expected =
        std::ranges::find(expected_names, expected, [](const auto& name) { return name.first; })->second;
    in_use.input_bound = one.value("input_bound", in_use.input_bound);
    result.push_back(std::move(in_use));
  }
  return result;
}

ToleranceQuestion question_of(const ToleranceInUse& in_use, std::int64_t positions,
                              std::shared_ptr<const Encoding> encoding) {
  ToleranceQuestion question;
  question.encoding = std::move(encoding);
  question.positions = {0, 1, std::min(in_use.positions, positions)};
  question.type = in_use.type;
  question.contract = contract_named("float32");
  question.frequencies = FrequencyOrder::any;
  question.expected = in_use.expected;
  if (in_use.input_bound != of_table) {
    question.rotation =
        RotationOrder{Format::binary32, Format::binary32, question.stored(), false, in_use.input_bound};
  }
  return question;
}

std::optional<bool> holds_of_own_type(const ToleranceInUse& in_use, ToleranceQuestion question) {
  if (!question.rotation || question.stored() == Format::binary32) {
    return std::nullopt;
  }
  question.rotation->tables = question.stored();
  question.rotation->math = question.stored();
  return holds_of_all_honest(in_use.tolerance, question, study_tolerance(question));
}

/// Those that can be judged together: of one type, length and comparison.
auto group_of(const ToleranceInUse& in_use, std::int64_t positions) {
  return std::tuple(in_use.type, std::min(in_use.positions, positions), in_use.expected, in_use.input_bound);
}

/// What of the judgement is of one tolerance. \param index of it; the last is the smallest one
void take(const ToleranceJudgement& judgement, std::size_t index, ToleranceWorth& worth) {
  const auto smallest = judgement.tolerances.size() - 1;
  worth.smallest = judgement.tolerances.back();
  worth.honest = judgement.honest.size();
  worth.rejected = judgement.rejected(index).size();
  worth.faults = judgement.faults.size();
  const auto slipping = judgement.slipping(index);
  worth.slipping = slipping.size();
  worth.slipping_smallest = judgement.slipping(smallest).size();
  for (const auto* fault : slipping) {
    if (!fault->slips_through(smallest) && worth.examples.size() < most_examples) {
      worth.examples.emplace_back(fault->kind->description);
    }
  }
}

}  // namespace

std::span<const ToleranceInUse> tolerances_in_use() {
  static const auto all = read_tolerances();
  return all;
}

const ToleranceInUse* tolerance_of(std::string_view project, Format stored) {
  const auto all = tolerances_in_use();
  const auto found = std::ranges::find_if(all, [&](const ToleranceInUse& one) {
    return one.project == project && traits(one.type).name == traits(stored).name;
  });
  return found == all.end() ? nullptr : &*found;
}

std::vector<ToleranceWorth> judge_tolerances_in_use(std::int64_t positions, const JudgementOptions& options) {
  const auto tolerances_used = tolerances_in_use();
  const std::shared_ptr<const Encoding> encoding = encoding_of(std::string(rope_64_spec));
  std::vector<ToleranceWorth> worths(tolerances_used.size());
  std::map<decltype(group_of(tolerances_used.front(), 0)), std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < tolerances_used.size(); ++i) {
    groups[group_of(tolerances_used[i], positions)].push_back(i);
  }
  for (const auto& [group, members] : groups) {
    const auto question = question_of(tolerances_used[members.front()], positions, encoding);
    const auto study = study_tolerance(question);
    std::vector<Tolerance> tolerances;
    for (const auto i : members) {
      tolerances.push_back(tolerances_used[i].tolerance);
    }
    tolerances.push_back(smallest_tolerance(study.whole(), question.stored(), question.expected));
    const auto judgement = judge_tolerances(question, tolerances, options);
    for (std::size_t k = 0; k < members.size(); ++k) {
      auto& worth = worths[members[k]];
      worth.in_use = &tolerances_used[members[k]];
      worth.positions = question.positions.count;
      worth.needed_absolute = absolute_part_needed(worth.in_use->tolerance.relative, question, study);
      worth.holds_of_own_type = holds_of_own_type(*worth.in_use, question);
      take(judgement, k, worth);
    }
  }
  return worths;
}

}  // namespace vernier
