#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference/json/json.hpp"
#include "reports/measures/rates/fault.hpp"

namespace vernier::rates {

/// How an implementation is judged.
enum class Way {
  live,   ///< it is asked (validate_live)
  stored  ///< the tensors that it makes of one question about its context are judged as those of a case
};

struct RatesOptions {
  std::uint64_t seed = 20170612;
  int honest = 20;                  ///< how many implementations without fault
  int faulty = 40;                  ///< how many with one, of all kinds in turn
  std::int64_t longest = 1024;      ///< context, >= 64
  std::int64_t elements = 1 << 18;  ///< of a table, about
  int cases = 20;                   ///< of each law
  /// Called before each verdict; may throw.
  std::function<void()> pause = [] {};
};

/// One verdict on a drawn implementation.
struct Judged {
  Way way = Way::live;
  int exit_code = 0;  ///< of `vernier validate`; 2 where it refuses what it was given
  double seconds = 0;
  std::string finding =
      {};  ///< the first check that failed or was not concluded, and its reason; or the refusal
};

/// A drawn implementation and what became of it.
struct Drawn {
  int index = 0;                              ///< draws it again, with the seed
  std::string description;                    ///< the encoding and how it is computed
  const Fault* fault = nullptr;               ///< null: it is honest
  std::string parameters = {};                ///< of the fault
  std::optional<double> size = std::nullopt;  ///< of the fault: see size_of()
  std::vector<Judged> verdicts = {};
};

/// What was drawn and how it was judged.
struct Rates {
  RatesOptions options;
  std::vector<Drawn> honest;
  std::vector<Drawn> faulty;
};

/// Draws and judges. Every implementation is judged live, and stored where its fault shows in one answer.
/// \param progress called after each with what it is and how it was judged
Rates measure_rates(const RatesOptions& options, const std::function<void(const Drawn&)>& progress);

/// One of them again: its spec, and its verdicts in full, as text. \param index of an honest one if not
/// negative, else of the faulty one -1 - index
std::string retell(const RatesOptions& options, int index);

/// How many verdicts of a kind there are.
struct Tally {
  std::size_t conforms = 0;   ///< exit code 0
  std::size_t refused = 0;    ///< 1, or any code but 0 and 4
  std::size_t undecided = 0;  ///< 4
  std::size_t all() const { return conforms + refused + undecided; }
};
/// \param fault of this id only; empty for all
Tally tally(const std::vector<Drawn>& drawn, Way way, std::string_view fault = {});

/// The seconds that a share of the verdicts took at most; zero if there are none.
double quantile_of_seconds(const Rates& rates, Way way, double share);

/// \name The table: what was drawn, false alarms, misses by class, and every one of them in a line.
/// @{
std::string to_text(const Rates& rates);
OrderedJson to_json(const Rates& rates);
/// @}

}  // namespace vernier::rates
