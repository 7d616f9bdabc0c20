#include "reports/live/spoilt_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vernier {

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::optional<Spoilt> spoilt_at(const RotatedTensor& vectors, const QuestionPoint& point, std::size_t index) {
  if (point.not_finite == NotFinite::none || (point.count() > 1 && index % 3 != 1)) {
    return std::nullopt;
  }
  const auto choice = mixed(point.vectors + index);
  if (point.not_finite == NotFinite::nan_in_passing) {
    const auto passing = vectors.rotation.passed_through();
    return Spoilt{passing[choice % passing.size()], std::nullopt};
  }
  const auto& pairs = vectors.rotation.pairs;
  const auto& [first, second] = pairs[choice % pairs.size()];
  return choice / 2 % 2 == 0 ? Spoilt{first, second} : Spoilt{second, first};
}

bool passes_on(const Spoilt& spoilt, NotFinite kind, const Tensor& answer, std::size_t index, bool turns) {
  const auto is_marked = [&](std::size_t dimension) {
    const double value = answer.number(index * answer.shape().back() + dimension);
    return kind == NotFinite::infinity_in_pair ? !std::isfinite(value) : std::isnan(value);
  };
  return is_marked(spoilt.first) && (!spoilt.second || !turns || is_marked(*spoilt.second));
}

void blank(const Spoilt& spoilt, std::size_t width, std::vector<std::byte>& row) {
  for (const auto dimension : {spoilt.first, spoilt.second.value_or(spoilt.first)}) {
    std::fill_n(row.begin() + static_cast<std::ptrdiff_t>(dimension * width), width, std::byte{});
  }
}

double special_of(NotFinite kind) {
  return kind == NotFinite::infinity_in_pair ? infinity : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace vernier
