#include "reports/verdict/validate.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include <fmt/core.h>

#include "numerics/formats/tensor_file.hpp"
#include "numerics/processes/exchange.hpp"
#include "numerics/tensors/case_file.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/file_kind.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/command/validate_options.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/text/colours.hpp"
#include "reports/outputs/told.hpp"
#include "reports/verdict/diagnosis_text.hpp"
#include "reports/verdict/live/recorded_calls.hpp"
#include "reports/verdict/live/validate_live.hpp"
#include "reports/words/file.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/program_end.hpp"
#include "reports/words/program_manual.hpp"
#include "reports/words/progress.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

using NamedFiles = std::map<std::string_view, std::string>;

void add_tensor_options(ArgumentParser& command, NamedFiles& tensors) {
  for (const auto role : tensor_roles()) {
    const auto option = "--" + option_name(role);
    command.add(option, tensors[role], role == "positions" ? option : "--<tensor>");
  }
}

void add_outputs(ArgumentParser& command, NamedFiles& files) {
  for (const auto& output : outputs()) {
    command.add("--" + std::string(output.name), files[output.name]);
  }
}

/// What the command line said.
struct ValidateArguments {
  ArgumentParser& command;
  const std::string& case_file = command.given<std::string>("CASE");
  const SpecOption& spec = command.given(add_spec_option);
  const NamedFiles& tensors = command.given(add_tensor_options);  ///< by role
  const Words& dtypes = command.given<Words>("--dtype");          ///< "role=type"
  const std::string& contract = command.given<std::string>("--contract");
  const std::string& quantization = command.given<std::string>("--quantization");
  const std::string& name = command.given<std::string>("--name");
  const LiveOption live{command};
  const WaiversOption waivers{command};
  const bool& quiet = command.given<bool>("--quiet");
  const bool& verbose = command.given<bool>("--verbose");
  const bool& explain_search = command.given<bool>("--explain-search");
  const bool& patch = command.given<bool>("--patch");
  const NamedFiles& outputs = command.given(add_outputs);  ///< by the output's name

  std::optional<std::string> wanted_contract() const {
    return contract.empty() ? std::nullopt : std::optional(contract);
  }
};

/// The command without its outputs.
std::string reproduce(const ValidateArguments& arguments) {
  std::string command = "vernier validate";
  const auto add = [&](std::string_view option, const std::string& value) {
    if (!value.empty()) {
      command += fmt::format("{} {}", option.empty() ? "" : " --" + std::string(option), shell_word(value));
    }
  };
  add("", arguments.case_file);
  add("spec", arguments.spec.file);
  add("model", arguments.spec.model);
  add("layer", arguments.spec.layer);
  add("sequence-length",
      arguments.spec.sequence_length == 0 ? "" : std::to_string(arguments.spec.sequence_length));
  for (const auto& [role, file] : arguments.tensors) {
    add(option_name(role), file);
  }
  for (const auto& [option, value] : arguments.live.words()) {
    add(option, value);
  }
  command += arguments.live.quick ? " --quick" : "";
  command += arguments.live.thorough ? " --thorough" : "";
  command += arguments.live.bitwise ? " --bitwise" : "";
  command += arguments.live.all ? " --all" : "";
  for (const auto& dtype : arguments.dtypes) {
    add("dtype", dtype);
  }
  add("contract", arguments.contract);
  add("quantization", arguments.quantization);
  add("name", arguments.name);
  add("waivers", arguments.waivers.file);
  add("date", arguments.waivers.date);
  return command;
}

Case read_from_spec(const ValidateArguments& arguments) {
  CaseSources sources;
  sources.source = arguments.spec.source();
  sources.name = arguments.spec.name();
  for (const auto& [role, file] : arguments.tensors) {
    if (!file.empty()) {
      sources.files.emplace(role, file);
    }
  }
  for (const auto& dtype : arguments.dtypes) {
    const auto equals = dtype.find('=');
    refuse_if(equals == std::string::npos, "--dtype: found \"{}\", expected ROLE=TYPE, such as cos=bfloat16",
              dtype);
    sources.dtypes.emplace(dtype.substr(0, equals), dtype.substr(equals + 1));
  }
  sources.contract = arguments.wanted_contract();
  sources.quantization = read_quantization_option(arguments.quantization);
  auto encoding = read_encoding("validate", arguments.spec);
  if (sources.files.empty()) {
    refuse_no_tensors(arguments.spec, *encoding);
  }
  return assemble_case(sources, std::move(encoding));
}

