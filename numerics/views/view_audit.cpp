#include "numerics/views/view_audit.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/views/walk.hpp"

namespace vernier {
namespace {

/// Judges the elements of a part's row that are held to a budget.
void judge_elements(RowView& view, std::size_t part_index, TensorFindings& findings) {
  const auto& part = view.parts()[part_index];
  for (const auto column : part.judged) {
    const auto index = view.row() * part.columns + column;
    const double got = view.got(part_index, column);
    const auto allowed = view.allowed(part_index, column);
    const auto place = part.has_pairs ? std::optional(view.truth(part_index).place(column)) : std::nullopt;
    const auto failing = findings.elements.failing;
    add_element(findings.elements, index, got, allowed, place);
    if (allowed.may_overflow) {
      ++findings.may_overflow;
      continue;
    }
    if (!std::isfinite(got) && !allowed.is_instead(got)) {
      findings.non_finite.add(index);
    }
    if (place && findings.elements.failing > failing) {
      const Place failing_place{place->position, column, static_cast<std::int64_t>(view.row())};
      include(findings.failing_extent, FailingExtent::of(failing_place, place->pair));
    }
  }
}

/// Compares those that are copies with what they are copies of.
void compare_copies(RowView& view, std::size_t part_index, TensorFindings& findings) {
  const auto& part = view.parts()[part_index];
  findings.copies += part.copied.size();
  for (const auto column : part.copied) {
    const double got = view.got(part_index, column);
    if (part.is_copy(view.truth(part_index), view.row(), column, got)) {
      continue;
    }
    const auto index = view.row() * part.columns + column;
    findings.changed.add(index);
    if (!std::isfinite(got)) {
      findings.non_finite.add(index);
    }
  }
}

/// Judges some parts of a view, and its points, so that a row is read, and its truth made, once for all.
class ViewJudge {
 public:
  ViewJudge(const RowView& view, std::vector<std::size_t> parts, bool with_norms)
      : parts_(std::move(parts)), findings_(view.parts().size()) {
    if (with_norms && view.has_points()) {
      norms_.emplace(view);
    }
  }

  /// Whether it looks at nothing.
  bool is_idle() const { return parts_.empty() && !norms_; }
  void add(RowView& view) {
    for (const auto part : parts_) {
      judge_elements(view, part, findings_[part]);
      compare_copies(view, part, findings_[part]);
    }
    if (norms_) {
      norms_->add(view);
    }
  }
  void merge(const ViewJudge& later) {
    for (const auto part : parts_) {
      findings_[part].merge(later.findings_[part]);
    }
    if (norms_) {
      norms_->merge(*later.norms_);
    }
  }
  ViewFindings findings() const {
    return {findings_, norms_ ? std::optional(norms_->findings()) : std::nullopt};
  }

 private:
  std::vector<std::size_t> parts_;
  std::vector<TensorFindings> findings_;
  std::optional<NormJudge> norms_;
};

}  // namespace

ViewFindings audited(const RowView& view, unsigned threads, bool with_norms) {
  std::vector<std::size_t> walked_parts;
  for (std::size_t part = 0; part < view.parts().size(); ++part) {
    if (!view.parts()[part].audit_fast) {
      walked_parts.push_back(part);
    }
  }
  const ViewJudge fresh(view, std::move(walked_parts), with_norms);
  auto result = (fresh.is_idle() ? fresh : walked(view, threads, fresh)).findings();
  // Side by side, so that what one does on a single core does not keep the others idle.
  oneapi::tbb::parallel_for(std::size_t{0}, view.parts().size(), [&](std::size_t part) {
    if (const auto& audit = view.parts()[part].audit_fast) {
      result.parts[part] = audit(threads);
    }
  });
  return result;
}

ElementwiseReport audited_elements(const RowView& view, unsigned threads) {
  return audited(view, threads, false).parts.front().elements;
}

ViewFindings audited_row(RowView& view) {
  std::vector<std::size_t> all_parts(view.parts().size());
  std::iota(all_parts.begin(), all_parts.end(), std::size_t{0});
  ViewJudge judge(view, std::move(all_parts), true);
  judge.add(view);
  return judge.findings();
}

}  // namespace vernier
