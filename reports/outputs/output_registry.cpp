#include "reports/outputs/output.hpp"

namespace vernier {

std::span<const Output> outputs() {
  static const auto all = make_all(output_makers);
  return all;
}

std::string text_for_file(const Output& output, const Verdict& verdict, std::string_view file, bool in_full) {
  if (output.render_as_json != nullptr && file.ends_with(".json")) {
    return output.render_as_json(verdict);
  }
  return in_full && output.render_in_full != nullptr ? output.render_in_full(verdict)
                                                     : output.render(verdict);
}

}  // namespace vernier
