#include "numerics/arithmetic/exceptions.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

namespace vernier {
namespace {

/// Of more exceptions than this share their places tell nothing. Chosen, not derived.
constexpr double most_exceptions = 0.05;

bool are_few(std::size_t exceptions, std::size_t asked) {
  return static_cast<double>(exceptions) <= most_exceptions * static_cast<double>(asked);
}

/// Where the numbers lie that a computation does not predict.
class Exceptions {
 public:
  void add(std::int64_t position, std::size_t pair) {
    ++count_;
    ++by_pair_[pair];
    first_ = count_ == 1 || std::llabs(position) < std::llabs(first_) ? position : first_;
  }
  std::size_t count() const { return count_; }
  std::string told(std::size_t asked, std::size_t pairs, std::string_view whose) const {
    const auto most = *std::ranges::max_element(by_pair_, {}, [](const auto& one) { return one.second; });
    const auto where = most.second * 10 >= count_ * 9 && count_ > 4
                           ? fmt::format("{} of them in pair {}", most.second, most.first)
                           : fmt::format("in {} of {} pairs", by_pair_.size(), pairs);
    return fmt::format(
        "No computation of the space predicts every bit of {}. One leaves {} exceptions in {}, {}, the first "
        "at position {}. It is not named: the true one is often another.",
        whose, count_, asked, where, first_);
  }

 private:
  std::size_t count_ = 0;
  std::map<std::size_t, std::size_t> by_pair_;
  std::int64_t first_ = 0;
};

void tell_none(ArithmeticFinding& finding, std::string_view whose) {
  finding.remarks.push_back(
      fmt::format("No computation of the space is near {}: nothing is claimed of it.", whose));
}

}  // namespace

void tell_exceptions(ArithmeticFinding& finding, const StoredBits& bits, const StoredTable& table) {
  if (table.repeated != 0) {
    finding.remarks.push_back(fmt::format(
        "{} elements are stored again, in another column or row, with other bits.", table.repeated));
    return;
  }
  auto space = space_of(bits, table);
  const auto likely = likeliest_leaf(space, table);
  if (!are_few(likely.exceptions, likely.asked)) {
    tell_none(finding, "the table");
    return;
  }
  Exceptions found;
  visit_exceptions(space, likely.leaf, table,
                   [&](std::int64_t position, std::size_t pair, const StoredSine&, const StoredSine&) {
                     found.add(position, pair);
                   });
  finding.remarks.push_back(found.told(table.elements.size(), table.pairs, "the table"));
}

void tell_exceptions(ArithmeticFinding& finding, const RotationSpace& space, const StoredVectors& vectors,
                     const RowOfPosition& rows) {
  const auto all = space.all();
  for (std::size_t component = 0; component < 2; ++component) {
    std::vector<Exceptions> exceptions(space.rotations().size());
    for_each_turned(
        vectors, rows,
        [&](std::int64_t position, std::size_t pair, const TurnedPair& turned, const StoredSine& by) {
          const auto right = space.predicting(component, turned, vectors.sign, by, all);
          for (std::size_t rotation = 0; rotation < exceptions.size(); ++rotation) {
            if (!right[rotation]) {
              exceptions[rotation].add(position, pair);
            }
          }
        });
    const auto& fewest = std::ranges::min(exceptions, {}, &Exceptions::count);
    const auto name = fmt::format("y{}", component);
    if (!are_few(fewest.count(), vectors.count())) {
      tell_none(finding, name);
    } else if (fewest.count() != 0) {
      finding.remarks.push_back(fewest.told(vectors.count(), vectors.pairs_of_vector, name));
    }
  }
}

}  // namespace vernier
