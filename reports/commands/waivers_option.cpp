#include "reports/commands/waivers_option.hpp"

#include "reference/input_error.hpp"

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

}  // namespace

void add_waivers_option(ArgumentParser& command, WaiversOption& option) {
  const auto file = command
                        .add("--waivers", option.file,
                             "a file of waivers: failures that are known, and put up with until a day")
                        .named("FILE");
  command.add("--date", option.date, "the day by which waivers expire, YYYY-MM-DD; default today (UTC)")
      .named("DAY")
      .only_with(file);
}

DatedWaivers read_waivers_option(const WaiversOption& option) {
  return {option.file.empty() ? std::vector<Waiver>() : read_waivers(option.file), day_of(option)};
}

}  // namespace vernier
