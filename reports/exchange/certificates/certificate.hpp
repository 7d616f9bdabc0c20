#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "numerics/audit/audit_report.hpp"
#include "numerics/views/case_views.hpp"
#include "reference/json/json.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// A tensor whose every element was judged.
struct CertifiedTensor {
  TensorPart tensor;
  std::string place;   ///< as in a case, relative to the certificate
  std::string digest;  ///< SHA-256 of its file
  AuditReport report;
};

/// That a case's tables keep their contracts, or where they break them, in claims that a program without
/// Vernier can check (certificates/vernier-check-certificate): it computes the truth and the budgets anew.
struct Certificate {
  OrderedJson spec;  ///< only the keys that the elements of these tensors depend on
  std::int64_t first_position = 0;
  std::int64_t last_position = 0;
  std::vector<CertifiedTensor> tensors;

  /// The status of what is claimed: fail with any element beyond its budget, else inconclusive with any whose
  /// budget proves nothing.
  Status accuracy() const;
};

/// Where the tensors of a case are, by role.
using TensorPlaces = std::map<std::string, std::filesystem::path, std::less<>>;

/// Judges every element of the case. \param places of all its tensors \param source what to call the case in
/// errors \param folder of the certificate
/// \throws InputError, saying what can be certified, for tensors and specs that the checker does not know,
/// and for files that change meanwhile
Certificate certify(const Case& subject, const TensorPlaces& places, const std::string& source,
                    const std::filesystem::path& folder);

/// The document that the checker reads (certificate.schema.json).
OrderedJson certificate_json(const Certificate& certificate);

}  // namespace vernier
