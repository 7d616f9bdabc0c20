#include <filesystem>
#include <optional>

#include <fmt/core.h>

#include "numerics/formats/tensor_file.hpp"
#include "numerics/tensors/case_file.hpp"
#include "reports/command/command.hpp"
#include "reports/exchange/certificates/certificate.hpp"
#include "reports/words/file.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/program_manual.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

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

int exit_code_of(Status accuracy) {
  return accuracy == Status::pass ? 0 : accuracy == Status::fail ? 1 : 4;
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
  return exit_code_of(certificate.accuracy());
}

}  // namespace

Action declare_certify(ArgumentParser& command) {
  return declared(command, run_certify, tensors_of);
}

}  // namespace vernier
