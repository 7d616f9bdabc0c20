#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <mpfr.h>
#include <oneapi/tbb/global_control.h>
#include <pthread.h>

#include "numerics/tensors/case.hpp"
#include "reference/configs/understood_config.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reports/bindings/library/call_options.hpp"
#include "reports/bindings/library/certified_output.hpp"
#include "reports/bindings/library/live_call.hpp"
#include "reports/bindings/library/strided_memory.hpp"
#include "reports/bindings/library/vernier.h"
#include "reports/outputs/output.hpp"
#include "reports/verdict/validate.hpp"
#include "reports/verdict/waivers.hpp"
#include "reports/words/arithmetic_words.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/program_end.hpp"
#include "reports/words/specs/config_json.hpp"
#include "reports/words/specs/placed_tensor.hpp"
#include "reports/words/version.hpp"

// What vernier.h declares. No exception leaves a function, and none is passed through C.

struct VernierVerdict {
  vernier::Verdict verdict;
};

namespace vernier {
namespace {

/// The caller's thread during a call. Its floating-point environment is the default one, which the proofs
/// assume, for libraries built with -ffast-math leave threads that take subnormal numbers for zero; the
/// caller's is restored. What MPFR keeps for the thread is released, for nobody does so when the thread ends.
class BorrowedThread {
 public:
  BorrowedThread() = default;
  BorrowedThread(const BorrowedThread&) = delete;
  BorrowedThread& operator=(const BorrowedThread&) = delete;
  ~BorrowedThread() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }

 private:
  InEnvironment environment_{FE_DFL_ENV};
};

/// Before a caller's process forks, oneTBB's threads end: the new process has none of them, but would wait
/// for the locks that they held. The next call starts others.
class ThreadsEndBeforeForks {
 public:
  ThreadsEndBeforeForks() { pthread_atfork(end_threads, nullptr, nullptr); }

 private:
  static void end_threads() {
    oneapi::tbb::task_scheduler_handle threads{oneapi::tbb::attach{}};
    oneapi::tbb::finalize(threads, std::nothrow);  // not where another thread is at work with them
  }
};
const ThreadsEndBeforeForks threads_end_before_forks;
[[maybe_unused]] const bool can_unwind = (load_unwinder(), true);

/// Text that vernier_free() releases; null where there is no memory.
char* handed_out(std::string_view text) {
  auto* const result = static_cast<char*>(std::malloc(text.size() + 1));
  if (result != nullptr) {
    std::memcpy(result, text.data(), text.size());
    result[text.size()] = '\0';
  }
  return result;
}

int32_t fail(char** error, int32_t code, std::string_view sentence) {
  if (error != nullptr) {
    *error = handed_out(sentence);
  }
  return code;
}

/// Does the work of a function of the library. \param error receives the sentence of a failure
template <class Work>
int32_t guarded(char** error, const Work& work) noexcept {
  const BorrowedThread thread;
  if (error != nullptr) {
    *error = nullptr;
  }
  try {
    work();
    return VERNIER_OK;
  } catch (const InputError& problem) {
    return fail(error, VERNIER_REJECTED, problem.what());
  } catch (const StoppedByCaller&) {
    return fail(error, VERNIER_STOPPED, "the implementation ended the judging");
  } catch (const std::bad_alloc&) {
    return fail(error, VERNIER_BROKEN, "not enough memory for this");
  } catch (const std::exception& problem) {
    return fail(error, VERNIER_BROKEN, problem.what());
  } catch (...) {
    return fail(error, VERNIER_BROKEN, "an unknown fault of Vernier's own");
  }
}

/// The same, for work that makes a verdict.
template <class Work>
int32_t guarded_verdict(VernierVerdict** verdict, char** error, const Work& work) noexcept {
  if (verdict != nullptr) {
    *verdict = nullptr;
  }
  return guarded(error, [&] {
    Verdict made = work();
    if (verdict != nullptr) {
      *verdict = new VernierVerdict{std::move(made)};
    }
  });
}

/// The same, for work that makes a text.
template <class Work>
int32_t guarded_text(char** text, const Work& work) noexcept {
  return guarded(text, [&] {
    const std::string made = work();
    if (text != nullptr) {
      *text = handed_out(made);
      if (*text == nullptr) {
        throw std::bad_alloc();
      }
    }
  });
}

CaseInput input_of(const JudgeOptions& options, std::span<const VernierNamedTensor> tensors) {
  CaseInput input{options.caller, options.name, "", {}, options.contract};
  for (const auto& [role, tensor] : tensors) {
    refuse_if(role == nullptr, "{}: found a tensor without a role, expected a name such as \"cos\"",
              options.caller);
    const StridedMemory memory(tensor, fmt::format("{}: {}", options.caller, role));
    refuse_if(!input.tensors.try_emplace(role, NamedTensor{options.caller, tensor_in(memory)}).second,
              "{}: {}: found two tensors of this role, expected one", options.caller, role);
  }
  return input;
}

Verdict judge(const char* spec, const char* options_text, std::span<const VernierNamedTensor> tensors) {
  CallOptions call(options_text);
  auto chosen = choose_encoding(spec, call);
  const auto options = read_judge_options(chosen, call);
  call.finish();
  const auto input = input_of(options, tensors);
  return judged_by(options, validate(assemble_case(input, std::move(chosen.encoding)), options.reproduce,
                                     {.error_splits = options.error_splits}));
}

std::string arithmetic(const char* spec, const char* options_text,
                       std::span<const VernierNamedTensor> tensors) {
  CallOptions call(options_text);
  auto chosen = choose_encoding(spec, call);
  const auto options = read_judge_options(chosen, call);
  call.finish();
  const auto input = input_of(options, tensors);
  const auto bits = stored_bits(assemble_case(input, std::move(chosen.encoding)));
  return arithmetic_value({.files = {input.name}, .findings = {find_arithmetic(bits)}}).dump();
}

std::string text_of(const Verdict& verdict, std::string_view form) {
  if (form == "full_text") {
    return render_full_text(verdict);
  }
  auto known = names_of(outputs(), &Output::name);
  known.emplace_back("full_text");
  for (const auto& output : outputs()) {
    if (output.name == form) {
      return output.render(verdict);
    }
  }
  throw InputError("form: {}", not_among(form, known));
}

std::string tensors_text(const char* spec, const char* options_text, const VernierTensor* positions) {
  CallOptions call(options_text);
  const auto chosen = choose_encoding(spec, call);
  const auto queries = call.queries();
  call.finish();
  const auto at = read_positions(positions, "positions");
  const auto tensors = placed_tensors(*chosen.encoding, at.size(), {.queries = queries});
  const auto result = array_json(tensors, [](const PlacedTensor& tensor) -> OrderedJson {
    return {{"role", tensor.role}, {"shape", tensor.shape}, {"exact", are_integers(tensor.definition)}};
  });
  return result.dump();
}

}  // namespace
}  // namespace vernier

