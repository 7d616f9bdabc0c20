#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "reports/sweeps/sweep.hpp"

namespace vernier {

/// One of several sweeps, and what to call it: "llama-2-7b-hf, float32-pow, float32".
struct NamedSweepPlan {
  std::string name;
  SweepPlan plan;
};

/// What sweeps.json says of one of them.
struct ListedSweep {
  std::string name;
  std::string folder;  ///< within that of all: a folder as of one sweep
  OrderedJson plan;    ///< plan_json() without the spec
};

/// The list of sweeps that share a folder: makes its sweeps.json where there is none. \throws InputError if
/// what is there are other sweeps
std::vector<ListedSweep> list_sweeps(const std::filesystem::path& folder,
                                     std::span<const NamedSweepPlan> plans);

/// Reads sweeps.json; nothing where there is none, as in the folder of one sweep. \throws InputError if it
/// makes no sense
std::optional<std::vector<ListedSweep>> read_sweep_list(const std::filesystem::path& folder);

/// \throws InputError if the folder is of several sweeps, where one is meant
void require_no_list(const std::filesystem::path& folder);

/// Whether a plan is the listed one.
bool is_listed(const ListedSweep& listed, const SweepPlan& plan);

/// What stands above the result of each of several sweeps. \param index from 0
void print_name(std::size_t index, const std::string& name, std::ostream& out);

}  // namespace vernier
