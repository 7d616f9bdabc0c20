#pragma once

// An implementation that lives in the test, honest but for what spoils it, and the verdict on it.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/processes/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"
#include "reports/verdict/live/validate_live.hpp"

namespace vernier {

inline constexpr std::string_view fake_rope =
    R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 400})";
inline constexpr std::size_t all_rows = 400;
inline constexpr double fake_base = 10000;

/// What a request asks for, rows of all batches and heads. \param element (wanted, row, column)
template <class Element>
Response answer_by_elements(const Request& request, const Element& element) {
  Response response;
  for (const auto& wanted : request.wanted) {
    std::vector<double> values;
    const auto format = traits(wanted.type).format.value_or(Format::binary32);
    const auto width = wanted.shape.back();
    const auto rows =
        std::accumulate(wanted.shape.begin(), wanted.shape.end() - 1, std::size_t{1}, std::multiplies{});
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < width; ++column) {
        values.push_back(round_to(format, element(wanted, row, column)));
      }
    }
    response.tensors.emplace(wanted.role, tensor_of(format, wanted.shape, values));
  }
  return response;
}

/// RoPE and learned tables computed in float64 and stored in float32, and a way to spoil them.
class Fake : public LiveImplementation {
 public:
  using Spoil = std::function<Response(const Request&, Response)>;

  explicit Fake(Spoil spoil = [](const Request&, const Response& honest) { return honest; })
      : spoil_(std::move(spoil)) {}

  std::string description() const override { return "a fake"; }
  bool observes_memory() const override { return watched; }
  bool costs_a_process() const override { return process; }
  Response ask(const Request& request) override {
    ++asked;
    // What spoils an answer knows elements of four bytes.
    const auto& type = traits(request.wanted.front().type);
    const bool is_single = type.bytes == 4 || !type.format;
    return is_single ? spoil_(request, answer(request)) : answer(request);
  }

  bool watched = true;
  bool process = false;
  int asked = 0;
  /// What position an element is computed for.
  std::function<std::int64_t(std::int64_t)> position = [](std::int64_t p) { return p; };

 private:
  double element(const Request& request, const WantedTensor& wanted, std::size_t row,
                 std::size_t column) const {
    const auto p = position(*request.positions.integer(row % rows_of(request)));
    const auto width = wanted.shape.back();
    if (wanted.role == "encoding") {
      return static_cast<double>(p) * 10 + static_cast<double>(column);
    }
    const auto turned_pairs = wanted.role == "rotated" ? width / 2 : std::min<std::size_t>(width, 8);
    const auto pair = column % turned_pairs;
    const double phase = static_cast<double>(p) * frequency(pair, turned_pairs);
    if (wanted.role != "rotated") {
      return wanted.role == "cos" ? std::cos(phase) : std::sin(phase);
    }
    const auto x = [&](std::size_t c) { return request.input->number(row * width + c); };
    return column < turned_pairs ? x(pair) * std::cos(phase) - x(pair + turned_pairs) * std::sin(phase)
                                 : x(pair) * std::sin(phase) + x(pair + turned_pairs) * std::cos(phase);
  }

  double frequency(std::size_t pair, std::size_t turned_pairs) const {
    if (frequencies_.size() != turned_pairs) {
      frequencies_.resize(turned_pairs);
      for (std::size_t i = 0; i < turned_pairs; ++i) {
        frequencies_[i] = std::pow(fake_base, -static_cast<double>(i) / static_cast<double>(turned_pairs));
      }
    }
    return frequencies_[pair];
  }

  Response answer(const Request& request) const {
    return answer_by_elements(request, [&](const WantedTensor& wanted, std::size_t row, std::size_t column) {
      return element(request, wanted, row, column);
    });
  }

  Spoil spoil_;
  mutable std::vector<double> frequencies_;  ///< of the number of pairs that was asked for last
};

/// Changes a byte of one element of four bytes, or of the last one, of a response's first tensor.
inline void change_first_tensor(Response& response, std::size_t index, std::size_t byte, std::byte by) {
  auto& tensor = response.tensors.begin()->second;
  std::vector<std::byte> bytes(tensor.bytes().begin(), tensor.bytes().end());
  bytes[4 * std::min(index, tensor.elements() - 1) + byte] ^= by;
  tensor = {tensor.type(), tensor.shape(), std::move(bytes)};
}

/// Moved by one step.
inline void nudge_first_tensor(Response& response, std::size_t index) {
  change_first_tensor(response, index, 0, std::byte{1});
}

/// Moved by an eighth to a quarter of itself, unless it is zero: beyond every budget.
inline void spoil_first_tensor(Response& response, std::size_t index) {
  change_first_tensor(response, index, 2, std::byte{0x20});
}

inline Response failed(ResponseStatus status, std::string reason) {
  return {status, std::move(reason)};
}

inline Verdict judge(Fake& fake, std::string_view spec = fake_rope, bool bitwise = false) {
  return validate_live(
      fake, parsed(spec),
      {.name = "fake", .source = "spec", .cases = 2, .bitwise = bitwise, .all = true, .reproduce = "again"});
}

}  // namespace vernier
