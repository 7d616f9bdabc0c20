#include "numerics/processes/plugin_process.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cfenv>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "numerics/processes/child_process.hpp"
#include "numerics/processes/data_type.hpp"
#include "numerics/processes/third_party_text.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/tables/head_rotation.hpp"

namespace vernier {
namespace {

using plugin_protocol::Answer;
using plugin_protocol::CallOutcome;
using plugin_protocol::Function;
using plugin_protocol::LoadOutcome;
using plugin_protocol::LoadReport;
using plugin_protocol::Piece;
using plugin_protocol::TensorLayout;

std::string_view rounding_name(std::int32_t mode) {
  constexpr std::array<std::pair<std::int32_t, std::string_view>, 4> names{{{FE_TONEAREST, "to nearest"},
                                                                            {FE_UPWARD, "upward"},
                                                                            {FE_DOWNWARD, "downward"},
                                                                            {FE_TOWARDZERO, "toward zero"}}};
  const auto* const found = std::ranges::find(names, mode, &std::pair<std::int32_t, std::string_view>::first);
  return found == names.end() ? "unknown" : found->second;
}

/// What bits of a control register mean.
struct ControlBits {
  std::uint32_t mask;
  std::string_view words;
};

#if defined(__x86_64__)
constexpr std::string_view machine_register = "MXCSR";
/// Intel SDM, volume 1, section 10.2.3.
constexpr std::array<ControlBits, 3> control_bits{
    {{0x8000, "flush to zero, "}, {0x0040, "denormals are zero, "}, {0x1f80, "exception masks, "}}};
#else
constexpr std::string_view machine_register = "FPCR";
/// Arm Architecture Reference Manual, C5.2.8.
constexpr std::array<ControlBits, 3> control_bits{
    {{1u << 24, "flush to zero, "}, {1u << 25, "default NaN, "}, {0x1f00, "exception traps, "}}};
#endif

/// What differs, in words: "flush to zero (MXCSR 0x9f80, expected 0x1f80)"; nothing if nothing does.
std::optional<std::string> floating_point_evidence(const plugin_protocol::FloatingPointControl& before,
                                                   const plugin_protocol::FloatingPointControl& after) {
  if (before == after) {
    return std::nullopt;
  }
  std::string text;
  if (before.rounding != after.rounding) {
    text += fmt::format("rounding {}, ", rounding_name(after.rounding));
  }
  if (before.machine != after.machine) {
    for (const auto& [mask, words] : control_bits) {
      text += ((before.machine ^ after.machine) & mask) != 0 ? words : "";
    }
    text += fmt::format("{} {:#x} for {:#x}, ", machine_register, after.machine, before.machine);
  }
  if (before.x87 != after.x87) {
    text += fmt::format("x87 control and tag words {:#x} for {:#x}, ", after.x87, before.x87);
  }
  text.resize(text.size() - 2);
  return text;
}

/// The spec as a plug-in sees it: rotate() has no role, so it says where vectors are keys, or gradients.
std::string spec_for(std::string_view role, OrderedJson spec) {
  if (const auto* vectors = vector_role_named(role)) {
    if (vectors->is_of_keys) {
      spec["operand"] = "key";
    }
    if (vectors->is_gradient) {
      spec["pass"] = "backward";
    }
  }
  return spec.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

Function function_for(std::string_view role) {
  if (vector_role_named(role) != nullptr) {
    return Function::rotate;
  }
  if (role == "bias" || role == "slopes") {
    return Function::bias;
  }
  return role == "buckets" ? Function::buckets : Function::table;
}

std::string name_of(Function function) {
  constexpr std::array names{"table", "rotate", "bias", "buckets"};
  return names[static_cast<std::size_t>(function)];
}

TensorLayout layout(ElementType type, const Shape& shape, std::span<const std::int64_t> strides = {}) {
  TensorLayout made;
  refuse_if(shape.size() > made.shape.size(),
            "a tensor of shape {} cannot be passed to a plug-in, expected at most {} dimensions",
            to_string(shape), made.shape.size());
  made.type = data_type(type);
  made.dimensions = static_cast<std::uint32_t>(shape.size());
  std::ranges::transform(shape, made.shape.begin(),
                         [](std::size_t size) { return static_cast<std::int64_t>(size); });
  made.has_strides = strides.empty() ? 0 : 1;
  std::ranges::copy(strides, made.strides.begin());
  return made;
}

/// With the zero byte that ends it.
std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.c_str(), text.size() + 1));
}

