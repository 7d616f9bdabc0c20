#include <algorithm>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "props/broken/broken.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

std::string part_text(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{} of {}", part, whole);
}

/// The case that used most of what it was allowed, or the counterexample, or why there is neither.
std::string told(const LawResult& result) {
  if (result.counterexample) {
    return "fails: " + to_string(*result.counterexample);
  }
  if (result.status == CheckStatus::inconclusive) {
    return "inconclusive: " + result.reason;
  }
  if (!result.worst || !result.worst->residual) {
    return "–";
  }
  return fmt::format("{} of the allowance at {}", measure_text(result.worst->residual->budget_ratio),
                     to_string(result.worst->instance));
}

/// What the cases were drawn from; the law's own domain, which is that of all, stands above.
DataTable honest_table(const LawStudy& study) {
  const auto row = [&](const LawResult& result) -> TableRow {
    const auto shared = result.domain.starts_with(study.law->domain) ? study.law->domain.size() : 0;
    const auto own = result.domain.substr(shared);
    return {
        result.subject, own.substr(std::min(own.size(), own.find_first_not_of("; "))),
        part_text(static_cast<std::uint64_t>(result.conclusive), static_cast<std::uint64_t>(result.cases)),
        told(result)};
  };
  return filled_table("laws/honest", study.honest, row, study.law->id);
}

DataTable broken_table(const LawStudy& study) {
  const auto row = [](const LawResult& result) -> TableRow {
    return {result.subject, result.status == CheckStatus::fails ? told(result) : "missed"};
  };
  return filled_table("laws/broken", study.broken, row, study.law->id);
}

std::size_t with_status(const std::vector<LawResult>& results, CheckStatus status) {
  return static_cast<std::size_t>(std::ranges::count(results, status, &LawResult::status));
}

/// How many right implementations keep a law.
std::string held_text(const LawStudy& study) {
  return part_text(with_status(study.honest, CheckStatus::holds), study.honest.size());
}

/// How many broken ones it catches.
std::string caught_text(const LawStudy& study) {
  return part_text(with_status(study.broken, CheckStatus::fails), study.broken.size());
}

DataTable summary_table(const std::vector<LawStudy>& studies) {
  return filled_table("laws/summary", studies, [](const LawStudy& study) -> TableRow {
    return {study.law->id, std::string(study.law->property->name), held_text(study), caught_text(study)};
  });
}

struct LawTag {
  std::string_view text;
  std::string_view tone;
};

constexpr LawTag law_holds{"holds", "good"};
constexpr LawTag law_contradicted{"broken by a right implementation", "bad"};
constexpr LawTag law_undecided{"not decided by the cases drawn", "neutral"};
constexpr LawTag law_misses{"misses a broken implementation", "neutral"};

const LawTag& tag_of(const LawStudy& study) {
  return study.as_it_should_be()                                               ? law_holds
         : with_status(study.honest, CheckStatus::fails) > 0                   ? law_contradicted
         : with_status(study.honest, CheckStatus::holds) < study.honest.size() ? law_undecided
                                                                               : law_misses;
}

/// "15 of 16 laws hold and catch all implementations that break them; 1 holds, but misses a broken one"
std::string laws_headline(const std::vector<LawStudy>& laws) {
  const auto count = [&](const LawTag& tag) {
    return static_cast<std::size_t>(
        std::ranges::count_if(laws, [&](const LawStudy& one) { return &tag_of(one) == &tag; }));
  };
  auto text = fmt::format("{} of {} laws hold and catch all implementations that break them",
                          count(law_holds), laws.size());
  for (const auto& [tag, told] : {std::pair{&law_misses, "{} hold{}, but miss{} a broken one"},
                                  {&law_undecided, "{} not decided by the cases drawn"},
                                  {&law_contradicted, "{} broken by a right implementation"}}) {
    if (const auto found = count(*tag); found > 0) {
      text += "; " + fmt::format(fmt::runtime(told), found, found == 1 ? "s" : "", found == 1 ? "es" : "");
    }
  }
  return text;
}

}  // namespace

Json laws_content(const ReportData& data) {
  Json laws = Json::array();
  for (const auto& study : data.laws) {
    auto id = study.law->id;
    std::ranges::replace(id, '/', '-');
    laws.push_back(
        {{"id", id},
         {"name", study.law->property->name},
         {"scheme", study.law->id.substr(0, study.law->id.find('/'))},
         {"law_id", study.law->id},
         {"statement", study.law->property->statement},
         {"formulas",
          page_texts().at("law formulas").value(std::string(study.law->property->id), Json::array())},
         {"domain", study.law->domain},
         {"citation", study.law->property->citation},
         {"counterexample", study.law->property->counterexample},
         {"tag", tag_of(study).text},
         {"tone", tag_of(study).tone},
         {"holds", held_text(study)},
         {"caught", caught_text(study)},
         {"honest", to_html(honest_table(study))},
         {"broken", to_html(broken_table(study))}});
  }
  return {
      {"headline", laws_headline(data.laws)}, {"summary", to_html(summary_table(data.laws))}, {"laws", laws}};
}

bool LawStudy::as_it_should_be() const {
  const auto all = [](const std::vector<LawResult>& results, CheckStatus status) {
    return std::ranges::all_of(results, [&](const LawResult& result) { return result.status == status; });
  };
  return all(honest, CheckStatus::holds) && all(broken, CheckStatus::fails);
}

std::vector<LawStudy> study_laws(const CheckOptions& options, const PhaseListener& progress) {
  std::vector<LawStudy> studies;
  const auto honest = subjects();
  progress.begin("trying the laws", laws().size());
  for (const auto& law : laws()) {
    LawStudy study{&law, {}, {}};
    for (const auto& subject : honest) {
      if (applies(law, subject)) {
        study.honest.push_back(run_law(law, subject, options));
      }
    }
    for (const auto& broken : broken_implementations()) {
      if (std::ranges::count(broken.caught_by, law.id) > 0) {
        study.broken.push_back(run_law(law, broken.target, options));
      }
    }
    studies.push_back(std::move(study));
    progress.advance(1);
  }
  return studies;
}

}  // namespace vernier
