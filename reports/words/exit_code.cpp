#include "reports/words/exit_code.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "reference/json/key_faults.hpp"
#include "reference/support/input_error.hpp"
#include "reports/words/interrupt.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t shown_of_a_word = 200;

/// In one line, of a very long name the start and the end.
std::string readable(std::string text) {
  for (std::size_t start = 0, end = 0; start < text.size(); start = end + 1) {
    end = std::min(text.find(' ', start), text.size());
    if (end - start > 2 * shown_of_a_word) {
      text.replace(start + shown_of_a_word, end - start - 2 * shown_of_a_word, "...");
      end = start + 2 * shown_of_a_word;
    }
  }
  return one_line(text);
}

}  // namespace

int exit_code_of(const std::function<int()>& work, std::string_view program, std::ostream& err) {
  try {
    return work();
  } catch (const Interrupted&) {
    err << program << ": interrupted\n";
    return exit_code_of_an_interrupt;
  } catch (const SeveralFaults& faults) {
    for (const auto& sentence : faults.sentences()) {
      err << program << ": " << readable(sentence) << "\n";
    }
  } catch (const InputError& error) {
    err << program << ": " << readable(error.what()) << "\n";
  } catch (const std::bad_alloc&) {
    err << program << ": not enough memory for this\n";
  } catch (const std::runtime_error& error) {  // of streams, of file systems, and of oneTBB about threads
    err << program << ": the system failed: " << readable(error.what()) << "\n";
  } catch (const std::exception& error) {
    err << program << ": internal error: " << readable(error.what()) << "\n";
  }
  return exit_code_of_bad_input;
}

}  // namespace vernier