std::string text_of(const plugin_protocol::Text& text) {
  return third_party_text({text.data(), strnlen(text.data(), text.size())});
}

Tensor output_of(const PluginMemory& memory, const WantedTensor& wanted, std::size_t bytes) {
  const auto owned = std::make_shared_for_overwrite<std::byte[]>(bytes);
  memory.read_output({owned.get(), bytes});
  return {wanted.type, wanted.shape, std::span<const std::byte>(owned.get(), bytes), owned};
}

/// What came of a further call belongs to the same answer.
void append(Response& response, Response further) {
  response.status = further.status;
  response.reason = std::move(further.reason);
  response.tensors.merge(further.tensors);
  std::ranges::move(further.side_effects, std::back_inserter(response.side_effects));
}

std::string thrown(const plugin_protocol::Text& text) {
  const auto what = text_of(text);
  return std::string("threw an exception across the C boundary") + (what.empty() ? "" : " ('" + what + "')");
}

/// What else may be under the name of a library is a mistake of who named it, and says nothing of any
/// plug-in.
std::filesystem::path existing(const std::filesystem::path& library) {
  const auto refuse_if = [&](bool condition, std::string_view found) {
    vernier::refuse_if(condition, "{}: {}, expected a shared library that exports vernier_plugin",
                       library.string(), found);
  };
  std::error_code error;
  const auto status = std::filesystem::status(library, error);
  refuse_if(!std::filesystem::exists(status),
            status.type() == std::filesystem::file_type::none ? "cannot be read" : "no such file");
  refuse_if(!std::filesystem::is_regular_file(status), "found a folder or device");
  constexpr std::string_view mark = "\177ELF";
  std::array<char, mark.size()> start{};
  std::ifstream stream(library, std::ios::binary);
  refuse_if(!stream || (!stream.read(start.data(), start.size()) && !stream.eof()), "cannot be read");
  refuse_if(std::string_view(start.data(), start.size()) != mark, "found a file of a different kind");
  // A name without a slash would be looked for along the loader's path.
  return std::filesystem::absolute(library);
}

}  // namespace

PluginProcess::PluginProcess(const std::filesystem::path& library, PluginOptions options)
    : library_(existing(library)), options_(std::move(options)) {
  if (options_.runner.empty()) {
    options_.runner = find_plugin_runner();
  }
  start();
}

std::string PluginProcess::description() const {
  constexpr std::size_t longest_path = 4096;
  const auto path = third_party_text(library_.string(), longest_path);
  return name_.empty() ? path : fmt::format("{} ({})", name_, path);
}

void PluginProcess::start() {
  runner_.emplace(options_.runner, library_, options_.memory);
  memory_.set_unknown();
  LoadReport report;
  const auto deadline = RunnerProcess::Clock::now() + options_.time_limit;
  const auto missing = missing_message(std::as_writable_bytes(std::span(&report, 1)), deadline,
                                       {"while it was loaded", "was not loaded",
                                        "said something else than the runner does while it was loaded"});
  loading_ = missing ? *missing : load_outcome(report);
}

std::optional<Response> PluginProcess::missing_message(std::span<std::byte> message,
                                                       RunnerProcess::Clock::time_point deadline,
                                                       const Clauses& clauses) {
  switch (runner_->receive(message, deadline, options_.pause)) {
    case RunnerProcess::Reception::received:
      break;
    case RunnerProcess::Reception::ended:
      return died(clauses.when);
    case RunnerProcess::Reception::timed_out:
      return abandoned(ResponseStatus::timed_out,
                       fmt::format("{} within {}", clauses.was_late, to_string(options_.time_limit)));
    case RunnerProcess::Reception::malformed:
      return abandoned(ResponseStatus::malformed, clauses.said_else);
  }
  return std::nullopt;
}

