#include "numerics/views/row_view.hpp"

#include <numeric>

#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {

std::unique_ptr<ElementSource> bound_truth(std::unique_ptr<ElementSource> truth, const Contract& contract,
                                           Format stored, Overflow overflow) {
  refuse_if(!truth->bind(contract, stored), "{}: the contract {} does not apply to it", truth->role(),
            contract.id);
  truth->declare(overflow);
  return truth;
}

const PointSource& RowView::Shared::points() const {
  std::call_once(are_made, [this] { made = make_points(); });
  return *made;
}

RowView::RowView(std::vector<TensorPart> parts, MakePoints make_points) {
  std::size_t first = 0;
  for (auto& part : parts) {
    part.first = first;
    first += part.columns;
    if (part.judged.empty() && part.copied.empty()) {
      part.judged.resize(part.columns);
      std::iota(part.judged.begin(), part.judged.end(), std::size_t{0});
    }
  }
  shared_ = std::make_shared<const Shared>(std::move(parts), std::move(make_points));
  make_room();
}

RowView::RowView(const RowView& other) : shared_(other.shared_) {
  make_room();
}

void RowView::make_room() {
  truths_.resize(parts().size());
  numbers_.resize(parts().back().first + parts().back().columns);
}

PointSource& RowView::own_points() {
  points_ = points_ ? std::move(points_) : shared_->points().copy();
  return *points_;
}

void RowView::go_to(std::size_t row) {
  row_ = row;
  ++reading_;
  for (const auto& part : parts()) {
    part.read(row, std::span(numbers_).subspan(part.first, part.columns));
  }
}

ElementSource& RowView::truth(std::size_t part) {
  auto& [source, reading] = truths_[part];
  if (source == nullptr) {
    source = parts()[part].make_truth();
  }
  if (reading != reading_) {
    source->go_to(row_);
    reading = reading_;
  }
  return *source;
}

std::span<const std::optional<Point>> RowView::points(PointBounds bounds,
                                                      std::span<const std::int64_t> skip) {
  found_.assign(layout().points.size(), std::nullopt);
  own_points().read(*this, bounds, skip, found_);
  return found_;
}

std::string roles_of(const RowView& view) {
  return joined(view.parts(), &TensorPart::role);
}

}  // namespace vernier
