#pragma once

#include <string>
#include <vector>

#include "reference/readers/agreement.hpp"
#include "reference/readers/rotation_difference.hpp"

namespace vernier {

/// Where readers part, and why: one for all readers of whom the same is to be said.
struct ReaderFinding {
  std::vector<std::string> readers;
  std::string kind;      ///< of layers; empty where there are no kinds
  std::string sentence;  ///< the causes, then what follows
  std::string key;       ///< of the first cause, a path in the document; empty if no key says it
  RotationDifference rotation;
};

/// The two documents of a comparison, by their files' names; empty names where it is one document.
struct ComparedFiles {
  std::string first = {};
  std::string second = {};
};

/// A finding for each way in which readers part, in the order of the readers. None where all agree.
std::vector<ReaderFinding> reader_findings(const std::vector<Parting>& partings,
                                           const ComparedFiles& files = {});

/// What a difference of rotations does to angles and scores, a clause each; none where there is none.
/// \param is_fault whether the first is right: "too large", else "as large"
std::vector<std::string> consequences_of(const RotationDifference& rotation, bool is_fault);

}  // namespace vernier
