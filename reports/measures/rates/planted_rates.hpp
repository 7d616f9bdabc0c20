#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "numerics/processes/live_implementation.hpp"
#include "reference/json/json.hpp"
#include "reports/measures/rates/planted_draw.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier::rates {

struct PlantedOptions {
  std::filesystem::path plugin = {};  ///< that faults are planted in
  std::uint64_t seed = 20170612;
  Distribution distribution = Distribution::covering;
  int first = 0;   ///< of the draws, each of which is the same however many there are
  int faulty = 0;  ///< how many from there on
  int honest = 0;
  bool thorough = false;
  int cases = 3;  ///< of each law
};

/// A kernel that was drawn, and its verdict.
struct PlantedVerdict {
  int index = 0;  ///< draws it again, with the seed
  DrawnFault drawn = {};
  int exit_code = 0;  ///< of `vernier validate`
  double seconds = 0;
  std::string finding = {};  ///< the first check that is not passed, and its reason
  /// Where the verdict says that it is wrong; nothing if it does not say, or only of what was asked.
  std::optional<Predicate> boundary = std::nullopt;
  bool is_boundary_right = false;  ///< of every question of at most 8,192 vectors

  bool is_found() const { return exit_code != 0 && exit_code != 4; }
};

struct PlantedRates {
  PlantedOptions options;
  std::vector<PlantedVerdict> faulty;
  std::vector<PlantedVerdict> honest;
};

/// The plug-in in a process of its own. \pre no other kernel is started while it is asked
std::unique_ptr<LiveImplementation> start_planted(const PlantedKernel& kernel,
                                                  const std::filesystem::path& plugin);

/// The verdict on a kernel: its plug-in is asked in a process of its own. \param seed of the questions
Verdict judge_planted(const PlantedKernel& kernel, const PlantedOptions& options, std::uint64_t seed);

/// \param progress called after each
PlantedRates measure_planted(const PlantedOptions& options,
                             const std::function<void(const PlantedVerdict&)>& progress);

/// One of them again, and its verdict in full, as text. \param index of a faulty one, unless none is asked
/// for
std::string retell(const PlantedOptions& options, int index);

/// A share of counted cases with its 95 % interval (Wilson 1927), in per cent.
struct CountedShare {
  std::size_t count = 0;
  std::size_t all = 0;

  double least() const { return bound(-1); }
  double greatest() const { return bound(1); }
  std::string text() const;  ///< "98 of 100 (98.0 %, 93.0 to 99.5)"

 private:
  double bound(int side) const;
};

/// \name The table: shares, misses by coordinate and pair of coordinates, every unwelcome verdict in a line.
/// @{
std::string to_text(const PlantedRates& rates);
OrderedJson to_json(const PlantedRates& rates);
/// @}
/// Whether nothing honest is refused, and no boundary is wrong.
bool is_welcome(const PlantedRates& rates);

}  // namespace vernier::rates
