// That a case keeps its contracts, in claims that a program without Vernier can check.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "numerics/audit/audit_report.hpp"
#include "numerics/formats/mapped_file.hpp"
#include "numerics/formats/sha256.hpp"
#include "numerics/formats/tensor_file.hpp"
#include "numerics/tensors/case_file.hpp"
#include "numerics/views/case_views.hpp"
#include "reference/json/json.hpp"
#include "reference/numbers/decimal.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/threads.hpp"
#include "reports/command/command.hpp"
#include "reports/verdict/verdict.hpp"
#include "reports/words/file.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/program_manual.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

/// A tensor whose every element was judged.
struct CertifiedTensor {
  TensorPart tensor;
  std::string place;   ///< as in a case, relative to the certificate
  std::string digest;  ///< SHA-256 of its file
  AuditReport report;
};

/// That a case's tables keep their contracts, or where they break them, in claims that a program without
/// Vernier can check (certificates/vernier-check-certificate): it computes the truth and the budgets anew.
struct Certificate {
  OrderedJson spec;  ///< only the keys that the elements of these tensors depend on
  std::int64_t first_position = 0;
  std::int64_t last_position = 0;
  std::vector<CertifiedTensor> tensors;

  /// The status of what is claimed.
  Status accuracy() const {
    return status_of(sum_of(tensors, [](const auto& one) { return one.report.failing; }),
                     sum_of(tensors, [](const auto& one) { return one.report.inconclusive; }));
  }
};

/// Where the tensors of a case are, by role.
using TensorPlaces = std::map<std::string, std::filesystem::path, std::less<>>;

/// Enough to tell an error of float64 to a part in 10^13.
constexpr int significant_digits = 30;

void require_supported(bool is_supported, const std::string& source, std::string_view found,
                       std::string_view expected) {
  refuse_if(!is_supported, "{}: found {}, expected {}, because the checker supports only these", source,
            found, expected);
}

/// \throws InputError for what the checker does not know of a tensor
void require_known_tensor(const TensorPart& tensor, const std::string& encoding, const std::string& source) {
  const auto& table = *tensor.sines;
  require_supported(table.positions.is_plain(), source, encoding,
                    "integer positions that are turned by as they are");
  const auto* scaled = table.frequencies.scaled();
  const auto* linear = scaled == nullptr ? nullptr : std::get_if<LinearScaling>(&scaled->scaling);
  require_supported(table.frequencies.geometric() != nullptr || (linear != nullptr && linear->factor != 1),
                    source, encoding, "frequencies base^(-2i/d), or divided by a factor above 1");
  require_supported(!traits(tensor.format()).is_storage_only(), source,
                    fmt::format("{} as {}", tensor.role, traits(tensor.type).name),
                    "float64, float32, float16 or bfloat16");
  constexpr std::array known{"float64", "float32", "float16", "bfloat16", "correctly-rounded", "faithful"};
  require_supported(std::ranges::find(known, tensor.contract->id) != known.end(), source,
                    fmt::format("the contract {}", tensor.contract->id),
                    "float64, float32, float16, bfloat16, correctly-rounded or faithful");
}

/// \throws InputError for what the checker does not know
void require_known(const Case& subject, std::span<const TensorPart> tables, const TensorPlaces& places,
                   const std::string& source) {
  const auto scheme = subject.encoding->scheme();
  const auto encoding = subject.encoding->summary();
  require_supported(scheme == "sinusoidal" || scheme == "rope", source, encoding,
                    "the scheme sinusoidal or rope");
  require_supported(!places.contains("positions"), source, "a tensor of positions",
                    "rows at consecutive positions, from the spec's first on");
  require_supported(!tables.empty() && places.size() <= tables.size(), source, "tensors that are not tables",
                    "tables of sines and cosines only");
  for (const auto& [role, place] : places) {
    require_supported(!file_of_place(place.string()).ends_with(".npz"), source,
                      fmt::format("an .npz file for {}", role), "a .npy or .safetensors file");
  }
  require_supported(subject.leading.empty(), source, "tensors with leading dimensions",
                    "tables [rows, columns]");
  for (const auto& tensor : tables) {
    require_known_tensor(tensor, encoding, source);
  }
}

