#include "reports/implementations/comparison.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <numeric>
#include <ranges>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/asking/program.hpp"
#include "numerics/audit/horizon.hpp"
#include "numerics/processes/plugin_process.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/studies/field_study.hpp"
#include "numerics/views/case_views.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/threads.hpp"
#include "reports/implementations/implementation_list.hpp"
#include "reports/words/program_end.hpp"
#include "reports/words/specs/spec_difference.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

std::unique_ptr<Encoding> encoding_in(const std::filesystem::path& spec) {
  const auto document = read_json(spec);
  return parse_spec(ObjectReader(document, spec.string(), ""));
}

std::unique_ptr<LiveImplementation> started(const ListedImplementation& implementation) {
  if (implementation.server.empty()) {
    return std::make_unique<PluginProcess>(implementation.plugin,
                                           PluginOptions{.pause = stop_if_interrupted});
  }
  return std::make_unique<ServerImplementation>(implementation.server,
                                                ProgramOptions{.pause = stop_if_interrupted});
}

/// The first table of each role.
std::vector<TrigTable> tables_of(const Encoding& encoding) {
  std::vector<TrigTable> result;
  for (auto& table : encoding.plain_tables()) {
    if (std::ranges::find(result, table.role, &TrigTable::role) == result.end()) {
      result.push_back(std::move(table));
    }
  }
  return result;
}

/// What an implementation answered, as tables.
struct AnsweredTables {
  Response response;
  bool by_rotation = false;
};

Request request_for(const Encoding& encoding, std::size_t rows, std::vector<WantedTensor> wanted) {
  std::vector<std::int64_t> positions(rows);
  std::iota(positions.begin(), positions.end(), 0);
  return {encoding.spec(), integer_tensor({rows}, positions), std::nullopt, std::move(wanted)};
}

/// Tables as the rotation of unit vectors: of each pair (1, 0) becomes (c, s), exactly, as 1 c - 0 s and
/// 1 s + 0 c are exact in every format.
AnsweredTables ask_for_rotations(LiveImplementation& implementation, const Encoding& encoding,
                                 const HeadRotation& rotation, ElementType type, std::size_t rows) {
  std::vector<double> units(rows * rotation.head_dim);
  std::vector<std::size_t> first;
  std::vector<std::size_t> second;
  for (const auto& [one, other] : rotation.pairs) {
    first.push_back(one);
    second.push_back(other);
    for (std::size_t row = 0; row < rows; ++row) {
      units[row * rotation.head_dim + one] = 1;
    }
  }
  const Shape shape{rows, rotation.head_dim};
  auto request = request_for(encoding, rows, {{"rotated", type, shape}});
  request.input = number_tensor(type, shape, units);
  AnsweredTables answer{implementation.ask(request), true};
  auto& tensors = answer.response.tensors;
  if (const auto rotated = tensors.find("rotated"); rotated != tensors.end()) {
    const auto vectors = rotated->second;
    tensors.clear();
    tensors.emplace("cos", with_places(vectors, 1, first));
    tensors.emplace("sin", with_places(vectors, 1, second));
  }
  return answer;
}

/// Its tables, or what amounts to them.
AnsweredTables ask_for_tables(LiveImplementation& implementation, const Encoding& encoding, ElementType type,
                              std::size_t rows) {
  auto wanted = mapped(tables_of(encoding), [&](const auto& table) -> WantedTensor {
    return {table.role, type, {rows, table.columns.size()}};
  });
  AnsweredTables answer{implementation.ask(request_for(encoding, rows, std::move(wanted)))};
  const auto* rotation = encoding.rotation();
  const bool rotates_by_tables = rotation != nullptr && rotation->direction() == 1;
  return answer.response.status == ResponseStatus::unsupported && rotates_by_tables
             ? ask_for_rotations(implementation, encoding, *rotation, type, rows)
             : answer;
}

/// A table whose row 0 is that of position 0.
class ViewedTable final : public TableUnderTest {
 public:
  explicit ViewedTable(const TensorPart& part) : part_(part) {}
  Format stored() const override { return part_.format(); }
  std::size_t columns() const override { return part_.columns; }
  void row(std::int64_t position, std::span<double> out) const override {
    part_.read(static_cast<std::size_t>(position), out);
  }

 private:
  const TensorPart& part_;
};

std::optional<std::int64_t> first_unusable(const TensorPart& part, const AuditReport& report) {
  const double threshold = usable_error * approximately(part.sines->amplitude);
  const PositionRange positions{0, 1, static_cast<std::int64_t>(part.rows)};
  return horizons(*part.sines, ViewedTable(part), positions, report, std::span(&threshold, 1))
      .front()
      .first_row_beyond;
}