/// The one type of all tensors that are asked for. \return empty for the default
std::string asked_type(const ValidateArguments& arguments) {
  refuse_if(arguments.dtypes.size() > 1,
            "--dtype: found several, expected one TYPE for an implementation that is asked");
  return arguments.dtypes.empty() ? std::string() : arguments.dtypes.front();
}

LiveOptions live_options(const ValidateArguments& arguments) {
  return {.name = arguments.spec.given() ? arguments.spec.name() : arguments.live.response,
          .source = arguments.spec.given() ? arguments.spec.source() : arguments.live.request,
          .contract = arguments.wanted_contract(),
          .cases = arguments.live.cases,
          .bitwise = arguments.live.bitwise,
          .all = arguments.live.all,
          .reproduce = reproduce(arguments),
          .pause = stop_if_interrupted,
          .details = {.arithmetic = arguments.verbose}};
}

/// As LiveOptions::on_failure. \param progress gives way to what is shown
using FailureListener = std::function<bool(const Verdict& so_far, Progress& progress)>;

Verdict judge_implementation(const ValidateArguments& arguments, const FailureListener& on_failure) {
  auto encoding = read_encoding("validate", arguments.spec);
  auto options = live_options(arguments);
  const auto& live = arguments.live;
  const auto& positions = arguments.tensors.at("positions");
  refuse_if(!live.replay.empty() && !positions.empty(),
            "validate: found --positions beside --replay, expected the recorded positions alone");
  options.questions = with_asked({.seed = live.seed, .quick = live.quick, .thorough = live.thorough},
                                 positions, asked_type(arguments));
  options.questions.quantization = read_quantization_option(arguments.quantization);
  Progress progress(progress_place(arguments.quiet));
  options.progress = progress.listener();
  options.on_failure = [&](const Verdict& so_far) { return on_failure(so_far, progress); };
  options.pause = [&] {
    progress.advance(0);
    stop_if_interrupted();
  };
  const auto implementation =
      make_implementation(live.programs.given().front(), options.pause, live.takes, live.time_limit);
  if (!live.replay.empty()) {
    const auto calls =
        read_recorded_calls(live.replay, *encoding, options.questions.type, options.questions.seed);
    const auto asked = asked_again(*implementation, calls, options.pause);
    return validate_answers(asked, std::move(encoding), options, implementation->description());
  }
  return validate_live(*implementation, std::move(encoding), options);
}

/// The encoding that a request asks about. \throws InputError if --spec says something else
std::unique_ptr<Encoding> requested_encoding(const Request& request, const ValidateArguments& arguments) {
  const auto source = arguments.live.request + ": __metadata__.spec";
  auto encoding = parse_spec(request.spec.dump(), source);
  refuse_if(arguments.spec.given() && read_encoding("validate", arguments.spec)->spec() != encoding->spec(),
            "{}: found an encoding that differs from {}, expected the requested one", arguments.spec.source(),
            arguments.live.request);
  return encoding;
}

/// The answer for one tensor. \param shapes that it may have, that of the request first \param producer
/// receives who wrote the file
Asked answer_in_file(const std::filesystem::path& file, const Request& request,
                     const std::vector<WantedTensor>& shapes, std::uintmax_t most, std::string& producer) {
  std::optional<Asked> first;
  for (const auto& wanted : shapes) {
    auto part = request;
    part.wanted = {wanted};
    auto read = read_response(file, part, ResponseStatus::unsupported, most);
    producer = read.implementation.empty() ? producer : read.implementation;
    Asked asked{wanted.role, std::move(part), std::move(read.response)};
    if (asked.answered()) {
      return asked;
    }
    first = first ? std::move(first) : std::optional(std::move(asked));
  }
  return *std::move(first);
}

