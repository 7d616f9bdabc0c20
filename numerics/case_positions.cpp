#include "numerics/case_positions.hpp"

#include <algorithm>

#include "numerics/case_tensors.hpp"
#include "reference/input_error.hpp"

namespace vernier {

std::vector<std::int64_t> integers(const NamedTensor& named, std::string_view role,
                                   const IntegerRange& range) {
  std::vector<std::int64_t> result;
  result.reserve(named.tensor.elements());
  for (std::size_t i = 0; i < named.tensor.elements(); ++i) {
    const auto value = named.tensor.integer(i);
    if (!value || *value < range.least || *value > range.greatest) {
      throw InputError(named.source + ": " + std::string(role) + ": found element " + std::to_string(i) +
                       (value ? " to be " + std::to_string(*value) : " not to be an integer of 64 bits") +
                       ", expected " + std::string(range.in_words));
    }
    result.push_back(*value);
  }
  return result;
}

std::vector<std::int64_t> given_positions(const NamedTensor& named) {
  const auto shape = Tensor(named.tensor).without_leading_ones(1).shape();
  if (shape.size() != 1) {
    throw InputError(named.source + ": positions: found the shape " + to_string(shape) +
                     ", expected one dimension");
  }
  return integers(named, positions_role, position_integers);
}

bool gives_streams(const CaseParts& parts) {
  const auto found = parts.tensors.find(positions_role);
  return found != parts.tensors.end() &&
         Tensor(found->second.tensor).without_leading_ones(1).shape().size() == 2;
}

std::vector<std::vector<std::int64_t>> given_streams(const NamedTensor& named, std::size_t streams) {
  const auto shape = Tensor(named.tensor).without_leading_ones(1).shape();
  if (shape.front() != streams) {
    throw InputError(named.source + ": positions: found the shape " + to_string(shape) +
                     ", expected [T] or [" + std::to_string(streams) + ", T]");
  }
  const auto all = integers(named, positions_role, position_integers);
  const auto rows = static_cast<std::ptrdiff_t>(shape.back());
  std::vector<std::vector<std::int64_t>> result;
  for (auto from = all.begin(); result.size() < streams; from += rows) {
    result.emplace_back(from, from + rows);
  }
  return result;
}

std::vector<std::vector<std::int64_t>> spread_over_streams(const CaseParts& parts,
                                                           const StreamedTables& streamed,
                                                           std::span<const std::int64_t> positions) {
  std::vector<std::vector<std::int64_t>> result(streamed.streams);
  for (const auto position : positions) {
    try {
      const auto of_streams = streamed.of_position(position);
      for (std::size_t i = 0; i < result.size(); ++i) {
        result[i].push_back(of_streams[i]);
      }
    } catch (const InputError& error) {
      throw InputError(parts.source + ": positions: " + error.what());
    }
  }
  return result;
}

std::vector<std::int64_t> default_positions(const CaseParts& parts, const Encoding& encoding,
                                            std::size_t rows) {
  const auto range = encoding.default_positions(static_cast<std::int64_t>(rows));
  const auto last = rows == 0 ? range.first : range.at(range.count - 1);
  if (std::max(range.first, last) > largest_position) {
    throw InputError(parts.source + ": found " + std::to_string(rows) + " rows from position " +
                     std::to_string(range.first) + " on, expected positions up to 2^31");
  }
  std::vector<std::int64_t> result;
  result.reserve(rows);
  for (std::int64_t row = 0; row < range.count; ++row) {
    result.push_back(range.at(row));
  }
  return result;
}

std::optional<StreamedTables> streamed_tables_for(const CaseParts& parts, const Encoding& encoding) {
  auto streamed = encoding.streamed_tables();
  if (!streamed) {
    return std::nullopt;
  }
  const auto one = streamed->of_position(1);
  const bool alike = std::ranges::count(one, one.front()) == std::ssize(one);
  return alike && !gives_streams(parts) ? std::nullopt : std::move(streamed);
}

}  // namespace vernier