Response PluginProcess::load_outcome(const LoadReport& report) {
  refuse_if(report.protocol != plugin_protocol::version,
            "{}: the plug-in runner has a different Vernier version", options_.runner.string());
  switch (report.outcome) {
    case LoadOutcome::loaded:
      break;
    case LoadOutcome::unconfined:
      throw InputError(
          "{}: not loaded, as the kernel refuses to confine the process that would load it (seccomp)",
          library_.string());
    case LoadOutcome::no_library:
      return abandoned(ResponseStatus::malformed, fmt::format("cannot be loaded ({})", text_of(report.text)));
    case LoadOutcome::no_entry:
      return abandoned(ResponseStatus::malformed, "exports no function vernier_plugin");
    case LoadOutcome::no_table:
      return abandoned(ResponseStatus::malformed, "returned null from vernier_plugin");
    case LoadOutcome::another_abi:
      return abandoned(ResponseStatus::malformed, fmt::format("is of ABI version {}, expected {}",
                                                              report.number, VERNIER_PLUGIN_ABI_VERSION));
    case LoadOutcome::short_table:
      return abandoned(ResponseStatus::malformed,
                       fmt::format("has a table of functions of {} bytes, expected {}", report.number,
                                   sizeof(VernierPlugin)));
    case LoadOutcome::threw:
      return abandoned(ResponseStatus::crashed, thrown(report.text) + " while it was loaded");
    default:
      return abandoned(ResponseStatus::malformed, "changed what the runner says of its loading");
  }
  const auto version = text_of(report.implementation_version);
  name_ = text_of(report.name) + (version.empty() ? "" : " " + version);
  takes_ = options_.takes | takes_of_capabilities(report.capabilities);
  Response loaded;
  if (const auto evidence = floating_point_evidence(report.before, report.after)) {
    loaded.side_effects.push_back({SideEffectKind::set_floating_point_environment_when_loaded, *evidence});
  }
  return loaded;
}

Response PluginProcess::ask(const Request& request) {
  assert(!request.wanted.empty());
  assert(request.padding == 0 || takes_.strides);
  if (loading_.status == ResponseStatus::answered && !runner_) {
    start();
  }
  if (loading_.status != ResponseStatus::answered) {
    return loading_;
  }
  memory_.place(Piece::positions, request.positions.bytes());
  if (request.input) {
    const PaddedRows rows(request.input->type(), request.input->shape(), request.padding);
    memory_.place_input(request.input->bytes(), rows, poison_for(sequence_));
  } else {
    memory_.place(Piece::input, {});
  }
  Response response;
  response.side_effects = loading_.side_effects;
  for (const auto& wanted : request.wanted) {
    append(response, ask_for(wanted, request));
    if (response.status != ResponseStatus::answered) {
      response.tensors.clear();
      break;
    }
  }
  return response;
}

Response PluginProcess::ask_for(const WantedTensor& wanted, const Request& request) {
  const auto* vectors = vector_role_named(wanted.role);
  if (vectors != nullptr && vectors->is_gradient && !takes_.gradients) {
    // Its rotate() may know no other pass.
    return {ResponseStatus::unsupported, "it does not have VERNIER_ROTATES_GRADIENTS"};
  }
  const PaddedRows rows(wanted.type, wanted.shape, request.padding);
  plugin_protocol::Question question;
  question.function = function_for(wanted.role);
  question.positions = layout(request.positions.type(), request.positions.shape());
  question.output = layout(wanted.type, wanted.shape, rows.strides());
  if (request.input) {
    const PaddedRows of_input(request.input->type(), request.input->shape(), request.padding);
    question.input = layout(request.input->type(), request.input->shape(), of_input.strides());
  }
  const auto spec = spec_for(wanted.role, request.spec);
  memory_.place(Piece::spec, bytes_of(spec));
  memory_.place(Piece::role, bytes_of(wanted.role));
  const auto poison = poison_for(sequence_);
  const bool in_place = takes_.in_place && question.function == Function::rotate && request.input;
  if (in_place && request.input->type() != wanted.type) {
    return {ResponseStatus::unsupported,
            fmt::format("it rotates in place, and {} is not a type of vectors", traits(wanted.type).name)};
  }
  if (in_place) {
    assert(request.input->shape() == wanted.shape);
    question.in_place = 1;
    memory_.place_in_place(request.input->bytes(), rows, poison);
  } else {
    memory_.place_output(rows, poison);
  }
  Response response = call(question, wanted.role);
  if (response.status != ResponseStatus::answered) {
    return response;
  }
  response.tensors.emplace(wanted.role, output_of(memory_, wanted, rows.dense_bytes()));
  // What an engine that works in place leaves unwritten holds the input: it is judged as the answer.
  if (!in_place) {
    tell_unwritten(question, wanted, rows, poison, response);
  }
  return response;
}

