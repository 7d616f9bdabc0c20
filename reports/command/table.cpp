#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "numerics/formats/tensor_file.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
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
  ArgumentParser& command;
  const SpecOption& spec = command.given(add_spec_option);
  const std::string& positions = command.given<std::string>("--positions");
  const std::string& dtype = command.given<std::string>("--dtype", "float32");
  const std::string& role = command.given<std::string>("--role");
  const std::size_t& columns = command.given<std::size_t>("--columns");
  const std::size_t& queries = command.given<std::size_t>("--queries");
  const std::string& quantization = command.given<std::string>("--quantization");
  const std::string& output = command.given<std::string>("--output");
  const LongWorkOption work{command};
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

/// Writes a tensor part by part. \param count of its rows or elements \param made the bytes of those from the
/// first to before the last
template <class Made>
void write_parts(const TableRequest& request, const Shape& shape, const std::string& role, std::int64_t count,
                 std::int64_t at_once, const Made& made) {
  auto writer = writer_of(request, shape, role);
  {
    Progress progress(progress_place(request.arguments.work.quiet));
    progress.begin(role, static_cast<std::uint64_t>(count));
    for (std::int64_t first = 0; first < count; first += at_once) {
      const auto last = std::min(first + at_once, count);
      writer.append(made(first, last));
      progress.advance(static_cast<std::uint64_t>(last - first));
    }
  }
  writer.finish();
}

void tell_written(const TableRequest& request, const Shape& shape, const std::string& role,
                  const std::string& how, std::ostream& out) {
  out << one_line(request.arguments.output) << ": " << role << " " << to_string(shape) << " "
      << request.arguments.dtype << ", every element " << how << "\n";
}

void write_table(const TableRequest& request, const TrigTable& definition, std::ostream& out) {
  const auto format = traits(request.type).format;
  refuse_if(!format, "--dtype: found \"{}\", expected {} for sines", request.arguments.dtype,
            joined(stored_formats(), " or "));
  const RoundedTable table(definition, definition.positions.places(request.positions), *format,
                           {.threads = request.arguments.work.threads, .overflow = request.overflow()});
  const Shape shape{static_cast<std::size_t>(request.positions.count), definition.columns.size()};
  const auto most_rows = static_cast<std::int64_t>(most_bytes_at_once / table.row_bytes());
  const auto blocks_at_once = std::max<std::int64_t>(1, most_rows / table.rows_per_block());
  const auto rows_at_once = std::min(
      table.rows(), std::max<std::int64_t>(1, std::min(blocks_at_once * table.rows_per_block(), most_rows)));
  std::vector<std::byte> rows(static_cast<std::size_t>(rows_at_once) * table.row_bytes());
  StageCounts counts;
  write_parts(request, shape, definition.role, table.rows(), rows_at_once,
              [&](std::int64_t first, std::int64_t last) {
                const auto part =
                    std::span(rows).first(static_cast<std::size_t>(last - first) * table.row_bytes());
                counts += table.write(first, last, part);
                return part;
              });
  tell_written(request, shape, definition.role,
               fmt::format("correctly rounded ({} by multiprecision)", counts.stage_three), out);
}

void write_elements(const TableRequest& request, const PlacedTensor& tensor, std::ostream& out) {
  constexpr std::int64_t elements_at_once = 4096;
  const PlacedElements elements(request.encoding, tensor.definition, listed(request.positions),
                                request.arguments.queries);
  std::vector<std::byte> bytes;
  write_parts(request, tensor.shape, tensor.role, static_cast<std::int64_t>(elements->elements()),
              elements_at_once, [&](std::int64_t first, std::int64_t last) {
                bytes.clear();
                append_rounded(*elements, request.type, static_cast<std::size_t>(first),
                               static_cast<std::size_t>(last), bytes, request.overflow());
                return std::span<const std::byte>(bytes);
              });
  tell_written(request, tensor.shape, tensor.role,
               traits(request.type).format ? "correctly rounded" : "exact", out);
}

/// \throws InputError for a quantization of what has none
void require_quantizable(const TableRequest& request, const PlacedTensor& tensor) {
  const auto form = tensor_form(tensor.definition);
  refuse_if(form.sines == nullptr || form.scale != nullptr,
            "table: quantization: found {}, expected sines or cosines", tensor.role);
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
  return declared(command, run_table);
}

}  // namespace vernier
