#include "reports/html/charts/svg/label_places.hpp"

#include <algorithm>
#include <numeric>

namespace vernier {
namespace {

// Labels that touch: they stand where the mean of their wishes is.
struct Stack {
  std::vector<std::size_t> labels;
  double height = 0;
  double wishes = 0;  // sum over the labels of where each would have the top of the stack
  double top = 0;
};

void settle(Stack& stack, double top, double bottom) {
  const double mean = stack.wishes / static_cast<double>(stack.labels.size());
  stack.top = std::max(top, std::min(mean, bottom - stack.height));
}

void append(Stack& stack, const Stack& below) {
  stack.wishes += below.wishes - stack.height * static_cast<double>(below.labels.size());
  stack.height += below.height;
  stack.labels.insert(stack.labels.end(), below.labels.begin(), below.labels.end());
}

}  // namespace

std::vector<double> spread_labels(std::span<const WantedPlace> wanted, double top, double bottom) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a].middle < wanted[b].middle; });
  std::vector<Stack> stacks;
  for (const auto index : order) {
    const auto& label = wanted[index];
    stacks.push_back({{index}, label.height, label.middle - label.height / 2, 0});
    settle(stacks.back(), top, bottom);
    while (stacks.size() > 1 &&
           stacks[stacks.size() - 2].top + stacks[stacks.size() - 2].height > stacks.back().top) {
      append(stacks[stacks.size() - 2], stacks.back());
      stacks.pop_back();
      settle(stacks.back(), top, bottom);
    }
  }
  std::vector<double> middles(wanted.size());
  for (const auto& stack : stacks) {
    double at = stack.top;
    for (const auto index : stack.labels) {
      middles[index] = at + wanted[index].height / 2;
      at += wanted[index].height;
    }
  }
  return middles;
}

}  // namespace vernier