void PluginProcess::tell_unwritten(plugin_protocol::Question& question, const WantedTensor& wanted,
                                   const PaddedRows& rows, std::byte poison, Response& response) {
  const auto width = traits(wanted.type).bytes;
  const auto suspects = poisoned_elements(response.tensors.at(wanted.role).bytes(), width, poison);
  if (suspects.empty()) {
    return;
  }
  // A written element may have the poison's bits by chance, but not those of two poisons.
  const auto other_poison = poison_for(sequence_);
  memory_.place_output(rows, other_poison);
  append(response, call(question, wanted.role));
  if (response.status != ResponseStatus::answered) {
    return;
  }
  const auto again = output_of(memory_, wanted, rows.dense_bytes());
  std::vector<std::size_t> unwritten;
  std::ranges::set_intersection(suspects, poisoned_elements(again.bytes(), width, other_poison),
                                std::back_inserter(unwritten));
  if (!unwritten.empty()) {
    response.side_effects.push_back(
        {SideEffectKind::left_output_unwritten,
         fmt::format("{} of the {} elements of {}, the first at index {}", unwritten.size(), again.elements(),
                     wanted.role, unwritten.front())});
  }
}

Response PluginProcess::call(plugin_protocol::Question& question, const std::string& role) {
  question.sequence = ++sequence_;
  const auto descriptors = memory_.describe(question);
  const auto deadline = RunnerProcess::Clock::now() + options_.time_limit;
  if (!runner_->send(std::as_bytes(std::span(&question, 1)), descriptors)) {
    return died("after its last answer");
  }
  memory_.set_known();
  Answer answer;
  auto missing = missing_message(std::as_writable_bytes(std::span(&answer, 1)), deadline,
                                 {"while it computed " + role, "did not compute " + role,
                                  "wrote to the descriptor over which it is asked"});
  Response response = missing ? *std::move(missing)
                      : answer.sequence == question.sequence
                          ? call_outcome(answer, role)
                          : abandoned(ResponseStatus::malformed, "answered a question that was not asked");
  std::ranges::move(memory_.take_effects(role), std::back_inserter(response.side_effects));
  return response;
}

Response PluginProcess::call_outcome(const Answer& answer, const std::string& role) {
  Response response;
  switch (answer.outcome) {
    case CallOutcome::returned:
    case CallOutcome::supports_returned:
      break;
    case CallOutcome::no_function:
      return {ResponseStatus::unsupported, "has no function " + name_of(function_for(role))};
    case CallOutcome::threw:
      return abandoned(ResponseStatus::crashed,
                       fmt::format("{} while it computed {}", thrown(answer.text), role));
    case CallOutcome::memory_not_available:
      return abandoned(ResponseStatus::crashed, "left no address space for its tensors");
    default:
      return abandoned(ResponseStatus::malformed, "changed what the runner says of its answers");
  }
  const bool asked_only = answer.outcome == CallOutcome::supports_returned;
  const auto function = asked_only ? std::string("supports") : name_of(function_for(role));
  if (answer.code == VERNIER_UNSUPPORTED) {
    response.status = ResponseStatus::unsupported;
    response.reason =
        fmt::format("{} says that it does not do {} of this type for this spec", function, role);
  } else if (answer.code == VERNIER_REJECTED && !asked_only) {
    response.status = ResponseStatus::rejected;
    response.reason = function + " refused these positions or this input";
  } else if (answer.code != VERNIER_OK || asked_only) {
    response.status = ResponseStatus::malformed;
    response.reason =
        fmt::format("{} returned {}, {}", function, answer.code,
                    asked_only ? "expected 0 (VERNIER_OK) or 1 (VERNIER_UNSUPPORTED)"
                               : "expected 0 (VERNIER_OK), 1 (VERNIER_UNSUPPORTED) or 2 (VERNIER_REJECTED)");
  }
  if (const auto evidence = floating_point_evidence(answer.before, answer.after)) {
    response.side_effects.push_back(
        {SideEffectKind::changed_floating_point_environment, role + ": " + *evidence});
  }
  return response;
}

Response PluginProcess::abandoned(ResponseStatus status, std::string reason) {
  runner_.reset();
  return {status, std::move(reason)};
}

}  // namespace vernier
