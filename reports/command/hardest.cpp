#include <algorithm>
#include <array>
#include <vector>

#include "numerics/asking/questions.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/exchange/elements/hard_elements.hpp"
#include "reports/words/file.hpp"
#include "reports/words/positions.hpp"

namespace vernier {
namespace {

/// Those that people store tables in.
constexpr std::array usual_formats{Format::binary32, Format::binary16, Format::bfloat16};

struct HardestArguments {
  ArgumentParser& command;
  const SpecOption& spec = command.given(add_spec_option);
  const std::string& last = command.given<std::string>("--last");
  const Words& dtypes = command.given<Words>("--dtype");
  const unsigned& most = command.given<unsigned>("--most", 5);
  const std::string& json = command.given<std::string>("--json");
  const LongWorkOption work{command};
};

std::vector<Format> formats_of(const HardestArguments& arguments) {
  const auto result =
      mapped(arguments.dtypes, [&](const auto& word) { return *traits(read_dtype(word)).format; });
  return result.empty() ? std::vector(usual_formats.begin(), usual_formats.end()) : result;
}

/// The last position that is looked at. \throws InputError
std::int64_t last_of(const HardestArguments& arguments, const Encoding& encoding) {
  if (arguments.last.empty()) {
    return std::max<std::int64_t>(last_probed_position(encoding), 1);
  }
  const auto last = parse_position(arguments.last, "--last");
  const auto length = encoding.sequence_length();
  refuse_if(last < 1 || (length && last >= *length), "--last: found {}, expected a position from 1 {}", last,
            length ? "to " + std::to_string(*length - 1) + ", the last of the sequence" : "on");
  return last;
}

int run_hardest(const HardestArguments& arguments, std::ostream& out) {
  const auto formats = formats_of(arguments);
  const auto encoding = read_table_encoding("hardest", arguments.spec);
  const auto last = last_of(arguments, *encoding);
  const auto tables = tables_of_sines(*encoding);
  refuse_if(tables.empty(),
            "{}: found positions that are scaled or shifted, expected the integers that are given",
            arguments.spec.source());
  const auto hard = [&] {
    Progress progress(progress_place(arguments.work.quiet));
    return hard_elements(tables.front(), last, formats, arguments.work.threads, progress);
  }();
  write_findings(arguments.json, hard_elements_json(*encoding, hard),
                 hard_elements_text(*encoding, hard, arguments.most), out);
  return 0;
}

}  // namespace

Action declare_hardest(ArgumentParser& command) {
  return declared(command, run_hardest);
}

}  // namespace vernier
