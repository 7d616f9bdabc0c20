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
  constexpr std::string_view expected = "an array of texts";
  std::vector<std::string> roles;
  for (const auto& role : options.has("roles") ? options.array("roles", expected) : JsonValue::Array()) {
    const auto* text = std::get_if<std::string>(&role.value());
    options.refuse_if(text == nullptr, "roles", expected);
    roles.push_back(*text);
  }
  return roles;
}

QuestionOptions read_questions(CallOptions& options) {
  QuestionOptions result{
      .roles = read_roles(options), .quick = options.flag("quick"), .thorough = options.flag("thorough")};
  refuse_if(result.quick && result.thorough,
            "options: found \"quick\" beside \"thorough\", expected one of the two");
  result.seed =
      static_cast<std::uint64_t>(options.optional_integer("seed", 0, std::numeric_limits<std::int64_t>::max())
                                     .value_or(static_cast<std::int64_t>(fresh_seed())));
  if (const auto type = options.optional_string("dtype")) {
    result.type = read_dtype(*type, Integers::none, "dtype");
  }
  if (auto quantization = options.optional_object("quantization")) {
    result.quantization = read_quantization(*std::move(quantization));
  }
  if (const auto positions = options.optional_string("positions")) {
    result.positions = parse_positions(*positions, "positions");
  }
  return result;
}

Takes read_takes(CallOptions& options) {
  const auto takes = parse_takes(options.optional_string("takes").value_or(""), "takes");
  refuse_if(takes.one_length,
            "takes: found one-length, expected what one process answers: --serve starts one for each length");
  return takes;
}

int read_cases(CallOptions& options) {
  constexpr std::int64_t most = 1'000'000;
  return static_cast<int>(options.optional_integer("cases", 1, most).value_or(LiveOptions{}.cases));
}

CalledImplementation implementation_of(const LiveCall& call, CallOptions& options) {
  refuse_if(call.function == nullptr, "implementation: found a null pointer, expected a function");
  return {call,
          third_party_text(options.optional_string("implementation").value_or("a function of the caller")),
          read_takes(options)};
}

}  // namespace

std::int32_t CalledImplementation::call(const Request& request, VernierAnswer* answer) const {
  const auto spec = request.spec.dump();
  const Lent positions(request.positions);
  std::deque<Lent> further;
  const auto* input = request.input ? further.emplace_back(*request.input).get() : nullptr;
  const auto wanted = mapped(request.wanted, [&](const auto& one) -> VernierNamedTensor {
    return {one.role.c_str(), further.emplace_back(one.type, one.shape).get()};
  });
  const VernierQuestion question{spec.c_str(), positions.get(), input, wanted.data(), wanted.size()};
  const InEnvironment environment(&asked_.environment);
  return asked_.function(asked_.user, &question, answer);
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
  const auto judging = read_judge_options(chosen, options);
  LiveOptions live{.name = judging.name,
                   .source = chosen.source,
                   .questions = read_questions(options),
                   .contract = judging.contract,
                   .cases = read_cases(options),
                   .bitwise = options.flag("bitwise"),
                   .all = options.flag("all"),
                   .reproduce = judging.reproduce,
                   .details = {.error_splits = judging.error_splits}};
  auto implementation = implementation_of(call, options);
  options.finish();
  return judged_by(judging, validate_live(implementation, std::move(chosen.encoding), live));
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
