#include "reports/exit_code.hpp"

#include <exception>
#include <new>

#include "reference/input_error.hpp"
#include "reference/key_faults.hpp"
#include "reports/interrupt.hpp"
#include "reports/value_text.hpp"

namespace vernier {

int exit_code_of(const std::function<int()>& work, std::string_view program, std::ostream& err) {
  try {
    return work();
  } catch (const Interrupted&) {
    err << program << ": interrupted\n";
    return exit_code_of_an_interrupt;
  } catch (const SeveralFaults& faults) {
    for (const auto& sentence : faults.sentences()) {
      err << program << ": " << one_line(sentence) << "\n";
    }
  } catch (const InputError& error) {
    err << program << ": " << one_line(error.what()) << "\n";
  } catch (const std::bad_alloc&) {
    err << program << ": not enough memory for this\n";
  } catch (const std::exception& error) {
    err << program << ": internal error: " << one_line(error.what()) << "\n";
  }
  return exit_code_of_bad_input;
}

}  // namespace vernier