/// The earlier of two rows, of which there may be none.
std::optional<std::int64_t> earlier(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

/// The greatest error up to the end of each band of positions.
std::vector<LeagueError> growth(const AuditReport& audit) {
  double greatest = 0;
  return mapped(audit.bands, [&](const auto& band) -> LeagueError {
    greatest = std::max(greatest, band.second.whole().greatest_error);
    return {band.second.last_position, greatest};
  });
}

LeagueResult measured(const Case& subject) {
  AuditReport whole;
  std::optional<std::int64_t> unusable;
  for (const auto& viewed : views_of(subject)) {
    for (const auto& part : viewed.view.parts() | std::views::filter(&TensorPart::sines)) {
      const auto audit = part.audit_fast(available_threads()).audit;
      whole.merge(*audit);
      unusable = earlier(unusable, first_unusable(part, *audit));
    }
  }
  return {.elements = whole.statistics.count(),
          .failing = whole.failing,
          .inconclusive = whole.inconclusive,
          .statistics = whole.statistics,
          .greatest_budget_ratio = whole.worst ? whole.worst->budget_ratio : 0,
          .first_unusable = unusable,
          .growth = growth(whole),
          .errors = error_map(whole)};
}

std::string reason_of(const Response& response) {
  if (response.status == ResponseStatus::answered) {
    return "it answered without tables";
  }
  // unsupported, rejected, malformed, crashed, timed out
  static constexpr std::array<std::string_view, 5> reasons{"not supported", "it refused these positions",
                                                           "its answer was malformed", "it crashed",
                                                           "it took too long"};
  return fmt::format("{}: {}", reasons[static_cast<std::size_t>(response.status) - 1], response.reason);
}

void judge(LiveImplementation& implementation, const ListedEncoding& listed, ComparedImplementation& entry) {
  auto encoding = encoding_in(listed.spec);
  entry.encoding = encoding->summary();
  if (!encoding->has_plain_tables()) {
    entry.reason = "an encoding without tables of sines and cosines";
    return;
  }
  // Libraries read the length of a sequence off its last position, so a shorter table is one of another
  // length.
  entry.positions = encoding->sequence_length().value_or(entry.positions);
  auto answer =
      ask_for_tables(implementation, *encoding, listed.type, static_cast<std::size_t>(entry.positions));
  entry.found = implementation.name();
  entry.by_rotation = answer.by_rotation;
  if (answer.response.tensors.empty()) {
    entry.reason = reason_of(answer.response);
    return;
  }
  CaseInput parts{entry.name, entry.name, entry.found, {}, listed.contract};
  for (auto& [role, tensor] : answer.response.tensors) {
    parts.tensors.emplace(role, NamedTensor{entry.name + "'s " + role, std::move(tensor)});
  }
  entry.spec = encoding->spec();
  entry.result = measured(assemble_case(parts, std::move(encoding)));
  entry.result->watched = implementation.observes_memory();
  entry.result->side_effects = std::move(answer.response.side_effects);
}

/// One implementation of a list and one of its encodings.
struct ComparedCandidate {
  const ListedImplementation& implementation;
  const ListedEncoding& encoding;
};

/// What Vernier itself cannot do with this one implementation is no reason to leave out the others.
ComparedImplementation entry_of(const ComparedCandidate& candidate, std::int64_t limit) {
  const auto& [implementation, encoding] = candidate;
  ComparedImplementation entry{implementation.name,
                               {},
                               encoding.spec.stem().string(),
                               std::string(traits(encoding.type).name),
                               encoding.contract,
                               std::min(limit, encoding.positions)};
  if (implementation.absent) {
    entry.reason = "not present here: " + *implementation.absent;
    return entry;
  }
  try {
    judge(*started(implementation), encoding, entry);
  } catch (const InputError& error) {
    entry.reason = error.what();
  }
  return entry;
}

CheckRecord accuracy_of(const LeagueResult& result) {
  return {.id = "accuracy",
          .status = status_of(result.failing, result.inconclusive),
          .figures = {result.greatest_budget_ratio}};
}

}  // namespace

std::vector<ComparedImplementation> study_implementations(const std::filesystem::path& list,
                                                          std::int64_t limit, const PhaseListener& progress) {
  const auto implementations = read_implementation_list(list);
  std::vector<ComparedCandidate> candidates;
  for (const auto& implementation : implementations) {
    for (const auto& encoding : implementation.encodings) {
      candidates.push_back({implementation, encoding});
    }
  }
  if (candidates.empty()) {
    return {};
  }
  std::vector<ComparedImplementation> entries(candidates.size());
  progress.begin("asking the implementations of the list for their tables", candidates.size());
  const NotedInterrupts noted;
  // Most of the time is theirs, on one core each: several at once.
  oneapi::tbb::parallel_for(std::size_t{0}, candidates.size(), [&](std::size_t i) {
    entries[i] = entry_of(candidates[i], limit);
    progress.advance(1);
  });
  return entries;
}

RecordedRun history_entry(const ComparedImplementation& judged, const std::string& label) {
  assert(judged.result);
  const auto accuracy = accuracy_of(*judged.result);
  const auto& own_words = judged.found.empty() ? judged.name : judged.found;
  return {.label = label.empty() ? own_words : label,
          .name = fmt::format("{}, {}, {} contract, {} positions", judged.encoding, judged.stored,
                              judged.contract, judged.positions),
          .implementation = judged.name,
          .producer = judged.found,
          .tool_version = std::string(version()),
          .conclusion = outcome({.checks = {{accuracy.id, accuracy.status}}}),
          .spec = judged.spec,
          .checks = {accuracy}};
}

RunHistory history_entries(const std::vector<ComparedImplementation>& list, const std::string& label) {
  RunHistory runs;
  for (const auto& judged : list) {
    if (judged.result) {
      runs.push_back(history_entry(judged, label));
    }
  }
  return runs;
}

RunHistory runs_like(const RunHistory& history, const ComparedImplementation& judged) {
  auto runs = runs_of_case(history, history_entry(judged, ""));
  std::erase_if(runs,
                [&](const RecordedRun& run) { return !spec_differences(run.spec, judged.spec).empty(); });
  return runs;
}

}  // namespace vernier
