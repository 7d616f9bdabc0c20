#include "reports/rates/faults/conversation.hpp"

#include <algorithm>
#include <array>

#include "reports/rates/fault.hpp"
#include "reports/rates/planted_draw.hpp"

namespace vernier::rates {
namespace {

constexpr int most_condition_draws = 2000;

/// Whether the design's rows are asked for one by one, so that other questions about them are asked.
bool converses(const Design& design) {
  return has_rows(design) && design.has_turns() && !design.encoding->has_tables_of_axes() &&
         design.tuning.empty() && design.positions.step == 1 && design.length() >= 64;
}

/// Whether a short conversation about any encoding meets it.
bool is_common(const Atom& atom, const Design& design) {
  constexpr std::int64_t most = 16;
  switch (atom.coordinate) {
    case Coordinate::rows:
    case Coordinate::row:
    case Coordinate::from_end:
      return atom.relation != Relation::equal && atom.value <= most && atom.modulus <= 4;
    case Coordinate::order:
      return !design.contiguous_only && (static_cast<Order>(atom.value) == Order::shuffled ||
                                         static_cast<Order>(atom.value) == Order::descending ||
                                         static_cast<Order>(atom.value) == Order::packed);
    case Coordinate::heads:
    case Coordinate::head:
    case Coordinate::batch:
      return design.rotates() && atom.relation == Relation::at_least && atom.value <= 2;
    case Coordinate::longer_before:
    case Coordinate::longest_so_far:
    case Coordinate::same_rows:
      return true;
    default:
      return false;
  }
}

constexpr std::array<std::pair<std::string_view, CoordinateKind>, 4> conversation_kinds{
    {{"size", CoordinateKind::size},
     {"kind", CoordinateKind::kind},
     {"history", CoordinateKind::history},
     {"element", CoordinateKind::element}}};

}  // namespace

bool edit_conversation(const OrderedJson& kind, FaultNames& names, Design& design) {
  if (!converses(design)) {
    return false;
  }
  const auto wanted =
      std::ranges::find(conversation_kinds, kind.get<std::string>(), [](const auto& k) { return k.first; });
  const auto suits = [&](const Predicate& where) {
    return where.size() == 1 && traits(where.front().coordinate).kind == wanted->second &&
           is_common(where.front(), design);
  };
  auto& draw = names.draw();
  PlantedKernel kernel{.is_faulty = true, .effect = draw.one_of({Effect::next, Effect::previous})};
  for (int attempt = 0; !suits(kernel.where); ++attempt) {
    if (attempt == most_condition_draws) {
      return false;
    }
    kernel.where = draw_conditions(draw, Distribution::covering);
  }
  design.placing.push_back([kernel](const Question& question, std::vector<double>& places) {
    const auto& [asked, coordinates, last] = question.conversation;
    for (std::size_t row = 0; row < places.size(); ++row) {
      const auto index = question.sequence * places.size() + row;
      if (asked != nullptr && holds(kernel.where, with_vector(*coordinates, *asked, index))) {
        const auto place = misplaced(kernel, *asked, index, last);
        places[row] += static_cast<double>(place - asked->position(question.batch, row));
      }
    }
  });
  names.define_text("kernel", to_text(kernel));
  return true;
}

}  // namespace vernier::rates