Verdict judge_response(const ValidateArguments& arguments) {
  refuse_if(!arguments.dtypes.empty(),
            "validate: found --dtype beside --response, expected the request to say it");
  refuse_if(arguments.spec.sequence_length != 0,
            "validate: found --sequence-length beside --response, expected the request to say it");
  const auto request = read_request(arguments.live.request);
  auto encoding = requested_encoding(request, arguments);
  std::error_code error;
  const auto file = std::filesystem::canonical(arguments.live.response, error);
  refuse_if(error.value() != 0, "{}: cannot be read ({})", arguments.live.response, error.message());
  std::vector<Asked> asked;
  std::string producer;
  std::uintmax_t most = 0;
  for (const auto& wanted : request.wanted) {
    for (const auto& shape : in_known_widths(*encoding, wanted)) {
      most += size_in_bytes(shape.type, shape.shape).value_or(0);
    }
  }
  for (const auto& wanted : request.wanted) {
    asked.push_back(answer_in_file(file, request, in_known_widths(*encoding, wanted), most, producer));
    asked.back().coverage = coverage_of(*encoding, request).value_or(PositionCoverage{});
  }
  return validate_answers(asked, std::move(encoding), live_options(arguments), producer);
}

/// Whether tensors are given: where an implementation is asked --positions is a range.
bool has_tensors(const ValidateArguments& arguments) {
  return std::ranges::any_of(arguments.tensors, [&](const auto& entry) {
    const bool is_range = arguments.live.is_asked() && entry.first == "positions";
    return !entry.second.empty() && !is_range;
  });
}

Case read_subject(const ValidateArguments& arguments) {
  refuse_if(arguments.case_file.empty() != arguments.spec.given(),
            "validate: found {}, expected either a case file or --spec or --model with tensors (see vernier "
            "validate --help)",
            arguments.case_file.empty() ? "neither" : "both");
  if (arguments.case_file.empty()) {
    return read_from_spec(arguments);
  }
  refuse_if(!arguments.spec.layer.empty(),
            "validate: found --layer beside a case file, expected it beside --spec or --model");
  refuse_if(arguments.spec.sequence_length != 0,
            "validate: found --sequence-length beside a case file, expected it beside --spec or --model");
  refuse_if(!arguments.quantization.empty(),
            "validate: found --quantization beside a case file, expected the case file to say it");
  refuse_if(has_tensors(arguments) || !arguments.dtypes.empty(),
            "validate: found tensors beside a case file, expected the case file to name them");
  return read_case(arguments.case_file, arguments.wanted_contract());
}

/// The short text alone does not tell what errors stem from.
bool tells_error_splits(const ValidateArguments& arguments) {
  return arguments.verbose ||
         std::ranges::any_of(arguments.outputs, [](const auto& entry) { return !entry.second.empty(); });
}

Verdict judge(const ValidateArguments& arguments, const FailureListener& on_failure) {
  require_one_way(arguments.live);
  if (!arguments.live.given()) {
    return validate(read_subject(arguments), reproduce(arguments),
                    {.error_splits = tells_error_splits(arguments), .arithmetic = arguments.verbose});
  }
  refuse_if(!arguments.case_file.empty() || has_tensors(arguments),
            "validate: found tensors beside an implementation to ask, expected one of the two");
  const NotedInterrupts noted;
  return arguments.live.is_asked() ? judge_implementation(arguments, on_failure) : judge_response(arguments);
}

/// The file that says what is judged: a case, a spec, a request, or the first tensor where the spec is a
/// model's.
std::string source_file(const ValidateArguments& arguments) {
  if (!arguments.case_file.empty() || !arguments.spec.file.empty()) {
    return arguments.case_file.empty() ? arguments.spec.file : arguments.case_file;
  }
  if (!arguments.live.request.empty()) {
    return arguments.live.request;
  }
  const auto given =
      std::ranges::find_if(arguments.tensors, [](const auto& entry) { return !entry.second.empty(); });
  return given == arguments.tensors.end() ? std::string() : given->second;
}

