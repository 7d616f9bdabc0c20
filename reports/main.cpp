#include <exception>
#include <iostream>

#include "reference/input_error.hpp"
#include "reports/cli.hpp"
#include "reports/interrupt.hpp"
#include "reports/value_text.hpp"

namespace {

constexpr int bad_input = 2;
constexpr int interrupted = 130;  // as a shell reports SIGINT

}  // namespace

int main(int argc, char** argv) {
  try {
    return vernier::run_command_line(argc, argv, std::cout);
  } catch (const vernier::Interrupted&) {
    std::cerr << "vernier: interrupted\n";
    return interrupted;
  } catch (const vernier::InputError& error) {
    std::cerr << "vernier: " << vernier::one_line(error.what()) << "\n";
  } catch (const std::exception& error) {
    std::cerr << "vernier: internal error: " << vernier::one_line(error.what()) << "\n";
  }
  return bad_input;
}
