#include "reports/exchange/sweeps/sweep_folder.hpp"

#include <algorithm>
#include <regex>
#include <utility>

#include <fmt/core.h>
#include <sys/utsname.h>

#include "numerics/formats/sha256.hpp"
#include "numerics/formats/unfinished_file.hpp"
#include "numerics/recipes/c_library.hpp"
#include "numerics/tolerances/frequency_order.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/text_file.hpp"
#include "reports/words/file.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/positions.hpp"
#include "reports/words/program_end.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr auto sweep_file = "sweep.json";
constexpr std::int64_t manifest_version = 1;

/// The C library's functions take other paths where multiplications are fused with additions, and may round
/// otherwise there.
std::string arithmetic() {
  utsname names{};
  const std::string machine = uname(&names) == 0 ? names.machine : "unknown";
#ifdef __x86_64__
  return fmt::format("{}, {} {} fused operations", c_library(), machine,
                     __builtin_cpu_supports("fma") != 0 ? "with" : "without");
#else
  return fmt::format("{}, {}", c_library(), machine);
#endif
}

/// As --positions takes them.
std::string text_of(const PositionRange& positions) {
  const auto last = positions.at(positions.count - 1);
  return fmt::format("{}:{}:{}", positions.first, last + (positions.step > 0 ? 1 : -1), positions.step);
}

/// The digest of what the recipe computes at positions all over the range.
std::string sampled(const Sweep& sweep) {
  constexpr std::int64_t most_rows = 64;
  const auto& positions = sweep.plan().positions;
  const auto rows = std::min(positions.count, most_rows);
  std::vector<double> values(sweep.implementation().columns());
  std::string bytes;
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto row = rows == 1 ? 0 : i * ((positions.count - 1) / (rows - 1));
    sweep.implementation().row(positions.at(row), values);
    const auto raw = std::as_bytes(std::span(values));
    bytes.append(reinterpret_cast<const char*>(raw.data()), raw.size());
  }
  return sha256(bytes);
}

/// What a plan says that does not depend on who works on it: spec, its digest, recipe, type, contract,
/// positions.
OrderedJson plan_json(const SweepPlan& plan) {
  const auto spec = plan.encoding->spec();
  return {{"spec", spec},
          {"spec_sha256", sha256(spec.dump())},
          {"recipe", plan.recipe->id},
          {"dtype", traits(plan.stored).name},
          {"contract", plan.contract->id},
          {"positions", text_of(plan.positions)}};
}

OrderedJson manifest(const Sweep& sweep, int shards) {
  OrderedJson result{{"vernier_sweep", manifest_version}, {"vernier", build_description()}};
  result.update(plan_json(sweep.plan()));
  result.update({{"rows_per_task", sweep.rows_per_task()},
                 {"tasks", sweep.tasks()},
                 {"arithmetic", arithmetic()},
                 {"computed_sha256", sampled(sweep)},
                 {"shards", shards}});
  return result;
}

/// \throws InputError if another sweep is stored than is wanted
void require_same(const fs::path& file, const std::string& stored, const OrderedJson& wanted) {
  const auto found = OrderedJson::parse(stored, nullptr, false);
  refuse_if(!found.is_object(), "{}: is damaged: found no JSON object, expected what is swept",
            file.string());
  for (const auto& [key, value] : wanted.items()) {
    const auto its = found.find(key);
    refuse_if(its == found.end() || *its != value,
              "{}: {}: found {}, expected {} as here and now; each sweep has a folder of its own",
              file.string(), key, its == found.end() ? "nothing" : its->dump(), value.dump());
  }
}

/// Between two savings, of the thirty that are promised: what is under way is finished first.
constexpr auto between_shard_savings = std::chrono::seconds(20);
/// That tasks are begun for together: that much work is lost in an interrupt.
constexpr double batch_seconds = 2;
constexpr auto list_file = "sweeps.json";
constexpr std::int64_t list_version = 1;

/// A name that every file system takes: "3-llama-2-7b-hf-float32-pow-float32".
std::string folder_of(std::size_t index, const std::string& name) {
  static const std::regex others("-?[^A-Za-z0-9.-]+");
  return std::regex_replace(fmt::format("{}-{}", index + 1, name), others, "-");
}

/// The plan without the spec, whose digest tells it.
OrderedJson entry_of(const std::string& name, const std::string& folder, const SweepPlan& plan) {
  OrderedJson entry{{"name", name}, {"folder", folder}};
  entry.update(plan_json(plan));
  entry.erase("spec");
  return entry;
}

ListedSweep listed_sweep(OrderedJson entry) {
  return {entry.at("name"), entry.at("folder"), std::move(entry)};
}

}  // namespace

void write_durably(const fs::path& file, const std::string& text) {
  UnfinishedFile unfinished(file);
  unfinished.append(std::as_bytes(std::span(text)));
  unfinished.sync();
  unfinished.finish();
}

std::string manifest_text(const Sweep& sweep, int shards) {
  return manifest(sweep, shards).dump(2) + "\n";
}

SweepFolder::SweepFolder(fs::path folder, const Sweep& sweep, int shards)
    : folder_(std::move(folder)), made_(made_folder(folder_)), shards_(shards), tasks_(sweep.tasks()) {
  const auto text = manifest_text(sweep, shards);
  const auto file = folder_ / sweep_file;
  if (!is_there(file)) {
    // Others that start now write the same.
    write_durably(file, text);
  }
  const auto stored = read_text(file);
  if (stored != text) {
    require_same(file, stored, manifest(sweep, shards));
    throw InputError("{}: is damaged: found other text than it was written with", file.string());
  }
  digest_ = sha256(text);
}

