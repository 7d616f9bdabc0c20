// How the blocks of listed axes lie in a head, and the dimensions of identity beside them.

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

constexpr FaultKind mapping_blocks{
    .id = "mapping/blocks",
    .stage = Stage::mapping,
    .title = "the blocks of the axes are laid out otherwise",
    .means = "Dimensions turn by the phases of other pairs, or with other partners.",
    .advice =
        "Look for whether halves are those of the head or of each axis' block, or neighbours, in the table "
        "and "
        "in the rotation; the spec's \"layout\" and \"table_layout\"."};
constexpr FaultKind mapping_identity{
    .id = "mapping/identity",
    .stage = Stage::mapping,
    .title = "the dimensions of identity stand at the other end",
    .means = "Every pair turns by the phase of another one.",
    .advice =
        "Look for the side on which cosines of 1 and sines of 0 are added; the spec's \"identity_front\" and "
        "\"identity_back\"."};

bool lists_axes(const OrderedJson& spec) {
  return spec.at("scheme") == "axial_rope" && spec.contains("axes");
}

/// Appends the base with the columns and pairs of the spec so patched; nothing where that is no spec, or
/// where the base has other frequencies than the declared ones, whose order changes.
void propose_columns(const Clues& clues, const FaultKind& kind, std::string sentence,
                     const OrderedJson& patch, Proposals& out) {
  const auto& declared = clues.suspect.declared();
  const auto are_same = [](const Tone& a, const Tone& b) { return a.cosine == b.cosine && a.sine == b.sine; };
  if (!std::ranges::equal(clues.base.tones, declared.tones, are_same)) {
    return;
  }
  const auto other = clues.suspect.declared_by(patch);
  if (!other || other->tones.size() != declared.tones.size()) {
    return;
  }
  propose_edit(
      clues, kind, std::move(sentence), variant_bits, out,
      [&](Computation& computation) {
        computation.cells = other->cells;
        computation.rotated = other->rotated;
        computation.tones = other->tones;
        computation.axes = other->axes;
        computation.parameters = other->parameters;
      },
      patch);
}

/// Those of which one has halves of each axis: the others are layouts of a head with one axis too.
void propose_blocks(const Clues& clues, const FaultKind& kind, Proposals& out) {
  constexpr std::array<std::string_view, 3> layouts{"half", "interleaved", "half_per_axis"};
  const auto spec = clues.suspect.encoding().spec();
  if (!lists_axes(spec)) {
    return;
  }
  const auto of_pairs = spec.at("layout").get<std::string>();
  const auto of_columns = spec.value("table_layout", of_pairs);
  for (const auto other : layouts) {
    const auto is_of_blocks = [&](std::string_view own) {
      return other != own && (other == layouts.back() || own == layouts.back());
    };
    if (is_of_blocks(of_pairs)) {
      propose_columns(clues, kind, fmt::format("pairs are {}, not {}", other, of_pairs),
                      replacement("layout", other), out);
    }
    if (clues.suspect.vectors() != nullptr && is_of_blocks(of_columns)) {
      propose_columns(
          clues, kind,
          fmt::format("the columns of the table are {}, {}", other,
                      other == of_pairs ? "as the pairs are" : "though the pairs are " + of_pairs),
          replacement("table_layout", other), out);
    }
  }
}

void propose_identity(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto spec = clues.suspect.encoding().spec();
  if (!lists_axes(spec)) {
    return;
  }
  const auto front = spec.value("identity_front", 0);
  const auto back = spec.value("identity_back", 0);
  if (front != back) {
    auto patch = replacement("identity_front", back);
    patch.push_back(replacement("identity_back", front).front());
    propose_columns(
        clues, kind,
        fmt::format("the dimensions of identity stand {} the axes, not {}",
                    front > back ? "behind" : "in front of", front > back ? "in front" : "behind"),
        patch, out);
  }
}

}  // namespace

StageEdits listed_axes_edits() {
  return {{&mapping_blocks, propose_blocks}, {&mapping_identity, propose_identity}};
}

}  // namespace vernier
