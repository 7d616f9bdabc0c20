#include "reports/sweeps/sweep_list.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/text_file.hpp"
#include "reports/file.hpp"
#include "reports/sweeps/sweep_folder.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr auto list_file = "sweeps.json";
constexpr std::int64_t list_version = 1;

/// A name that every file system takes: "3-llama-2-7b-hf-float32-pow-float32".
std::string folder_of(std::size_t index, const std::string& name) {
  auto folder = fmt::format("{}-", index + 1);
  for (const char c : name) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (is_plain) {
      folder += c;
    } else if (folder.back() != '-') {
      folder += '-';
    }
  }
  return folder;
}

OrderedJson listed_plan(const SweepPlan& plan) {
  auto json = plan_json(plan);
  json.erase("spec");
  return json;
}

std::string list_text(std::span<const ListedSweep> sweeps) {
  OrderedJson list = OrderedJson::array();
  for (const auto& one : sweeps) {
    OrderedJson entry{{"name", one.name}, {"folder", one.folder}};
    entry.update(one.plan);
    list.push_back(std::move(entry));
  }
  return OrderedJson{{"vernier_sweeps", list_version}, {"sweeps", std::move(list)}}.dump(2) + "\n";
}

}  // namespace

std::vector<ListedSweep> list_sweeps(const fs::path& folder, std::span<const NamedSweepPlan> plans) {
  std::vector<ListedSweep> sweeps;
  for (const auto& [name, plan] : plans) {
    sweeps.push_back({name, folder_of(sweeps.size(), name), listed_plan(plan)});
  }
  const auto made = made_folder(folder);
  const auto file = folder / list_file;
  const auto text = list_text(sweeps);
  std::error_code error;
  if (!fs::exists(file, error)) {
    if (fs::exists(folder / sweep_file, error)) {
      throw InputError("{}: holds one sweep, expected several or none; they have a folder of their own",
                       folder.string());
    }
    write_durably(file, text);
  }
  if (read_text(file) != text) {
    throw InputError("{}: found other sweeps, or in another order, than these {}", file.string(),
                     sweeps.size());
  }
  return sweeps;
}

std::optional<std::vector<ListedSweep>> read_sweep_list(const fs::path& folder) {
  const auto file = folder / list_file;
  std::error_code error;
  if (!fs::exists(file, error)) {
    return std::nullopt;
  }
  const auto json = OrderedJson::parse(read_text(file), nullptr, false);
  const InputError damaged("{}: is damaged: found no list of sweeps", file.string());
  try {
    std::vector<ListedSweep> sweeps;
    if (json.at("vernier_sweeps") != list_version) {
      throw damaged;
    }
    for (auto entry : json.at("sweeps")) {
      ListedSweep sweep{entry.at("name"), entry.at("folder"), {}};
      entry.erase("name");
      entry.erase("folder");
      sweep.plan = std::move(entry);
      sweeps.push_back(std::move(sweep));
    }
    return sweeps;
  } catch (const OrderedJson::exception&) {
    throw damaged;
  }
}

void require_no_list(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty() && fs::exists(folder / list_file, error)) {
    throw InputError("{}: holds several sweeps, expected one or none; each has a folder of its own",
                     folder.string());
  }
}

bool is_listed(const ListedSweep& listed, const SweepPlan& plan) {
  return listed_plan(plan) == listed.plan;
}

void print_name(std::size_t index, const std::string& name, std::ostream& out) {
  out << (index == 0 ? "" : "\n") << one_line(name) << "\n";
}

}  // namespace vernier
