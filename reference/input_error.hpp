#pragma once

#include <stdexcept>

namespace vernier {

/// Bad input from outside: a file, a specification, a command line. `what()` is one whole sentence that names
/// the file, the key or tensor, what was found and what was expected. Thrown anywhere, caught once in main,
/// which exits with 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace vernier