/// The spec without the keys on which no element of the tensors depends: each that stays is a claim.
/// \throws InputError for one with other keys
OrderedJson bearing_spec(const Case& subject, std::span<const TensorPart> tables, const std::string& source) {
  auto spec = subject.encoding->spec();
  require_supported(!spec.contains("downscale_freq_shift") && spec.value("d_model", std::int64_t{0}) % 2 == 0,
                    source, subject.encoding->summary(), "an even d_model without downscale_freq_shift");
  for (const auto* key : {"direction", "operation", "max_position_embeddings", "sequence_length",
                          "partial_rotary_factor", "rotary_dim", "rotary_offset"}) {
    spec.erase(key);
  }
  if (spec.contains("head_dim")) {
    // The dimensions that do not rotate have no columns.
    spec["head_dim"] = 2 * tables.front().sines->frequencies.pairs();
  }
  if (tables.front().sines->frequencies.geometric() != nullptr) {
    spec.erase("rope_scaling");  // says how tokens have several positions, which these rows do not
  } else {
    require_supported(spec["rope_scaling"].size() <= 2, source, subject.encoding->summary(),
                      "linear scaling by a factor alone");
  }
  const bool has_wide = std::ranges::any_of(tables, [](const TensorPart& tensor) {
    return tensor.columns > static_cast<std::size_t>(tensor.sines->frequencies.pairs());
  });
  if (!has_wide) {
    spec.erase("layout");
  }
  if (spec["scheme"] == "sinusoidal") {
    const auto& zero = tables.front().sines->zero_position;
    if (!zero || std::ranges::find(subject.positions, *zero) == subject.positions.end()) {
      spec.erase("padding_idx");
    }
    spec.erase("odd_width");
  }
  return spec;
}

/// That what the spec says in decimals is what was judged.
void require_same(std::span<const TensorPart> stored, const OrderedJson& spec, const std::string& source) {
  const auto encoding = parse_spec(spec.dump(), source, "spec");
  for (const auto& tensor : stored) {
    const auto tables = encoding->plain_tables();
    const bool is_there = std::ranges::any_of(tables, [&](const TrigTable& table) {
      return table.role == tensor.role && table.columns.size() == tensor.columns &&
             table.frequencies == tensor.sines->frequencies && table.amplitude == tensor.sines->amplitude;
    });
    require_supported(is_there, source, "a spec with numbers that decimals do not hold",
                      "decimals or integers");
  }
}

/// The place as it is seen from a folder. Folders are resolved, so that ".." leads where it should; a file
/// that is a link to another keeps its name, which says of what kind it is.
std::string seen_from(const std::filesystem::path& folder, const std::filesystem::path& place) {
  const auto full = std::filesystem::absolute(place);
  const auto resolved = std::filesystem::weakly_canonical(full.parent_path()) / full.filename();
  return resolved.lexically_relative(std::filesystem::weakly_canonical(folder)).generic_string();
}

