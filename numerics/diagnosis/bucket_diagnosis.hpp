#pragma once

#include "numerics/cases/bucket_tensor.hpp"
#include "numerics/diagnosis/finding.hpp"
#include "reference/encoding.hpp"

namespace vernier {

/// Why buckets fail their contract; nothing of those that keep it. \param encoding that which they are of
Diagnosis diagnose_buckets(const BucketTensor& buckets, const Encoding& encoding);

}  // namespace vernier
