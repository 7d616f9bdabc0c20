#include "reference/format.hpp"

/// One tenth is rounded up in bfloat16, which has 8 significant bits: to 205 * 2^-11.
int main() {
  return vernier::round_to(vernier::Format::bfloat16, 0.1) == 205 / 2048.0 ? 0 : 1;
}
