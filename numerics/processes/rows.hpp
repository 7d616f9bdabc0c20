#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/processes/request.hpp"
#include "numerics/processes/response.hpp"

namespace vernier {

/// A floating-point tensor of values that belong to its type.
Tensor number_tensor(ElementType type, Shape shape, std::span<const double> values);

/// An int64 tensor of these values.
Tensor integer_tensor(Shape shape, std::span<const std::int64_t> values);

/// The values of an int64 tensor.
std::vector<std::int64_t> integers_of(const Tensor& tensor);

/// The indices of a tensor that lie at some of the places along one of its dimensions, in this order. \pre
/// the places are within the dimension
Tensor with_places(const Tensor& tensor, std::size_t dimension, std::span<const std::size_t> places);

/// Tensors of one type one after another along a dimension, the others of which are alike. \param tensors at
/// least one
Tensor joined(std::span<const Tensor> tensors, std::size_t dimension);

/// A row of a tensor whose last dimension is that of a row.
std::span<const std::byte> row_bytes(const Tensor& tensor, std::size_t row);

/// Rows one after another.
struct RowRun {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// first, first + 1 ...: so many.
std::vector<std::size_t> consecutive_rows(std::size_t count, std::size_t first = 0);

/// How many rows, keys or relative positions a request is about.
std::size_t rows_of(const Request& request);

/// The row of a position, where the positions ascend; nothing if they do not, or have none.
std::optional<std::size_t> row_at(const Request& request, std::int64_t position);

/// The dimension of a wanted tensor that rows go along; nothing if none does: slopes.
std::optional<std::size_t> row_dimension(const WantedTensor& wanted);

/// The same request of some of its rows, in this order, repeated ones included.
Request with_rows(const Request& request, std::span<const std::size_t> rows);

/// An answer to a request of other rows, of which these are wanted. \pre rows_stand_alone(request)
Response with_rows(Response response, const Request& request, std::span<const std::size_t> rows);

/// Whether every wanted tensor is known to hold rows that depend on their own position alone, of tokens with
/// one position: such a question may be asked in parts.
bool rows_stand_alone(const Request& request);

/// Why a tensor is no answer to what is wanted, as a clause after "the response"; nothing if it may be one.
std::optional<std::string> misfit_of(const Tensor& answer, const WantedTensor& wanted);

/// The answer to a request that was asked in parts, of rows one after another, and every side effect that was
/// seen. If one has no answer, that is the whole's. \param parts at least one
Response joined_rows(const Request& request, std::vector<Response> parts);

/// The same request at other positions, each vector to rotate being the first of the old ones. \pre tokens
/// have one position
Request at_positions(const Request& request, std::span<const std::int64_t> positions);

/// What the positions of a request count in: a power of two.
double position_unit_of(const Request& request);

/// \name A position, for people: "17", "0.5"
/// @{
/// \param position an integer that counts in the unit, a power of two
std::string position_text(std::int64_t position, double unit);
std::string position_text(const Request& request, std::int64_t position);
/// That of a row: "3, 4, 5" where tokens have several.
std::string position_text_of_row(const Request& request, std::size_t row);
/// @}

}  // namespace vernier
