#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numerics/computation/finding.hpp"
#include "reference/schemes/encoding.hpp"
#include "reference/specs/key_edit.hpp"

namespace vernier {

/// Another spec, as an edit of the declared one.
struct SpecChange {
  Finding finding;  ///< with the patch of the spec
  double bits = 0;
  std::shared_ptr<const Encoding> encoding;  ///< by that spec
  bool is_choice = false;                    ///< one of the few values that a key has
};

/// What the values of keys that differ are: of two or three that a key has; of more; of a dozen numbers that
/// spec_changes() tries; any number.
enum class ChangedValue { choice, variant, listed, any };

/// What takes one spec to another, key by key (RFC 6902): a list of numbers is one value.
OrderedJson patch_between(const OrderedJson& before, const OrderedJson& after);  // spec_change_words.cpp

/// What the spec of an encoding has otherwise than the declared one.
SpecChange change_between(const Encoding& declared, std::shared_ptr<const Encoding> other,
                          ChangedValue value);

/// Says, and counts, the values that an edit leaves to keys whose default it changes: without them it is not
/// the edit of a spec that leaves these keys out.
void tell_held_defaults(const Encoding& declared, SpecChange& change);

/// Each key with every other value that edits_of() gives it, but for sizes that would fill the memory; each
/// number with the value of another key, and two of one object exchanged; each number of positions times
/// another key of its object.
std::vector<SpecChange> spec_changes(const Encoding& declared);
/// Those of them that give a key one of a few values that it has.
std::vector<SpecChange> choice_changes(const Encoding& declared);

/// Specs with another choice of a key, or with an object, that needs numbers which the declared one lacks:
/// they have those of an example of the scheme, or any, which are to be fitted.
std::vector<std::shared_ptr<const Encoding>> incomplete_changes(const Encoding& declared);

/// Other numbers that positions along all axes stand for: shifted by a half or by one, from 0 to 1 for from
/// -1 to 1, as they are given, and with another end. None of an encoding whose positions are integers.
/// \param points of each axis
std::vector<SpecChange> position_changes(const Encoding& declared, std::span<const std::int64_t> points);

/// How far tensors are from what a spec says of them: the less the nearer, infinite where it says nothing or
/// is none.
using SpecMisfit = std::function<double(const OrderedJson& spec)>;

/// Numbers of the spec, one at a time, that bring it much nearer to the tensors than the declared one is: as
/// short as they may be. \param is_fitted whether a number of this key is looked for
std::vector<SpecChange> fitted_changes(
    const Encoding& declared, const SpecMisfit& misfit,
    const std::function<bool(std::string_view path)>& is_fitted);  // fitted_changes.cpp

/// Numbers of `start` fitted together, one after another and again; nothing unless they bring it next to the
/// tensors. \param start the declared spec, or one of incomplete_changes() \param is_fitted the numbers
std::optional<SpecChange> fitted_together(
    const Encoding& declared, const Encoding& start, const SpecMisfit& misfit,
    const std::function<bool(std::string_view path)>& is_fitted);  // fitted_changes.cpp

}  // namespace vernier
