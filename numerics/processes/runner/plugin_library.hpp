#pragma once

#include "numerics/processes/runner_protocol.hpp"

namespace vernier::plugin_runner {

/// The plug-in, loaded or not.
class PluginLibrary {
 public:
  /// Loads it. \param report receives how that went
  PluginLibrary(const char* path, plugin_protocol::LoadReport& report);

  /// The arguments of one call, as the plug-in sees them.
  struct Arguments {
    plugin_protocol::Function function;
    const char* spec;
    const char* role;
    const VernierTensor* positions;
    const VernierTensor* input;
    const VernierTensor* output;
  };
  /// Asks whether it is supported, then calls the function, in the default floating-point environment.
  /// \param answer receives how that went \pre the library was loaded
  void call(const Arguments& arguments, plugin_protocol::Answer& answer) const;

 private:
  VernierPlugin table_{};
};

}  // namespace vernier::plugin_runner
