#include "reports/bindings/library/live_call.hpp"

#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "numerics/asking/stand_in.hpp"
#include "numerics/processes/data_type.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/processes/third_party_text.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/bindings/library/call_options.hpp"
#include "reports/command/common_options.hpp"
#include "reports/verdict/live/validate_live.hpp"
#include "reports/verdict/waivers.hpp"
#include "reports/words/positions.hpp"

namespace vernier {
namespace {

/// A tensor that C code is told of. It gets a copy of the elements, which it may spoil.
class Lent {
 public:
  Lent(ElementType type, const Shape& shape, std::span<const std::byte> bytes = {})
      : shape_(shape.begin(), shape.end()), bytes_(bytes.begin(), bytes.end()) {
    tensor_ = {bytes_.empty() ? nullptr : bytes_.data(),
               {VERNIER_CPU, 0},
               static_cast<std::int32_t>(shape_.size()),
               data_type(type),
               shape_.data(),
               nullptr,
               0};
  }
  explicit Lent(const Tensor& tensor) : Lent(tensor.type(), tensor.shape(), tensor.bytes()) {}
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  const VernierTensor* get() const { return &tensor_; }

 private:
  std::vector<std::int64_t> shape_;
  std::vector<std::byte> bytes_;
  VernierTensor tensor_ = {};
};

/// The caller's floating-point environment for as long as this lives.
class InEnvironment {
 public:
  explicit InEnvironment(const std::fenv_t& environment) {
    std::fegetenv(&ours_);
    std::fesetenv(&environment);
  }
  InEnvironment(const InEnvironment&) = delete;
  InEnvironment& operator=(const InEnvironment&) = delete;
  ~InEnvironment() { std::fesetenv(&ours_); }

 private:
  std::fenv_t ours_ = {};
};

Response answered(const Request& request, VernierAnswer answer) {
  Response response;
  for (const auto& wanted : request.wanted) {
    const auto found = answer.tensors.find(wanted.role);
    const auto misfit = found == answer.tensors.end() ? std::string("has no tensor named ") + wanted.role
                                                      : misfit_of(found->second, wanted).value_or("");
    if (!misfit.empty()) {
      return {ResponseStatus::malformed, std::string("the response ") + misfit};
    }
    response.tensors.insert(answer.tensors.extract(found));
  }
  return response;
}

std::vector<std::string> read_roles(CallOptions& options) {
  std::vector<std::string> roles;
  const auto* value = options.any("roles");
  if (value == nullptr) {
    return roles;
  }
  const auto* list = std::get_if<JsonValue::Array>(&value->value());
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const auto* role = std::get_if<std::string>(&(*list)[i].value())) {
      roles.push_back(*role);
    }
  }
  if (list == nullptr || roles.size() != list->size()) {
    throw InputError("options: roles: found {}, expected an array of texts", value->found());
  }
  return roles;
}

QuestionOptions read_questions(CallOptions& options) {
  QuestionOptions result{.roles = read_roles(options),
                         .quick = options.flag("quick", false),
                         .thorough = options.flag("thorough", false)};
  refuse_if(result.quick && result.thorough,
            "options: found \"quick\" beside \"thorough\", expected one of the two");
  result.seed =
      static_cast<std::uint64_t>(options.integer("seed", 0, std::numeric_limits<std::int64_t>::max())
                                     .value_or(static_cast<std::int64_t>(fresh_seed())));
  if (const auto type = options.text("dtype")) {
    result.type = read_dtype(*type, Integers::none, "dtype");
  }
  if (auto quantization = options.object("quantization")) {
    result.quantization = read_quantization(*std::move(quantization));
  }
  if (const auto positions = options.text("positions")) {
    result.positions = parse_positions(*positions, "positions");
  }
  return result;
}

Takes read_takes(CallOptions& options) {
  const auto takes = parse_takes(options.text("takes").value_or(""), "takes");
  refuse_if(takes.one_length,
            "takes: found one-length, expected what one process answers: --serve starts one for each length");
  return takes;
}

int read_cases(CallOptions& options) {
  constexpr std::int64_t most = 1'000'000;
  return static_cast<int>(options.integer("cases", 1, most).value_or(LiveOptions{}.cases));
}

CalledImplementation implementation_of(const LiveCall& call, CallOptions& options) {
  refuse_if(call.function == nullptr, "implementation: found a null pointer, expected a function");
  return {call.function, call.user, call.environment,
          options.text("implementation").value_or("a function of the caller"), read_takes(options)};
}

}  // namespace

CalledImplementation::CalledImplementation(VernierImplementation function, void* user,
                                           const std::fenv_t& environment, const std::string& name,
                                           Takes takes)
    : function_(function),
      user_(user),
      environment_(environment),
      name_(third_party_text(name)),
      takes_(takes) {}

std::int32_t CalledImplementation::call(const Request& request, VernierAnswer* answer) const {
  const auto spec = request.spec.dump();
  const Lent positions(request.positions);
  std::deque<Lent> further;
  const auto* input = request.input ? further.emplace_back(*request.input).get() : nullptr;
  const auto wanted = mapped(request.wanted, [&](const auto& one) -> VernierNamedTensor {
    return {one.role.c_str(), further.emplace_back(one.type, one.shape).get()};
  });
  const VernierQuestion question{spec.c_str(), positions.get(), input, wanted.data(), wanted.size()};
  const InEnvironment environment(environment_);
  return function_(user_, &question, answer);
}

void CalledImplementation::tell(const Request& request) const {
  if (call(request, nullptr) != VERNIER_OK) {
    throw StoppedByCaller();
  }
}

Response CalledImplementation::ask(const Request& request) {
  VernierAnswer answer;
  switch (call(request, &answer)) {
    case VERNIER_OK:
      return answered(request, std::move(answer));
    case VERNIER_UNSUPPORTED:
      return {ResponseStatus::unsupported, third_party_text(answer.reason, longest_reason)};
    case VERNIER_REJECTED:
      return {ResponseStatus::rejected, third_party_text(answer.reason, longest_reason)};
    default:
      throw StoppedByCaller();
  }
}

Verdict judge_called(const LiveCall& call) {
  CallOptions options(call.options);
  auto chosen = choose_encoding(call.spec, options);
  const bool has_source = options.text("source").has_value();
  const auto judging = read_judge_options(options);
  LiveOptions live{.name = judging.name.value_or(chosen.name),
                   .source = chosen.source,
                   .questions = read_questions(options),
                   .contract = judging.contract,
                   .cases = read_cases(options),
                   .bitwise = options.flag("bitwise", false),
                   .all = options.flag("all", false),
                   .reproduce = judging.reproduce,
                   .details = {.error_splits = judging.error_splits}};
  auto implementation = implementation_of(call, options);
  options.finish();
  auto verdict = validate_live(implementation, std::move(chosen.encoding), live);
  verdict.source = has_source ? chosen.source : "";
  apply_waivers(verdict, judging.waivers, judging.today);
  return verdict;
}

void tell_questions(const LiveCall& call) {
  CallOptions options(call.options);
  auto chosen = choose_encoding(call.spec, options);
  const LiveOptions live{.name = chosen.name,
                         .source = chosen.source,
                         .questions = read_questions(options),
                         .cases = read_cases(options),
                         .details = {.error_splits = false, .reasons = false}};
  const auto listener = implementation_of(call, options);
  options.finish();
  StandIn honest(*chosen.encoding, listener.takes(), [&](const Request& request) { listener.tell(request); });
  validate_live(honest, std::move(chosen.encoding), live);
}

}  // namespace vernier
