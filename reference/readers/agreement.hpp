#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/readers/reader.hpp"
#include "reference/readers/rotation_difference.hpp"

namespace vernier {

/// A quantity that a reader has otherwise than what it is compared with.
struct QuantityDifference {
  std::string quantity;
  std::optional<ReadQuantity> expected;  ///< as the file says it, or as the other file has it
  std::optional<ReadQuantity> found;     ///< as the reader has it
};

/// How a reading differs from the one it is compared with.
struct Parting {
  Reading reading;
  Reading compared;
  std::vector<QuantityDifference> quantities;  ///< the causes; may be there although the rotations agree
  RotationDifference rotation;                 ///< where both have a spec

  bool is_known() const { return reading.is_known && compared.is_known; }
  bool is_unknown() const { return !is_known(); }
  bool differs() const;  ///< false also where nothing is known
  bool agrees() const { return is_known() && !differs(); }
};

/// \param compared with what; a reading of the same kind of layer
Parting parting_of(Reading reading, Reading compared);

/// What every reader makes of a document, beside what the file says if every key counts (the reference).
/// \param rows the reference, then readers
std::vector<Parting> partings(const JsonValue& document, const std::string& source,
                              std::span<const ReaderRow> rows);

/// What every reader makes of two documents: its reading of the second beside its own of the first. Where one
/// document has entries for kinds of layers and the other none, the layers of each kind are compared.
std::vector<Parting> partings(const JsonValue& first, const std::string& first_source,
                              const JsonValue& second, const std::string& second_source,
                              std::span<const ReaderRow> rows);

/// An edit of a document after which readers agree.
struct AgreeingEdit {
  JsonValue patch;  ///< a JSON merge patch (RFC 7386)
  /// The readers that still read something else, each once.
  std::vector<std::string> remaining;
};

/// The edit that writes what the file says under keys that differing readers look at: each part lets one more
/// reader agree, and none disagree that did not. Empty if there is no such key. It was tried on the document.
AgreeingEdit agreeing_edit(const JsonValue& document, const std::string& source,
                           std::span<const ReaderRow> rows);

/// The document after a JSON merge patch.
JsonValue merged(const JsonValue& document, const JsonValue& patch);

}  // namespace vernier
