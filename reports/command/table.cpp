#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/core.h>

#include "numerics/formats/tensor_file.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/exchange/vectors/selection.hpp"
#include "reports/words/positions.hpp"
#include "reports/words/progress.hpp"
#include "reports/words/specs/placed_tensor.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

/// Bytes made before they are written: what is held, whatever the table's length.
constexpr std::size_t most_bytes_at_once = std::size_t{4} << 20;

struct TableArguments {
  SpecOption spec;
  std::string positions;
  std::string dtype = "float32";
  std::string role;
  std::size_t columns = 0;
  std::size_t queries = 0;
  std::string quantization;
  std::string output;
  LongWorkOption work;
};

/// What the options ask for, read.
struct TableRequest {
  const TableArguments& arguments;
  ElementType type;
  PositionRange positions;
  const Encoding& encoding;
  std::optional<Quantization> quantization;

  Overflow overflow() const { return quantization ? quantization->overflow : Overflow::undeclared; }
};

TensorWriter writer_of(const TableRequest& request, const Shape& shape, const std::string& role) {
  return {request.arguments.output,
          request.type,
          shape,
          role,
          {{"spec", request.encoding.spec().dump()},
           {"positions", request.arguments.positions},
           {"producer", fmt::format("vernier {}, correctly rounded", version())}}};
}

void write_table(const TableRequest& request, const TrigTable& definition, std::ostream& out) {
  const auto format = traits(request.type).format;
  if (!format) {
    throw InputError("--dtype: found \"{}\", expected {} for sines", request.arguments.dtype,
                     joined(stored_formats(), " or "));
  }
  const RoundedTable table(definition, definition.positions.places(request.positions), *format,
                           {.threads = request.arguments.work.threads, .overflow = request.overflow()});
  const Shape shape{static_cast<std::size_t>(request.positions.count), definition.columns.size()};
  auto writer = writer_of(request, shape, definition.role);
  const auto blocks_at_once = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(most_bytes_at_once / table.row_bytes()) / table.rows_per_block());
  const auto rows_at_once = std::min(
      table.rows(),
      std::max<std::int64_t>(1, std::min(blocks_at_once * table.rows_per_block(),
                                         static_cast<std::int64_t>(most_bytes_at_once / table.row_bytes()))));
  std::vector<std::byte> rows(static_cast<std::size_t>(rows_at_once) * table.row_bytes());
  StageCounts counts;
  {
    Progress progress(progress_place(request.arguments.work.quiet));
    progress.begin(definition.role, static_cast<std::uint64_t>(table.rows()));
    for (std::int64_t first = 0; first < table.rows(); first += rows_at_once) {
      const auto last = std::min(first + rows_at_once, table.rows());
      const auto part = std::span(rows).first(static_cast<std::size_t>(last - first) * table.row_bytes());
      counts += table.write(first, last, part);
      writer.append(part);
      progress.advance(static_cast<std::uint64_t>(last - first));
    }
  }
  writer.finish();
  out << one_line(request.arguments.output) << ": " << definition.role << " " << to_string(shape) << " "
      << request.arguments.dtype << ", every element correctly rounded (" << counts.stage_three
      << " by multiprecision)\n";
}

void write_elements(const TableRequest& request, const PlacedTensor& tensor, std::ostream& out) {
  constexpr std::size_t elements_at_once = 4096;
  const PlacedElements elements(request.encoding, tensor.definition, listed(request.positions),
                                request.arguments.queries);
  const auto count = elements->elements();
  auto writer = writer_of(request, tensor.shape, tensor.role);
  {
    Progress progress(progress_place(request.arguments.work.quiet));
    progress.begin(tensor.role, count);
    std::vector<std::byte> bytes;
    for (std::size_t first = 0; first < count; first += elements_at_once) {
      const auto last = std::min(first + elements_at_once, count);
      bytes.clear();
      append_rounded(*elements, request.type, first, last, bytes, request.overflow());
      writer.append(bytes);
      progress.advance(last - first);
    }
  }
  writer.finish();
  out << one_line(request.arguments.output) << ": " << tensor.role << " " << to_string(tensor.shape) << " "
      << request.arguments.dtype << ", every element "
      << (traits(request.type).format ? "correctly rounded" : "exact") << "\n";
}

/// \throws InputError for a quantization of what has none
void require_quantizable(const TableRequest& request, const PlacedTensor& tensor) {
  const auto form = tensor_form(tensor.definition);
  if (form.sines == nullptr || form.scale != nullptr) {
    throw InputError("table: quantization: found {}, expected sines or cosines", tensor.role);
  }
  if (const auto format = traits(request.type).format) {
    require_eight_bits(*request.quantization, *format, "table", tensor.role);
  }
}

/// Writes the first tensor of the encoding that the options name.
void write_first(const TableRequest& request, std::ostream& out) {
  const auto& arguments = request.arguments;
  const auto tensor = first_tensor(request.encoding, static_cast<std::size_t>(request.positions.count),
                                   {arguments.role, arguments.columns, arguments.queries,
                                    request.quantization ? request.quantization->factor : Rational(1)},
                                   "table");
  if (request.quantization) {
    require_quantizable(request, tensor);
  }
  if (const auto* table = tensor.plain_table()) {
    return write_table(request, *table, out);
  }
  write_elements(request, tensor, out);
}

int run_table(const TableArguments& arguments, std::ostream& out) {
  const auto type = read_dtype(arguments.dtype, Integers::of_indices);
  const auto positions = parse_positions(arguments.positions, "--positions");
  const auto encoding = read_encoding("table", arguments.spec);
  write_first({arguments, type, positions, *encoding, read_quantization_option(arguments.quantization)}, out);
  return 0;
}

}  // namespace

Action declare_table(ArgumentParser& command) {
  const auto arguments = std::make_shared<TableArguments>();
  add_spec_option(command, arguments->spec);
  command.add("--positions", arguments->positions);
  command.add("--dtype", arguments->dtype);
  command.add("--role", arguments->role);
  command.add("--columns", arguments->columns);
  command.add("--queries", arguments->queries);
  command.add("--quantization", arguments->quantization);
  command.add("--output", arguments->output);
  add_long_work_option(command, arguments->work);
  return [arguments](std::ostream& out) { return run_table(*arguments, out); };
}

}  // namespace vernier
