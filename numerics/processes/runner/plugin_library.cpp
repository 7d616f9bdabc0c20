#include "numerics/processes/runner/plugin_library.hpp"

#include <cfenv>
#include <cstring>
#include <exception>

#include <dlfcn.h>

namespace vernier::plugin_runner {
namespace {

using plugin_protocol::Answer;
using plugin_protocol::CallOutcome;
using plugin_protocol::FloatingPointControl;
using plugin_protocol::Function;
using plugin_protocol::LoadOutcome;
using plugin_protocol::LoadReport;
using plugin_protocol::Text;

using Entry = const VernierPlugin* (*)();

/// What this thread's floating-point unit is set to.
FloatingPointControl floating_point_control() {
  FloatingPointControl control;
  control.rounding = std::fegetround();
  [[maybe_unused]] std::fenv_t environment{};
  std::fegetenv(&environment);
#if defined(__x86_64__)
  constexpr std::uint32_t exception_flags = 0x3f;
  control.machine = environment.__mxcsr & ~exception_flags;
  // A register left on the x87 stack, as after MMX without emms, spoils the caller's long doubles.
  control.x87 = std::uint32_t{environment.__control_word} | std::uint32_t{environment.__tags} << 16;
#elif defined(__aarch64__)
  control.machine = environment.__fpcr;
#endif
  return control;
}

/// Sets it to what a process starts with: round to nearest, subnormals kept, no trap.
void reset_floating_point_control() {
  std::fesetenv(FE_DFL_ENV);
}

Text text_of(const char* text) {
  Text copied{};
  if (text != nullptr) {
    std::memcpy(copied.data(), text, strnlen(text, copied.size()));
  }
  return copied;
}

bool has(const VernierPlugin& plugin, Function function) {
  const std::array are_there{plugin.table != nullptr, plugin.rotate != nullptr, plugin.bias != nullptr,
                             plugin.buckets != nullptr};
  return are_there[static_cast<std::size_t>(function)];
}

std::int32_t invoke(const VernierPlugin& plugin, const PluginLibrary::Arguments& with) {
  switch (with.function) {
    case Function::table:
      return plugin.table(with.spec, with.role, with.positions, with.output);
    case Function::rotate:
      return plugin.rotate(with.spec, with.positions, with.input, with.output);
    case Function::bias:
      return plugin.bias(with.spec, with.role, with.positions, with.output);
    case Function::buckets:
      return plugin.buckets(with.spec, with.positions, with.output);
  }
  return VERNIER_UNSUPPORTED;
}

/// Loads the library and checks its table. What was loaded stays, whatever the outcome.
void load(const char* path, VernierPlugin& table, LoadReport& report) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    report.outcome = LoadOutcome::no_library;
    report.text = text_of(dlerror());
    return;
  }
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "vernier_plugin"));
  if (entry == nullptr) {
    report.outcome = LoadOutcome::no_entry;
    return;
  }
  const VernierPlugin* plugin = entry();
  if (plugin == nullptr) {
    report.outcome = LoadOutcome::no_table;
    return;
  }
  // Only the version may be read before it is known: another one may have another layout.
  if (plugin->abi_version != VERNIER_PLUGIN_ABI_VERSION) {
    report.outcome = LoadOutcome::another_abi;
    report.number = plugin->abi_version;
    return;
  }
  if (plugin->struct_size < sizeof(VernierPlugin)) {
    report.outcome = LoadOutcome::short_table;
    report.number = plugin->struct_size;
    return;
  }
  table = *plugin;
  report.capabilities = plugin->capabilities;
  report.name = text_of(plugin->name);
  report.implementation_version = text_of(plugin->version);
}

}  // namespace

PluginLibrary::PluginLibrary(const char* path, LoadReport& report) {
  report.before = floating_point_control();
  try {
    load(path, table_, report);
  } catch (const std::exception& exception) {
    report.outcome = LoadOutcome::threw;
    report.text = text_of(exception.what());
  } catch (...) {
    report.outcome = LoadOutcome::threw;
  }
  report.after = floating_point_control();
}

void PluginLibrary::call(const Arguments& arguments, Answer& answer) const {
  if (!has(table_, arguments.function)) {
    answer.outcome = CallOutcome::no_function;
    return;
  }
  reset_floating_point_control();
  answer.before = floating_point_control();
  try {
    answer.outcome = CallOutcome::supports_returned;
    answer.code = table_.supports == nullptr
                      ? std::int32_t{VERNIER_OK}
                      : table_.supports(arguments.spec, arguments.role, arguments.output->dtype);
    if (answer.code == VERNIER_OK) {
      answer.outcome = CallOutcome::returned;
      answer.code = invoke(table_, arguments);
    }
  } catch (const std::exception& exception) {
    answer.outcome = CallOutcome::threw;
    answer.text = text_of(exception.what());
  } catch (...) {
    answer.outcome = CallOutcome::threw;
  }
  answer.after = floating_point_control();
  reset_floating_point_control();
}

}  // namespace vernier::plugin_runner
