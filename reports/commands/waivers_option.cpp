#include "reports/commands/waivers_option.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reports/drafted_waivers.hpp"
#include "reports/file.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

std::chrono::year_month_day day_of(const WaiversOption& option) {
  if (option.date.empty()) {
    return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  }
  const auto date = parse_date(option.date);
  if (!date) {
    throw InputError("--date: found \"{}\", expected a day, YYYY-MM-DD", option.date);
  }
  return *date;
}

/// What somebody wrote about a failure is not replaced by a draft.
void require_new_file(const WaiversOption& option) {
  if (option.draft.empty()) {
    return;
  }
  if (!option.file.empty()) {
    throw InputError("--write-waivers: found --waivers beside it, expected one of the two");
  }
  if (option.draft == standard_output) {
    throw InputError("--write-waivers: found \"-\", expected the name of a file");
  }
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(option.draft, error))) {
    throw InputError("--write-waivers: {}: exists already, expected a new file", one_line(option.draft));
  }
}

}  // namespace

void add_waivers_option(ArgumentParser& command, WaiversOption& option) {
  command
      .add("--waivers", option.file,
           "a file of waivers: failures that are known, and put up with until a day")
      .named("FILE");
  command
      .add("--write-waivers", option.draft,
           fmt::format(
               "a new file, to draft waivers of everything that fails into; they hold for {} days, and "
               "their reasons and issues are to be replaced",
               drafted_for.count()))
      .named("FILE");
  command.add("--date", option.date, "the day by which waivers expire, YYYY-MM-DD; default today (UTC)")
      .named("DAY");
}

DatedWaivers read_waivers_option(const WaiversOption& option) {
  if (option.file.empty() && option.draft.empty() && !option.date.empty()) {
    throw InputError(
        "--date: found neither --waivers nor --write-waivers beside it, expected one of the two");
  }
  require_new_file(option);
  return {option.file.empty() ? std::vector<Waiver>() : read_waivers(option.file), day_of(option)};
}

void write_waivers_option(const WaiversOption& option, const Verdict& verdict,
                          std::chrono::year_month_day today, std::ostream& remarks) {
  if (option.draft.empty()) {
    return;
  }
  const auto waivers = drafted_waivers(verdict, today);
  write_file(option.draft, waivers.dump(2) + "\n", remarks);
  remarks << "vernier: " << one_line(option.draft) << ": ";
  if (waivers.empty()) {
    remarks << "waives nothing, for nothing fails\n";
    return;
  }
  remarks << "waives " << counted(waivers.size(), "failing check", "failing checks") << " until "
          << waivers.front()["expires"].get<std::string>() << "; replace the reasons and the issues";
  if (verdict.seed) {
    remarks << ", and give --seed " << *verdict.seed << ", for other draws may fail worse";
  }
  remarks << "\n";
}

}  // namespace vernier
