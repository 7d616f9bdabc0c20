// Whether the compiler rounds two numbers that stand side by side, as C++ has it ([conv.double]): GCC 12.2 at
// -O2 leaves them as they are, in a structure and in an array, unless its pass for neighbours (SLP) is off.
// Leaves with 1 if one is not rounded.

#include <cstdio>

namespace {

struct Pair {
  double first;
  double second;
};

[[gnu::noinline]] Pair rounded(double first, double second) {
  return {static_cast<double>(static_cast<float>(first)), static_cast<double>(static_cast<float>(second))};
}

[[gnu::noinline]] Pair rounded_products(double first, double second) {
  return {static_cast<double>(static_cast<float>(first * second)),
          static_cast<double>(static_cast<float>(first * first))};
}

[[gnu::noinline]] void round_both(double* numbers) {
  numbers[0] = static_cast<double>(static_cast<float>(numbers[0]));
  numbers[1] = static_cast<double>(static_cast<float>(numbers[1]));
}

/// Through memory that the compiler has to write: no pass joins two of these.
double truly_rounded(double number) {
  volatile float rounding = static_cast<float>(number);
  return rounding;
}

}  // namespace

int main(int argument_count, char** /*arguments*/) {
  const double first = 0.1 * argument_count;
  const double second = 0.7 * argument_count;
  const auto pair = rounded(first, second);
  const auto products = rounded_products(first, second);
  double array[2] = {first, second};
  round_both(array);
  const bool all_rounded = pair.first == truly_rounded(first) && pair.second == truly_rounded(second) &&
                           products.first == truly_rounded(first * second) &&
                           products.second == truly_rounded(first * first) &&
                           array[0] == truly_rounded(first) && array[1] == truly_rounded(second);
  std::puts(all_rounded ? "both are rounded"
                        : "the compiler leaves numbers unrounded that stand side by side");
  return all_rounded ? 0 : 1;
}