std::optional<ShardState> SweepFolder::read(const Shard& shard) const {
  const auto file = file_of(shard);
  if (!is_there(file)) {
    return std::nullopt;
  }
  return read_shard_text(read_text(file), file.string(), shard, digest_, tasks_);
}

void SweepFolder::write(const Shard& shard, const ShardState& state) const {
  write_durably(file_of(shard), shard_text(shard, state, digest_));
}

StoredSweep read_stored_sweep(const fs::path& folder) {
  const auto file = folder / sweep_file;
  const auto document = read_json(file);
  ObjectReader reader(document, file.string(), "");
  reader.integer("vernier_sweep", manifest_version, manifest_version);
  StoredSweep stored;
  auto& plan = stored.plan;
  plan.encoding = parse_spec(reader.object("spec"));
  const auto recipe = reader.string("recipe");
  const auto of_id = std::ranges::find(every_recipe(), recipe, &Recipe::id);
  reader.refuse_if(of_id == every_recipe().end(), "recipe", "a recipe (vernier list recipes)");
  plan.recipe = &*of_id;
  const auto type = element_type_named(reader.string("dtype"));
  reader.refuse_if(!type || !traits(*type).format, "dtype", "a floating-point type");
  plan.stored = *traits(*type).format;
  plan.contract = contract_named(reader.string("contract"));
  reader.refuse_if(plan.contract == nullptr, "contract", "a contract (vernier list contracts)");
  plan.positions = parse_positions(reader.string("positions"), file.string() + ": positions");
  stored.shards = static_cast<int>(reader.integer("shards", 1, most_shards));
  for (const auto* const checked :
       {"vernier", "spec_sha256", "rows_per_task", "tasks", "arithmetic", "computed_sha256"}) {
    reader.ignore(checked);  // by SweepFolder, which makes the text anew
  }
  reader.finish();
  reader.refuse_if(!plan.encoding->has_plain_tables(), "spec",
                   "a scheme whose sines and cosines are all of one position");
  return stored;
}

SavedShard::SavedShard(const SweepFolder& folder, const Shard& shard,
                       const std::function<void(const std::string& sentence)>& warn)
    : folder_(folder), shard_(shard) {
  try {
    if (auto stored = folder.read(shard)) {
      state_ = *std::move(stored);
      is_saved_ = true;
    }
  } catch (const InputError& error) {
    warn(std::string(error.what()) + "; its work is repeated");
  }
}

void SavedShard::add(const TaskSpan& tasks, const AuditReport& found) {
  state_.add(tasks, found);
  is_saved_ = false;
  if (!last_ || Clock::now() - *last_ >= between_shard_savings) {
    save();
  }
}

void SavedShard::save() {
  if (!is_saved_) {
    folder_.write(shard_, state_);
    is_saved_ = true;
  }
  last_ = Clock::now();
}

bool finish_shard(const Sweep& sweep, const Shard& shard, SavedShard& saved) {
  const NotedInterrupts noted(seconds_to_save);
  try {
    double batch = 1;
    for (const auto& span : saved.state().left(tasks_of(shard, sweep.tasks()))) {
      for (auto first = span.first; first < span.last;) {
        const auto last = std::min(first + static_cast<std::int64_t>(batch), span.last);
        const auto start = std::chrono::steady_clock::now();
        saved.add({first, last}, sweep.run(first, last));
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        batch = std::clamp(batch * batch_seconds / taken.count(), 1.0, 2 * batch);
        first = last;
        stop_if_interrupted();
      }
    }
  } catch (const Interrupted&) {
    saved.save();
    return false;
  }
  saved.save();
  return true;
}

std::vector<ListedSweep> list_sweeps(const fs::path& folder, std::span<const NamedSweepPlan> plans) {
  std::vector<ListedSweep> sweeps;
  for (const auto& [name, plan] : plans) {
    sweeps.push_back(listed_sweep(entry_of(name, folder_of(sweeps.size(), name), plan)));
  }
  const auto made = made_folder(folder);
  const auto file = folder / list_file;
  const auto text =
      OrderedJson{{"vernier_sweeps", list_version}, {"sweeps", array_json(sweeps, &ListedSweep::entry)}}.dump(
          2) +
      "\n";
  if (!is_there(file)) {
    refuse_if(is_there(folder / sweep_file),
              "{}: holds one sweep, expected several or none; they have a folder of their own",
              folder.string());
    write_durably(file, text);
  }
  refuse_if(read_text(file) != text, "{}: found different sweeps, or a different order, than these {}",
            file.string(), sweeps.size());
  return sweeps;
}

std::optional<std::vector<ListedSweep>> read_sweep_list(const fs::path& folder) {
  const auto file = folder / list_file;
  if (!is_there(file)) {
    return std::nullopt;
  }
  const auto json = OrderedJson::parse(read_text(file), nullptr, false);
  const InputError damaged("{}: is damaged: found no list of sweeps", file.string());
  try {
    if (json.at("vernier_sweeps") != list_version) {
      throw damaged;
    }
    return mapped(json.at("sweeps"), listed_sweep);
  } catch (const OrderedJson::exception&) {
    throw damaged;
  }
}

void require_no_list(const fs::path& folder) {
  refuse_if(!folder.empty() && is_there(folder / list_file),
            "{}: holds several sweeps, expected one or none; each has a folder of its own", folder.string());
}

bool is_listed(const ListedSweep& listed, const SweepPlan& plan) {
  return entry_of(listed.name, listed.folder, plan) == listed.entry;
}

void print_name(std::size_t index, const std::string& name, std::ostream& out) {
  out << (index == 0 ? "" : "\n") << one_line(name) << "\n";
}

}  // namespace vernier
