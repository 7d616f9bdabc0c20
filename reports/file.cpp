#include "reports/file.hpp"

#include "numerics/formats/unfinished_file.hpp"
#include "reference/input_error.hpp"

namespace vernier {

void write_file(const std::string& name, std::string_view bytes, std::ostream& out) {
  if (name == standard_output) {
    out << bytes;
    require_written(out);
    return;
  }
  UnfinishedFile file(name, Irregular::write_in_place);
  file.append(std::as_bytes(std::span(bytes)));
  file.finish();
}

void require_written(std::ostream& out) {
  out << std::flush;
  if (!out) {
    throw InputError("standard output: cannot be written");
  }
}

}  // namespace vernier