using namespace vernier;  // NOLINT(google-build-using-namespace): the functions are C's

uint32_t vernier_abi_version(void) {
  return VERNIER_ABI_VERSION;
}

const char* vernier_version(void) {
  return version().data();
}

void vernier_free(char* text) {
  std::free(text);
}

int32_t vernier_judge(const char* spec, const char* options, const VernierNamedTensor* tensors, size_t count,
                      VernierVerdict** verdict, char** error) {
  return guarded_verdict(verdict, error, [&] {
    return judge(spec, options, {tensors, tensors == nullptr ? 0 : count});
  });
}

int32_t vernier_arithmetic(const char* spec, const char* options, const VernierNamedTensor* tensors,
                           size_t count, char** json) {
  return guarded_text(json, [&] {
    return arithmetic(spec, options, {tensors, tensors == nullptr ? 0 : count});
  });
}

void vernier_verdict_free(VernierVerdict* verdict) {
  delete verdict;
}

int32_t vernier_verdict_exit_code(const VernierVerdict* verdict) {
  constexpr int32_t bad_input = 2;
  return verdict == nullptr ? bad_input : exit_code(verdict->verdict);
}

int32_t vernier_verdict_text(const VernierVerdict* verdict, const char* form, char** text) {
  return guarded_text(text, [&] {
    refuse_if(verdict == nullptr || form == nullptr,
              "vernier_verdict_text: found a null pointer, expected a verdict and a form");
    return text_of(verdict->verdict, form);
  });
}

int32_t vernier_answer(VernierAnswer* answer, const char* role, const VernierTensor* tensor, char** error) {
  return guarded(error, [&] {
    refuse_if(answer == nullptr || role == nullptr,
              "vernier_answer: found a null pointer, expected an answer and a role");
    const StridedMemory memory(tensor, role);
    std::vector<std::byte> bytes(*size_in_bytes(memory.type(), memory.shape()));
    memory.gather(bytes);
    answer->tensors.insert_or_assign(role, Tensor(memory.type(), memory.shape(), std::move(bytes)));
  });
}

void vernier_decline(VernierAnswer* answer, const char* reason) {
  if (answer != nullptr && reason != nullptr) {
    guarded(nullptr, [&] { answer->reason = reason; });
  }
}

int32_t vernier_validate(const char* spec, const char* options, VernierImplementation implementation,
                         void* user, VernierVerdict** verdict, char** error) {
  std::fenv_t environment;
  std::fegetenv(&environment);
  return guarded_verdict(verdict, error, [&] {
    return judge_called({spec, options, implementation, user, environment});
  });
}

int32_t vernier_questions(const char* spec, const char* options, VernierImplementation listener, void* user,
                          char** error) {
  std::fenv_t environment;
  std::fegetenv(&environment);
  return guarded(error, [&] { tell_questions({spec, options, listener, user, environment}); });
}

int32_t vernier_tensors(const char* spec, const char* options, const VernierTensor* positions, char** json) {
  return guarded_text(json, [&] { return tensors_text(spec, options, positions); });
}

int32_t vernier_table(const char* spec, const char* options, const char* role, const VernierTensor* positions,
                      const VernierTensor* out, char** error) {
  return guarded(error, [&] {
    CallOptions call(options);
    const auto chosen = choose_encoding(spec, call);
    const auto queries = call.queries();
    call.finish();
    write_certified(chosen, role == nullptr ? "" : role, queries, read_positions(positions, "positions"),
                    out);
  });
}

int32_t vernier_understand(const char* config, const char* options, char** json) {
  return guarded_text(json, [&] {
    CallOptions call(options);
    const auto source = call.optional_string("source").value_or("config");
    call.finish();
    refuse_if(config == nullptr, "{}: found a null pointer, expected JSON or the id of a model", source);
    return json_text(config_value(understand_text(config, source)));
  });
}
