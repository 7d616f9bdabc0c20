#include "numerics/asking/stand_in.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/asking/live_subjects.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/tensors/position_unit.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {

const TableUnderTest* StandIn::table(const WantedTensor& wanted) {
  const auto format = traits(wanted.type).format;
  const auto tables = encoding_.plain_tables();
  const auto found = std::ranges::find_if(tables, [&](const TrigTable& one) {
    return one.role == wanted.role && one.columns.size() == wanted.shape.back();
  });
  if (!format || found == tables.end()) {
    return nullptr;
  }
  auto& known = tables_[{wanted.role, wanted.shape.back(), wanted.type}];
  if (known == nullptr) {
    known = honest_table(*found, *format);
  }
  return known.get();
}

const RotationUnderTest* StandIn::rotation(const WantedTensor& wanted) {
  const auto* rope = dynamic_cast<const RopeEncoding*>(&encoding_);
  if (rope == nullptr || rope->parameters().mrope) {
    return nullptr;
  }
  const auto spec = wanted.role == "rotated"          ? std::optional(rope->parameters())
                    : wanted.role == "input_gradient" ? rope->parameters().transposed()
                                                      : std::nullopt;
  if (!spec) {
    return nullptr;
  }
  auto& known = rotations_[{wanted.role, wanted.type}];
  if (known == nullptr) {
    known = std::make_unique<RecipeRotation>(honest_recipe(), *spec, *traits(wanted.type).format);
  }
  return known.get();
}

Tensor StandIn::answer(const Request& request, const WantedTensor& wanted) {
  const auto bytes = static_cast<std::size_t>(size_in_bytes(wanted.type, wanted.shape).value_or(0));
  const auto* rows = table(wanted);
  const auto* vectors = rotation(wanted);
  if (rows == nullptr && vectors == nullptr) {
    return {wanted.type, wanted.shape, std::vector<std::byte>(bytes)};
  }
  const auto width = wanted.shape.back();
  const auto positions = integers_of(request.positions);
  std::vector<double> values(bytes / traits(wanted.type).bytes);
  std::vector<double> vector(width);
  for (std::size_t row = 0; row * width < values.size(); ++row) {
    const auto position = encoding_.positions().place(positions[row % positions.size()]);
    const auto out = std::span(values).subspan(row * width, width);
    if (rows != nullptr) {
      rows->row(position, out);
    } else {
      request.input->numbers(row * width, vector);
      vectors->rotate(position, vector, out);
    }
  }
  return number_tensor(wanted.type, wanted.shape, values);
}

Response StandIn::at_real_positions(const Request& request) {
  std::vector<double> numbers(request.positions.elements());
  request.positions.numbers(0, numbers);
  int places = 0;
  for (const double number : numbers) {
    places = std::max(places, places_of(number));
  }
  auto& finer = finer_[places];
  if (finer.stand_in == nullptr) {
    finer.encoding = counting_in(Rational(1, std::int64_t{1} << places), encoding_, "the spec");
    finer.stand_in = std::make_unique<StandIn>(*finer.encoding, takes_, [](const Request&) {});
  }
  const auto positions =
      mapped(numbers, [&](double number) { return std::int64_t{std::lrint(std::ldexp(number, places))}; });
  auto counted = request;
  counted.positions = integer_tensor(request.positions.shape(), positions);
  return finer.stand_in->ask(counted);
}

Response StandIn::ask(const Request& request) {
  listen_(request);
  if (request.positions.format()) {
    return at_real_positions(request);
  }
  Response response;
  for (const auto& wanted : request.wanted) {
    response.tensors.emplace(wanted.role, answer(request, wanted));
  }
  return response;
}

}  // namespace vernier
