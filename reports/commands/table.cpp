#include <algorithm>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>

#include "numerics/tensor_writer.hpp"
#include "reference/input_error.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/scheme_registry.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/positions_option.hpp"
#include "reports/commands/spec_option.hpp"
#include "reports/interrupt.hpp"
#include "reports/progress.hpp"
#include "reports/value_text.hpp"
#include "reports/version.hpp"

namespace vernier {
namespace {

/// Bytes made before they are written: what is held, whatever the table's length.
constexpr std::size_t most_bytes_at_once = std::size_t{4} << 20;

struct Arguments {
  std::string spec_file;
  std::string positions;
  std::string dtype = "float32";
  std::string role;
  std::size_t columns = 0;
  std::string output;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
};

/// The table that the options name: by role, and by width where a role has several.
TrigTable choose_table(const Arguments& arguments, const Encoding& encoding) {
  auto tables = encoding.tables();
  const auto role = arguments.role.empty() ? tables.front().role : arguments.role;
  std::string known;
  for (auto& table : tables) {
    if (table.role == role && (arguments.columns == 0 || table.columns.size() == arguments.columns)) {
      return std::move(table);
    }
    known += (known.empty() ? "" : " or ") + table.role + " of " + std::to_string(table.columns.size()) +
             " columns";
  }
  throw InputError("table: found no table \"" + one_line(role) + "\"" +
                   (arguments.columns == 0 ? "" : " of " + std::to_string(arguments.columns) + " columns") +
                   ", expected " + known);
}

int run(const Arguments& arguments, std::ostream& out) {
  const auto format = format_named(arguments.dtype);
  if (!format) {
    throw InputError("--dtype: found \"" + one_line(arguments.dtype) +
                     "\", expected float64, float32, float16 or bfloat16");
  }
  const auto positions = parse_positions(arguments.positions, "--positions");
  const auto encoding = read_table_encoding(arguments.spec_file);
  const auto definition = choose_table(arguments, *encoding);
  const RoundedTable table(definition, positions, *format, {.threads = arguments.threads});
  TensorWriter writer(arguments.output, *element_type_named(arguments.dtype),
                      {static_cast<std::size_t>(positions.count), definition.columns.size()}, definition.role,
                      {{"spec", encoding->spec().dump()},
                       {"positions", arguments.positions},
                       {"producer", "vernier " + std::string(version()) + ", correctly rounded"}});
  note_interrupts();
  const auto blocks_at_once = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(most_bytes_at_once / table.row_bytes()) / table.rows_per_block());
  const auto rows_at_once = std::min(
      table.rows(),
      std::max<std::int64_t>(1, std::min(blocks_at_once * table.rows_per_block(),
                                         static_cast<std::int64_t>(most_bytes_at_once / table.row_bytes()))));
  std::vector<std::byte> rows(static_cast<std::size_t>(rows_at_once) * table.row_bytes());
  Progress progress(definition.role, static_cast<std::uint64_t>(table.rows()));
  StageCounts counts;
  for (std::int64_t first = 0; first < table.rows(); first += rows_at_once) {
    stop_if_interrupted();
    const auto last = std::min(first + rows_at_once, table.rows());
    const auto part = std::span(rows).first(static_cast<std::size_t>(last - first) * table.row_bytes());
    counts += table.write(first, last, part);
    writer.append(part);
    progress.show(static_cast<std::uint64_t>(last));
  }
  writer.finish();
  out << arguments.output << ": " << definition.role << " [" << positions.count << ", "
      << definition.columns.size() << "] " << arguments.dtype << ", every element correctly rounded ("
      << counts.stage_three << " by multiprecision)\n";
  return 0;
}

Action declare(CLI::App& command) {
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("--spec", arguments->spec_file, "a spec file (JSON)")->required();
  command
      .add_option("--positions", arguments->positions,
                  "A:B or A:B:STEP, B not included; numbers may be written 2^N")
      ->required();
  command.add_option("--dtype", arguments->dtype, "float64, float32, float16 or bfloat16")
      ->capture_default_str();
  command.add_option("--role", arguments->role,
                     "which tensor of the encoding: encoding, cos or sin; default the first");
  command.add_option("--columns", arguments->columns,
                     "its width, where implementations differ (cos of head_dim/2 or head_dim columns)");
  command.add_option("-o,--output", arguments->output, "the file to write, .npy or .safetensors")->required();
  command.add_option("--threads", arguments->threads, "how many threads work; the bits do not depend on it")
      ->check(CLI::Range(1U, 1024U));
  return [arguments](std::ostream& out) { return run(*arguments, out); };
}

}  // namespace

Command table_command() {
  return {"table", "Write a certified table: every element the number of its format nearest to the truth",
          declare};
}

}  // namespace vernier
