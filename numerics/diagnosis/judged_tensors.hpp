#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/computation/finding.hpp"
#include "numerics/decoding/row_set.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// Tensors of a case that one computation makes, held to what an encoding says of them: its own, or an edited
/// one. Tensors are of any kind that the encoding defines, so that a search over specs needs to know none.
class JudgedTensors {
 public:
  /// One tensor: a part of a view.
  struct Judged {
    const RowView* view;
    std::size_t part;
    RowGrid grid;

    const TensorPart& tensor() const { return view->parts()[part]; }
  };

  /// \param roles of the tensors; those of others are left out. The case and the encoding outlive this.
  /// \return nothing where the encoding defines no such tensors, or has no such positions
  static std::optional<JudgedTensors> of(const Case& subject, const Encoding& encoding,
                                         std::span<const std::string> roles);

  const std::vector<Judged>& all() const { return tensors_; }
  /// Of these rows of each tensor; empty: of all. Stops after the first row that fails, where `stops` says
  /// so.
  Prediction predict(std::span<const std::size_t> rows, bool stops, unsigned threads = 1) const;
  /// How far the elements of these rows are from the truth, all added up; infinite where some have none.
  double misfit(std::span<const std::size_t> rows) const;

 private:
  struct Hypothesis;

  std::shared_ptr<const Hypothesis> hypothesis_;  ///< what the views are of
  std::vector<Judged> tensors_;
};

// spec_search.cpp

/// What a search over specs found.
struct SpecSearch {
  std::vector<Explanation> explanations = {};  ///< specs by which every conclusive element is right
  std::size_t searched = 0;
};

/// Tries every key of the spec with its other values (edits_of()), and where none explains the tensors two
/// keys at once, of those whose values are choices: whatever the scheme is. \param roles of the tensors that
/// one computation makes \param has_explanation whether something
/// else explains them: then one key alone is tried \param threads how many may work
SpecSearch search_spec_keys(const Case& subject, std::span<const std::string> roles, bool has_explanation,
                            unsigned threads);

}  // namespace vernier