std::string digest_of(const std::string& place) {
  const MappedFile file(file_of_place(place));
  const auto bytes = file.bytes();
  return sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// With 30 significant digits, or 30 decimal places if it is greater than 0.1 or zero. \param approximation
/// of it \param what to call it in errors
std::string decimal_text(const Real& number, double approximation, const std::string& what) {
  // So that a power of ten is not taken for less than it is.
  const double magnitude = std::fabs(approximation) * (1 + 0x1p-48);
  const int leading_zeros =
      magnitude == 0 ? 0 : std::max(0, -static_cast<int>(std::floor(std::log10(magnitude))) - 1);
  const auto text = correctly_rounded_decimal(number, significant_digits + leading_zeros);
  refuse_if(!text, "{}: found a number that no precision decides, expected one with {} digits", what,
            significant_digits);
  return *text;
}

OrderedJson element_json(const CertifiedTensor& certified, const std::optional<ElementReport>& element) {
  if (!element) {
    return nullptr;
  }
  const auto& [position, column, row] = element->place;
  const auto truth = decimal_text(certified.tensor.sines->entry(position, column),
                                  element->truth.approximately(), certified.place);
  return {{"row", row},       {"position", position},
          {"column", column}, {"stored", bits_text(certified.tensor.format(), element->got)},
          {"truth", truth},   {"budget", fmt::format("{:.5e}", element->budget.total())}};
}

/// Judges every element of the case. \param places of all its tensors \param source what to call the case in
/// errors \param folder of the certificate
/// \throws InputError, saying what can be certified, for tensors and specs that the checker does not know,
/// and for files that change meanwhile
Certificate certify(const Case& subject, const TensorPlaces& places, const std::string& source,
                    const std::filesystem::path& folder) {
  std::vector<TensorPart> tables;
  for (const auto& viewed : views_of(subject)) {
    std::ranges::copy_if(viewed.view.parts(), std::back_inserter(tables), &TensorPart::sines);
  }
  require_known(subject, tables, places, source);
  Certificate certificate{
      bearing_spec(subject, tables, source), subject.positions.front(), subject.positions.back(), {}};
  require_same(tables, certificate.spec, source);
  const auto threads = available_threads();
  for (const auto& tensor : tables) {
    const auto& place = places.find(tensor.role)->second;
    certificate.tensors.push_back(
        {tensor, seen_from(folder, place), digest_of(place.string()), *tensor.audit_fast(threads).audit});
  }
  require_unchanged_files();
  return certificate;
}

/// The document that the checker reads (certificate.schema.json).
OrderedJson certificate_json(const Certificate& certificate) {
  const auto& frequencies = certificate.tensors.front().tensor.sines->frequencies;
  auto frequency_texts = OrderedJson::array();
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    frequency_texts.push_back(decimal_text([&] { return frequencies.at(pair); },
                                           frequencies.approximate(pair), fmt::format("frequency {}", pair)));
  }
  OrderedJson document{
      {"vernier_certificate", 1},
      {"made_by", "vernier " + build_description()},
      {"spec", certificate.spec},
      {"frequencies", frequency_texts},
      {"positions", {{"first", certificate.first_position}, {"last", certificate.last_position}}},
      {"accuracy", to_string(certificate.accuracy())},
      {"tensors", OrderedJson::array()}};
  for (const auto& one : certificate.tensors) {
    document["tensors"].push_back({{"role", one.tensor.role},
                                   {"file", one.place},
                                   {"sha256", one.digest},
                                   {"type", traits(one.tensor.type).name},
                                   {"shape", {one.tensor.rows, one.tensor.columns}},
                                   {"contract", one.tensor.contract->id},
                                   {"beyond", one.report.failing},
                                   {"inconclusive", one.report.inconclusive},
                                   {"worst", element_json(one, one.report.worst)},
                                   {"first_beyond", element_json(one, one.report.first_failing)}});
  }
  return document;
}

struct CertifyArguments {
  ArgumentParser& command;
  const std::string& case_file = command.given<std::string>("CASE");
  const std::string& contract = command.given<std::string>("--contract");
  const std::string& output = command.given<std::string>("--output");
};

/// "cos: all 2048 elements are within the budget of the contract float32".
std::string line_of(const CertifiedTensor& one) {
  const auto elements = one.tensor.rows * one.tensor.columns;
  const auto& report = one.report;
  const auto finding =
      report.failing > 0 ? fmt::format("{} of {} elements are beyond", report.failing, elements)
      : report.inconclusive > 0
          ? fmt::format("{} of {} elements cannot be judged by", report.inconclusive, elements)
          : fmt::format("all {} elements are within", elements);
  const auto worst =
      report.worst ? fmt::format("; the worst, at position {}, column {}, {}", report.worst->place.position,
                                 report.worst->place.column, usage_text(report.worst->budget_ratio))
                   : std::string();
  return fmt::format("  {}: {} the budget of the contract {}{}\n", one.tensor.role, finding,
                     one.tensor.contract->id, worst);
}

std::vector<FileArgument> tensors_of(const CertifyArguments& arguments) {
  std::vector<FileArgument> files;
  for (const auto& [role, place] : tensor_places_of(arguments.case_file)) {
    files.push_back({arguments.case_file, file_of_place(place.string())});
  }
  return files;
}

int run_certify(const CertifyArguments& arguments, std::ostream& out) {
  const auto places = tensor_places_of(arguments.case_file);
  const auto subject = read_case(
      arguments.case_file, arguments.contract.empty() ? std::nullopt : std::optional(arguments.contract));
  const auto folder = std::filesystem::absolute(arguments.output).parent_path();
  const auto certificate = certify(subject, places, arguments.case_file, folder);
  write_file(arguments.output, document_text(certificate_json(certificate)), out);
  if (arguments.output != standard_output) {
    out << fmt::format("{}: positions {} to {}\n", one_line(arguments.output), certificate.first_position,
                       certificate.last_position);
    for (const auto& one : certificate.tensors) {
      out << line_of(one);
    }
    out << fmt::format("  check it: vernier-check-certificate {}\n", one_line(shell_word(arguments.output)));
  }
  return exit_code({.checks = {{"accuracy", certificate.accuracy()}}});
}

}  // namespace

Action declare_certify(ArgumentParser& command) {
  return declared(command, run_certify, tensors_of);
}

}  // namespace vernier