/// The tensors that are read.
std::vector<FileArgument> tensors_of(const ValidateArguments& arguments) {
  std::vector<FileArgument> files;
  for (const auto& [role, place] : arguments.tensors) {
    files.push_back({"--" + option_name(role), file_of_place(place)});
  }
  if (!arguments.case_file.empty()) {
    require_case_file(arguments.case_file);
    for (const auto& [role, place] : tensor_places_of(arguments.case_file)) {
      files.push_back({arguments.case_file, file_of_place(place.string())});
    }
  }
  return files;
}

/// Whether something other than the text goes to standard output. \throws InputError if two things do
bool takes_standard_output(const ValidateArguments& arguments) {
  const auto outputs = std::ranges::count(
      arguments.outputs, standard_output, [](const auto& entry) -> const auto& { return entry.second; });
  refuse_if(outputs > 0 && arguments.patch,
            "validate: found --patch beside an output to '-', expected one of the two");
  return outputs > 0 || arguments.patch;
}

/// The spec that the tensors agree with to standard output, and why there is none or not all is told to
/// standard error.
void write_patched_spec(const Verdict& verdict, std::ostream& out) {
  const auto [spec, remark] = corrected_spec(verdict);
  if (!remark.empty()) {
    std::cerr << fmt::format("vernier: {}\n", one_line(remark));
  }
  if (!spec.is_null()) {
    write_file(std::string(standard_output), spec.dump(2) + "\n", out);
  }
}

/// What a terminal shows. \param is_told whether the first line was shown before
std::string shown_text(const ValidateArguments& arguments, const Verdict& verdict, bool is_told) {
  if (is_told) {
    return render_after_failure(verdict, arguments.verbose);
  }
  if (arguments.quiet) {
    return first_line(visible(verdict)) + "\n";
  }
  auto text = arguments.verbose ? render_full_text(verdict) : render_text(verdict);
  for (const auto& diagnosis : arguments.explain_search ? verdict.diagnosis : std::vector<Diagnosis>()) {
    text += search_text(diagnosis);
  }
  return text;
}

int run_validate(const ValidateArguments& arguments, std::ostream& out) {
  refuse_if(arguments.quiet && arguments.verbose,
            "validate: found --quiet beside --verbose, expected one of the two");
  const bool shows_text = !takes_standard_output(arguments);
  const auto [waivers, today] = read_waivers_option(arguments.waivers);
  const bool is_coloured = &out == &std::cout && has_colours_on_standard_output();
  const auto in_colours = [&](const std::string& text, const Verdict& verdict) {
    return is_coloured ? coloured(text, verdict) : text;
  };
  const auto complete = [&](Verdict verdict) {
    verdict.source = source_file(arguments);
    verdict.name = arguments.name.empty() ? verdict.name : arguments.name;
    apply_waivers(verdict, waivers, today);
    return verdict;
  };
  bool is_told = false;
  const auto verdict = complete(judge(arguments, [&](const Verdict& so_far, Progress& progress) {
    const auto failure = complete(so_far);
    const bool counts = outcome(failure) == Conclusion::does_not_conform;
    if (counts && shows_text && !arguments.quiet) {
      progress.say(out, in_colours(render_failure(failure), failure));
      is_told = true;
    }
    return counts;
  }));
  write_waivers_option(arguments.waivers, verdict, today, std::cerr);
  for (const auto& output : outputs()) {
    if (const auto& file = arguments.outputs.at(output.name); !file.empty()) {
      write_file(file, text_for_file(output, verdict, file, arguments.verbose), out);
    }
  }
  if (shows_text) {
    write_file(std::string(standard_output), in_colours(shown_text(arguments, verdict, is_told), verdict),
               out);
  }
  if (arguments.patch) {
    write_patched_spec(verdict, out);
  }
  return exit_code(verdict);
}

}  // namespace

Action declare_validate(ArgumentParser& command) {
  return declared(command, run_validate, tensors_of);
}

}  // namespace vernier
