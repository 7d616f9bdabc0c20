#include <algorithm>

#include <fmt/core.h>

#include "reports/pages/findings/report_finding.hpp"
#include "reports/pages/models/configuration.hpp"
#include "reports/pages/models/model_charts.hpp"

namespace vernier {
namespace {

std::string text_of(const std::vector<Configuration>& all) {
  const auto needing = [&](Need need) {
    return std::ranges::count_if(all,
                                 [&](const Configuration& one) { return need_of(*one.encoding) == need; });
  };
  std::string text =
      "The usual recipe is 1 / base^(2i/d), and all else, in float32. Its tables drift as the position "
      "grows, by "
      "more than a step of bfloat16 at the positions in question.";
  const auto exact = needing(Need::exact_frequencies);
  const auto wide = needing(Need::wide_phase);
  if (exact + wide > 0) {
    text += fmt::format(" Exact frequencies cure {} of them; a phase in float64 cures {}.", exact,
                        needing(Need::unknown) == 0 ? "every one" : std::to_string(exact + wide));
  }
  return text + " Every element was searched, with proof.";
}

std::string picture_of(const std::vector<Configuration>& all, bool cut) {
  if (!contexts_differ(all)) {
    return "";
  }
  return to_html(cut ? context_against_reach(all, "contexts") : served_by_context(all, "contexts"));
}

ReportFinding make_models_finding(const ReportData& data) {
  const auto all = configurations(data.field);
  const auto unserved = std::ranges::count_if(
      all, [](const Configuration& one) { return need_of(*one.encoding) != Need::usual_table; });
  const bool cut = std::ranges::any_of(all, is_cut);
  return {.concerns = Concerns::every_model,
          .share = static_cast<double>(unserved) / static_cast<double>(all.size()),
          .headline = headline_of_models(all),
          .text = unserved > 0 ? text_of(all)
                  : cut
                      ? "This run looked at the beginning of long contexts only. Float32 tables drift as the "
                        "position grows, so a run over whole contexts may find more."
                      : "At no position is an element off by more than a step of bfloat16.",
          .picture = picture_of(all, cut),
          .page = "models.html",
          .link = "All models, and what each needs"};
}

}  // namespace

ReportFindingMaker finding_of_models() {
  return {"models", make_models_finding, [](const ReportData& data) { return !data.field.empty(); }};
}

}  // namespace vernier
