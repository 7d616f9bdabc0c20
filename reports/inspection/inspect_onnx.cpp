#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "reference/support/counted.hpp"
#include "reports/inspection/kinds.hpp"
#include "reports/inspection/rotation.hpp"

namespace vernier {
namespace {

/// Where a node's tables stand among its inputs: com.microsoft's contrib operators, and ONNX 23.
std::size_t cosines_input(const Onnx::Node& node) {
  constexpr std::size_t of_attention = 7;
  if (node.operation != "RotaryEmbedding") {
    return of_attention;
  }
  return node.domain == "com.microsoft" ? 2 : 1;
}

/// A whole attribute; nothing where it is absent.
std::optional<std::int64_t> whole(const Onnx::Node& node, const std::string& name) {
  const auto found = node.attributes.find(name);
  const auto* value = found == node.attributes.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

/// The attributes against a rope's layout and width. \return what is wrong
std::vector<InspectionFinding> attribute_findings(const Onnx::Node& node, const OrderedJson& spec,
                                                  const std::string& source) {
  std::vector<InspectionFinding> findings;
  const bool in_attention = node.operation != "RotaryEmbedding";
  const std::string name = in_attention ? "rotary_interleaved" : "interleaved";
  const auto is_interleaved = whole(node, name).value_or(0) != 0;
  const auto layout = spec.value("layout", std::string("half"));
  if (is_interleaved != (layout == "interleaved")) {
    add_finding(findings, name, "the layout is {}, not {}: {} {}", is_interleaved ? "interleaved" : "half",
                layout, name,
                whole(node, name) ? fmt::format("= {}", is_interleaved ? 1 : 0)
                                  : std::string("is missing, and its default is 0"));
  }
  const auto width = 2 * static_cast<std::int64_t>(turn_rates_of(spec, source)->frequencies.size());
  const auto head = spec.value("head_dim", std::int64_t{0});
  const auto stated = whole(node, "rotary_embedding_dim").value_or(0);
  if (!in_attention && (stated == 0 ? head : stated) != width) {
    add_finding(findings, "rotary_embedding_dim", "{} dimensions rotate, not {}: rotary_embedding_dim = {}",
                stated == 0 ? head : stated, width, stated);
  }
  return findings;
}

/// The attributes of a node against each rope that is expected: one must agree.
void judge_attributes(const Onnx::Node& node, const Expectation& expected, Inspection& inspection) {
  std::vector<InspectionFinding> first;
  for (const auto& one : expected.encodings) {
    if (!turn_rates_of(one.spec, expected.source)) {
      continue;
    }
    inspection.is_judged = true;
    const auto findings = attribute_findings(node, one.spec, expected.source);
    if (findings.empty()) {
      return;
    }
    first = first.empty() ? findings : first;
  }
  add_new_keys(first, inspection.findings);
}

}  // namespace

void inspect_onnx(const Onnx& file, const Expectation& expected, Inspection& inspection) {
  inspection.kind = "ONNX, " + counted(file.rotations().size(), "node that rotates", "nodes that rotate");
  tell_obstacles(file.tensors(), inspection);
  std::set<std::string> told;
  std::vector<StoredTensor> others;
  const auto tensor_named = [&file](const std::string& name) {
    return std::ranges::find(file.tensors(), name, &StoredTensor::name);
  };
  for (const auto& node : file.rotations()) {
    judge_attributes(node, expected, inspection);
    const auto place = cosines_input(node);
    if (place + 1 >= node.inputs.size() || !told.insert(node.inputs[place]).second) {
      continue;
    }
    const auto cosines = tensor_named(node.inputs[place]);
    const auto sines = tensor_named(node.inputs[place + 1]);
    if (cosines != file.tensors().end() && sines != file.tensors().end()) {
      inspect_tables(*cosines, *sines, expected, inspection);
      told.insert(node.inputs[place + 1]);
    }
  }
  std::ranges::copy_if(file.tensors(), std::back_inserter(others),
                       [&told](const StoredTensor& one) { return !told.contains(one.name); });
  inspect_tensors(others, expected, inspection);
}

}  // namespace vernier
