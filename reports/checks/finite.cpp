#include "reports/checks/checks.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

void judge(const AuditedCase& audited, std::vector<Check>& out) {
  for (std::size_t i = 0; i < audited.audits.size(); ++i) {
    const auto& statistics = audited.audits[i].statistics;
    const auto bad = statistics.non_finite();
    Check check{"finite/" + audited.subject.tables[i].role(), Status::pass, "",
                "every element is finite: encodings are bounded"};
    check.counts = {statistics.count(), statistics.count(), bad, 0};
    check.reason = "all " + std::to_string(statistics.count()) + " elements are finite";
    if (const auto place = statistics.first_non_finite()) {
      check.status = Status::fail;
      // Elements that are not finite are beyond every budget: where all of those are, these are.
      check.failing_extent = audited.audits[i].failing_extent;
      check.reason = std::to_string(bad) + " of " + std::to_string(statistics.count()) +
                     " elements are infinite or not a number, the first at position " +
                     std::to_string(place->position) + ", column " + std::to_string(place->column);
      check.counterexample = {{"position", std::to_string(place->position)},
                              {"column", std::to_string(place->column)}};
    }
    out.push_back(std::move(check));
  }
}

}  // namespace

CheckKind finite_check() {
  return {"finite/<role>",
          "No element is infinite or not a number. One NaN in a table spreads through attention to the whole "
          "sequence.",
          "sines and cosines lie in [-1, 1], and so does every table times its amplitude", judge};
}

}  // namespace vernier
