#include "props/matrix/rows/members.hpp"

#include "props/matrix/models/bucket_model.hpp"
#include "props/matrix/models/trig_code.hpp"
#include "props/matrix/models/value_code.hpp"

namespace vernier {

MatrixMember table_member(const std::string& name, const std::string& spec) {
  return {name, [spec] { return std::make_unique<TrigCode>(encoding_of(spec)->plain_tables().front()); },
          spec};
}

MatrixMember value_member(const std::string& name, const std::string& spec, bool trained) {
  return {name,
          [spec, trained] {
            return std::make_unique<ValueCode>(encoding_of(spec)->all<ExactTable>().front(),
                                               ValueCode::Options{.trained = trained});
          },
          spec};
}

MatrixMember bucket_member(const std::string& name, const std::string& spec, bool causal) {
  return {name,
          [spec, causal] {
            return std::make_unique<BucketModel>(encoding_of(spec)->all<BucketTable>().front().rule, causal);
          },
          spec};
}

}  // namespace vernier
