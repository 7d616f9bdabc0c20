#include <algorithm>
#include <array>
#include <map>
#include <string>

#include <fmt/core.h>

#include "reference/support/counted.hpp"
#include "reports/html/charts/bar_chart.hpp"
#include "reports/report/pages/claims/claims.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

/// What a computation says of a statement, as readers see it: what refutes comes first.
struct ShownRuling {
  Ruling ruling;
  std::string_view heading;
  std::string_view tone;
  MarkTone mark;
};

constexpr std::array rulings{
    ShownRuling{Ruling::refuted, "Refutes it", "bad", MarkTone::bad},
    ShownRuling{Ruling::undecided, "Does not decide", "none", MarkTone::neutral},
    ShownRuling{Ruling::conditional, "True under a condition", "neutral", MarkTone::neutral},
    ShownRuling{Ruling::approximate, "Nearly true", "neutral", MarkTone::neutral},
    ShownRuling{Ruling::holds, "Bears it out", "good", MarkTone::good},
};

const ShownRuling& shown(Ruling ruling) {
  return *std::ranges::find(rulings, ruling, &ShownRuling::ruling);
}

using ComputedEvidence = EvidenceResults::value_type;
using Topic = std::vector<const ComputedEvidence*>;

/// By the first word of their ids.
std::map<std::string, Topic> by_topic(const EvidenceResults& evidence) {
  std::map<std::string, Topic> topics;
  for (const auto& one : evidence) {
    topics[one.first.substr(0, one.first.find('/'))].push_back(&one);
  }
  for (auto& [name, members] : topics) {
    std::ranges::stable_sort(members, {}, [](const auto* one) { return &shown(one->second.finding); });
  }
  return topics;
}

/// "dot-products": "Dot products".
std::string topic_words(std::string topic) {
  if (topic == "rope") {
    return "RoPE";
  }
  if (topic == "alibi") {
    return "ALiBi";
  }
  std::ranges::replace(topic, '-', ' ');
  topic.front() = static_cast<char>(topic.front() - 'a' + 'A');
  return topic;
}

/// The claims that a computation bears on.
Json claims_on(const std::string& evidence, const std::vector<ClaimDocument>& documents) {
  Json claims = Json::array();
  for (const auto& document : documents) {
    for (const auto& claim : document.claims) {
      if (std::ranges::find(claim.evidence, evidence) != claim.evidence.end()) {
        claims.push_back({{"id", claim.id}});
      }
    }
  }
  return claims;
}

/// Computes it again, and nothing else. GoogleTest's names have letters, digits and underscores.
std::string command_of(std::string id) {
  std::ranges::replace_if(
      id, [](char c) { return c == '/' || c == '-'; }, '_');
  return fmt::format("build/release/bin/props_test --gtest_filter='*/{}'", id);
}

Json computation_content(const ComputedEvidence& computation, const std::vector<ClaimDocument>& documents) {
  const auto& [id, result] = computation;
  const auto* evidence = evidence_named(id);
  return {{"id", id},
          {"anchor", evidence_anchor(id)},
          {"computes", evidence->computes},
          {"method", name_of(evidence->method)},
          {"finding", name_of(result.finding)},
          {"tone", shown(result.finding).tone},
          {"told", result.told},
          {"command", command_of(id)},
          {"claims", claims_on(id, documents)}};
}

Json topic_content(const std::string& name, const Topic& topic, const std::vector<ClaimDocument>& documents) {
  Json computed = Json::array();
  Json squares = Json::array();
  for (const auto* one : topic) {
    computed.push_back(computation_content(*one, documents));
    squares.push_back({{"class", shown(one->second.finding).tone}});
  }
  const auto refuting = std::ranges::count(topic, Ruling::refuted,
                                           [](const ComputedEvidence* one) { return one->second.finding; });
  return {
      {"id", "topic-" + name},
      {"name", topic_words(name)},
      {"count", counted(topic.size(), "computation", "computations") +
                    (refuting == 0 ? "" : fmt::format(": {} refute{}", refuting, refuting == 1 ? "s" : ""))},
      {"squares", std::move(squares)},
      {"computed", std::move(computed)}};
}

std::size_t count_of(const EvidenceResults& evidence, Ruling ruling) {
  return static_cast<std::size_t>(
      std::ranges::count(evidence, ruling, [](const ComputedEvidence& one) { return one.second.finding; }));
}

Figure outcomes(const EvidenceResults& evidence) {
  auto chart = described_chart<BarChart>("evidence/outcomes");
  for (const auto& how : rulings) {
    if (const auto count = count_of(evidence, how.ruling); count > 0) {
      chart.bars.push_back({std::string(how.heading), count, evidence.size(), {}, how.mark});
    }
  }
  return bar_chart(chart);
}

std::string evidence_headline(const EvidenceResults& evidence) {
  const auto all = evidence.size();
  if (all == 0) {
    return "No claim was computed in this run";
  }
  const auto refuting = count_of(evidence, Ruling::refuted);
  return refuting == 0 ? fmt::format("None of {} computations refutes what texts say", all)
                       : fmt::format("{} of {} computations refute{} what texts say", refuting, all,
                                     refuting == 1 ? "s" : "");
}

Json evidence_content(const ReportData& data) {
  Json topics = Json::array();
  for (const auto& [name, topic] : by_topic(data.evidence)) {
    topics.push_back(topic_content(name, topic, data.claims));
  }
  Json outcomes_asked = Json::array();
  for (const auto& how : rulings) {
    if (count_of(data.evidence, how.ruling) > 0) {
      outcomes_asked.push_back({{"finding", name_of(how.ruling)}, {"heading", how.heading}});
    }
  }
  return {{"headline", evidence_headline(data.evidence)},
          {"has_evidence", !data.evidence.empty()},
          {"figure", data.evidence.empty() ? "" : to_html(outcomes(data.evidence))},
          {"findings", std::move(outcomes_asked)},
          {"topics", std::move(topics)}};
}

}  // namespace

std::string evidence_anchor(const std::string& evidence) {
  std::string anchor = "evidence-" + evidence;
  std::ranges::replace(anchor, '/', '-');
  return anchor;
}

std::vector<FilledPage> evidence_pages(const ReportData& data) {
  return {{"claims-evidence.html", "The evidence for claims", "Evidence", "evidence", evidence_content(data),
           "claims.html", false}};
}

}  // namespace vernier
