#include "numerics/tolerances/frequency_order.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include <fmt/format.h>

#include "numerics/budgets/frequency_error.hpp"
#include "reference/numbers/real.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

using Wide = long double;

/// What the quotient of an error and a truth may be off by, with room.
constexpr Wide quotient_error = 0x1p-61L;

/// The true frequency of a pair. \param progression the frequencies, before or after scaling
template <class Progression>
Wide true_frequency(const Progression& progression, int pair) {
  const auto enclosure = tight_enclosure([&] { return progression.at(pair); });
  return static_cast<Wide>(enclosure.middle.high) + static_cast<Wide>(enclosure.middle.low);
}

double relative_error(const program::Range& range, Wide truth) {
  const auto farther = std::max(std::fabs(range.low - truth), std::fabs(range.high - truth));
  return static_cast<double>(farther / truth + quotient_error) * (1 + 0x1p-50);
}

/// Whether the scaling is a stretched base, so that orders of operations give scaled frequencies.
bool has_stretched_base(const program::Declared& declared) {
  return program::script_base(declared) != declared.base.near;
}

/// Whether a contract allows what programs of these orders reach, before any scaling but that of the base.
bool keep_contract(program::Program orders, const program::Declared& declared, const Contract& contract) {
  const auto meant = has_stretched_base(declared) ? declared.exact : Frequencies(declared.progression);
  const auto allowed =
      contract.bind({.role = {}, .frequencies = meant, .columns = {}, .zero_position = {}}, orders.in.format);
  const double of_product = traits(orders.in.format).unit_roundoff();
  orders.ways.push_back(program::use("left"));
  for (int pair = 0; const auto& range : reached_frequencies(orders, declared)) {
    const auto truth = true_frequency(meant, pair);
    const bool is_exact = range.low == truth && range.high == truth;
    if (!is_exact &&
        !(compounded(relative_error(range, truth), of_product) <= allowed.relative_phase_error(pair))) {
      return false;
    }
    ++pair;
  }
  return true;
}

/// The first contract of its format that a program keeps in a usual context; null if it keeps none.
const Contract* contract_kept_by(const program::Program& program) {
  static const program::Declared context(
      RopeSpec{.head_dim = 256, .rope_theta = 1000000}.table(Component::cosine).frequencies, "a recipe");
  const auto found = std::ranges::find_if(contracts(), [&](const Contract& contract) {
    return contract.id.starts_with(traits(program.in.format).name) &&
           keep_contract(program.by_any_library(), context, contract);
  });
  return found == contracts().end() ? nullptr : &*found;
}

/// Every order of operations that keeps contracts of the format, if any does.
std::optional<program::Program> direct_orders(const program::Declared& declared, Format format) {
  const program::In in{format, program::Library::any};
  const auto exponents = program::ways_that_end(program::Stage::exponent);
  const auto with_exponents = [&](std::vector<program::Use> orders) {
    if (std::ranges::any_of(orders,
                            [](const program::Use& by) { return by.way->first == program::Stage::order; })) {
      orders.insert(orders.begin(), exponents.begin(), exponents.end());
    }
    return program::Program{in, std::move(orders)};
  };
  const auto& contract = *contract_named(traits(format).name);
  const auto kept = filtered(program::ways_that_end(program::Stage::order), [&](const program::Use& order) {
    return keep_contract(with_exponents({order}), declared, contract);
  });
  return kept.empty() ? std::nullopt : std::optional(with_exponents(kept));
}

}  // namespace

std::span<const Recipe> every_recipe() {
  static std::deque<std::string> texts;
  static const auto all = [] {
    std::vector<Recipe> result(recipes().begin(), recipes().end());
    for (const auto format : {Format::binary32, Format::binary64}) {
      for (const auto& order : program::ways_that_end(program::Stage::order)) {
        const program::Program program{{format}, {order}};
        const auto is_named =
            order.way == &program::plain_way(program::Stage::order) ||
            std::ranges::any_of(recipes(), [&](const Recipe& recipe) {
              return recipe.compute() == format && recipe.program.words() == program.words();
            });
        if (const auto* contract = is_named ? nullptr : contract_kept_by(program)) {
          const auto name = traits(format).name;
          texts.push_back(fmt::format("{}:{}", name, order.way->id));
          texts.push_back(fmt::format("all in {}, the frequency as {}", name, order.words()));
          result.push_back({texts.end()[-2], texts.back(), contract->id, program});
        }
      }
    }
    return result;
  }();
  return all;
}

std::optional<program::Program> frequency_orders(const Frequencies& frequencies, const Contract& contract,
                                                 const Recipe* recipe) {
  if (program::progression_from_one(frequencies) == nullptr) {
    return std::nullopt;
  }
  if (recipe == nullptr && format_named(contract.id)) {
    return direct_orders({frequencies, contract.id}, *format_named(contract.id));
  }
  const auto named = std::ranges::find(recipes(), contract.id, &Recipe::id);
  const auto* own = recipe == nullptr && named != recipes().end() ? &*named : recipe;
  return own == nullptr || own->narrowed() ? std::nullopt : std::optional(own->program.by_any_library());
}

BudgetModel bind_orders(const Contract& contract, const TrigTable& table, Format stored,
                        const std::optional<program::Program>& orders) {
  auto model = contract.bind(table, stored);
  if (!orders || program::progression_from_one(table.frequencies) == nullptr) {
    return model;
  }
  auto parameters = model.parameters();
  const auto format = parameters.compute;
  const program::Declared declared(table.frequencies, contract.id);
  const bool is_final = orders->takes("exact");  // the frequencies are the true ones, scaled
  auto unscaled = *orders;
  if (!is_final) {
    unscaled.ways.push_back(program::use("left"));
  }
  const auto ranges = reached_frequencies(unscaled, declared);
  // Nothing where only the contract's bound is known: where the base is stretched, as every rounding then is
  // of another number, and where a phase is scaled after it was carried.
  const auto reached = [&](int pair) -> std::optional<double> {
    const auto& range = ranges[static_cast<std::size_t>(pair)];
    const auto* scaled = declared.exact.scaled();
    if (is_final || scaled == nullptr) {
      return relative_error(range, true_frequency(declared.exact, pair));
    }
    const bool is_normal = declared.exact.approximate(pair) >= traits(format).smallest_normal();
    if (has_stretched_base(declared) || !is_normal || orders->takes("carried") ||
        orders->takes("pow-ratio")) {
      return std::nullopt;
    }
    return scaling_error(*scaled, pair, format,
                         relative_error(range, true_frequency(declared.progression, pair)));
  };
  for (int pair = 1; pair < table.frequencies.pairs(); ++pair) {
    auto& error = parameters.frequency_error[static_cast<std::size_t>(pair)];
    if (error > 0 && std::isfinite(error)) {
      const double own = reached(pair).value_or(error);
      // A phase that is carried reaches its roundings as well, which are no error of the frequency.
      error = orders->takes("carried") ? std::min(error, own) : own;
    }
  }
  return {std::move(parameters), table};
}

}  // namespace vernier
