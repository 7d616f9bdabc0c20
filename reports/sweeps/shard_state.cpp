#include "reports/sweeps/shard_state.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/core.h>

#include "numerics/audit/audit_state.hpp"
#include "numerics/formats/sha256.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

constexpr std::int64_t state_version = 1;
constexpr std::string_view before_digest = "{\"sha256\":\"";
constexpr std::string_view before_content = "\",\"content\":";
constexpr std::string_view after_content = "}\n";
constexpr std::size_t digest_digits = 64;

/// What the digest is of. \throws InputError if it is another one's
std::string_view intact_content(std::string_view text, const std::string& source) {
  constexpr auto head = before_digest.size() + digest_digits + before_content.size();
  const bool whole = text.starts_with(before_digest) && text.size() > head + after_content.size() &&
                     text.ends_with(after_content);
  const auto content = whole ? text.substr(head, text.size() - head - after_content.size()) : "";
  if (!whole || text.substr(before_digest.size(), digest_digits) != sha256(content)) {
    throw InputError("{}: is damaged: its content does not have the SHA-256 digest that it begins with",
                     source);
  }
  return content;
}

std::vector<TaskSpan> read_done(ObjectReader& reader, const TaskSpan& all) {
  std::vector<TaskSpan> done;
  auto least = all.first;
  for (auto& span : reader.objects("done", "an array of objects")) {
    const auto first = span.integer("first", least, all.last - 1);
    const auto last = span.integer("last", first + 1, all.last);
    span.finish();
    done.push_back({first, last});
    least = last + 1;
  }
  return done;
}

}  // namespace

TaskSpan tasks_of(const Shard& shard, std::int64_t tasks) {
  // Below 2^31 rows and 2^20 shards.
  return {tasks * (shard.index - 1) / shard.count, tasks * shard.index / shard.count};
}

void ShardState::add(const TaskSpan& tasks, const AuditReport& found) {
  report.merge(found);
  report.bands.clear();
  const auto after = std::ranges::find_if(done, [&](const auto& one) { return one.first >= tasks.last; });
  const auto added = done.insert(after, tasks);
  // Joined with its neighbours.
  if (const auto next = added + 1; next != done.end() && next->first == added->last) {
    added->last = next->last;
    done.erase(next);
  }
  if (added != done.begin() && (added - 1)->last == added->first) {
    (added - 1)->last = added->last;
    done.erase(added);
  }
}

std::int64_t ShardState::tasks_done() const {
  std::int64_t count = 0;
  for (const auto& span : done) {
    count += span.count();
  }
  return count;
}

std::vector<TaskSpan> ShardState::left(const TaskSpan& all) const {
  std::vector<TaskSpan> result;
  auto first = all.first;
  for (const auto& span : done) {
    if (first < span.first) {
      result.push_back({first, span.first});
    }
    first = span.last;
  }
  if (first < all.last) {
    result.push_back({first, all.last});
  }
  return result;
}

std::string shard_text(const Shard& shard, const ShardState& state, std::string_view sweep) {
  OrderedJson done = OrderedJson::array();
  for (const auto& [first, last] : state.done) {
    done.push_back({{"first", first}, {"last", last}});
  }
  const OrderedJson content{{"vernier_shard", state_version},
                            {"sweep", sweep},
                            {"shard", shard.index},
                            {"of", shard.count},
                            {"done", done},
                            {"found", audit_state(state.report)}};
  const auto text = content.dump();
  return fmt::format("{}{}{}{}{}", before_digest, sha256(text), before_content, text, after_content);
}

ShardState read_shard_text(std::string_view text, const std::string& source, const Shard& shard,
                           std::string_view sweep, std::int64_t tasks) {
  const auto document = parse_json(intact_content(text, source), source);
  ObjectReader reader(document, source, "");
  reader.integer("vernier_shard", state_version, state_version);
  if (reader.string("sweep") != sweep) {
    throw InputError("{}: is of another sweep: its digest is not that of sweep.json", source);
  }
  reader.integer("shard", shard.index, shard.index);
  reader.integer("of", shard.count, shard.count);
  ShardState state;
  state.done = read_done(reader, tasks_of(shard, tasks));
  state.report = read_audit_state(reader.object("found"));
  reader.finish();
  return state;
}

}  // namespace vernier
