#include "numerics/studies/field_study.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/cost/attention_row.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

struct Shipped {
  std::string_view recipe;
  Format stored;
};

/// What people run, from the best to the worst habit.
constexpr std::array shipped{
    Shipped{"float64-pow", Format::binary32},       Shipped{"float32-rounded-frequency", Format::binary32},
    Shipped{"float32-pow", Format::binary32},       Shipped{"float32-exp-log", Format::binary32},
    Shipped{"float32-iterated", Format::binary32},  Shipped{"float32-pow", Format::bfloat16},
    Shipped{"float32-pow", Format::binary16},       Shipped{"bfloat16-frequency", Format::binary32},
    Shipped{"float16-frequency", Format::binary32}, Shipped{"bfloat16-position", Format::binary32},
    Shipped{"float16-position", Format::binary32},
};

bool same_rotation(const FieldEncoding& a, const FieldEncoding& b) {
  return a.positions == b.positions && a.table.amplitude == b.table.amplitude &&
         a.table.frequencies == b.table.frequencies;
}

/// The encodings of the catalogue with their models, none of them judged yet.
std::vector<FieldEncoding> encodings_of_the_catalogue(std::int64_t limit) {
  std::vector<FieldEncoding> result;
  for (const auto& model : catalogue()) {
    for (const auto& layer_spec : model.layer_specs) {
      const auto encoding = model.encoding(layer_spec);
      const auto* rotation = encoding->rotation();
      const auto spec = encoding->spec();
      if (rotation == nullptr || !spec.contains("max_position_embeddings")) {
        continue;
      }
      const auto context = spec["max_position_embeddings"].get<std::int64_t>();
      FieldEncoding one{rotation->table, encoding->summary(), std::min(limit, context), {}, {}};
      auto found = std::ranges::find_if(result, [&](const auto& other) { return same_rotation(one, other); });
      if (found == result.end()) {
        found = result.insert(result.end(), std::move(one));
      }
      found->models.push_back({model.id, model.name, layer_spec.layers, model.verified, context});
    }
  }
  return result;
}

const Recipe& recipe_named(std::string_view id) {
  return *std::ranges::find(recipes(), id, &Recipe::id);
}

FieldEntry judged(const FieldEncoding& encoding, const Shipped& one) {
  const auto& [table, summary, positions, models, entries] = encoding;
  const auto& recipe = recipe_named(one.recipe);
  const ErrorSearch search(recipe, table, one.stored, positions);
  return {one.recipe,
          one.stored,
          search.greatest(),
          search.first_beyond(usable_error * approximately(table.amplitude)),
          score_drift(recipe, table, one.stored, positions),
          repeated_rows(recipe, table, one.stored, std::min(positions, most_rows_compared))};
}

/// The frequencies that turn by one axis, and nothing else.
TrigTable of_axis(const TurnedTable& several, std::size_t along) {
  auto table = several.of_axis(along);
  table.frequencies = std::get<JoinedFrequencies>(several.sines.frequencies.family()).parts[along];
  table.columns.clear();
  return table;
}

/// The entry that is worse: off by more, or sooner.
void make_worst(FieldEntry& worst, const FieldEntry& other) {
  const auto position = [](const FieldEntry& entry) {
    return entry.first_unusable.value_or(std::numeric_limits<std::int64_t>::max());
  };
  const auto first = std::min(position(worst), position(other));
  if (other.greatest.error > worst.greatest.error || other.greatest.not_finite) {
    worst.greatest = other.greatest;
  }
  worst.first_unusable =
      first == std::numeric_limits<std::int64_t>::max() ? std::nullopt : std::optional(first);
}

FieldEntry judged_on_axis(const TrigTable& table, std::int64_t positions, const Shipped& one) {
  const ErrorSearch search(recipe_named(one.recipe), table, one.stored, positions);
  return {one.recipe,
          one.stored,
          search.greatest(),
          search.first_beyond(usable_error * approximately(table.amplitude)),
          0,
          {}};
}

/// \pre the model states its grid
FieldGrid judged_grid(const CatalogueModel& model) {
  FieldGrid result{model.id, model.verified, model.grid->lengths, model.grid->source, {}};
  const auto encoding = model.encoding(model.layer_specs.front());
  const auto& several = *encoding->first<TurnedTable>(&TurnedTable::axes);
  for (const auto& one : shipped) {
    for (std::size_t along = 0; along < result.lengths.size(); ++along) {
      auto entry = judged_on_axis(of_axis(several, along), result.lengths[along], one);
      if (along == 0) {
        result.entries.push_back(std::move(entry));
      } else {
        make_worst(result.entries.back(), entry);
      }
    }
  }
  return result;
}

}  // namespace

std::vector<FieldGrid> study_grids(unsigned threads, const PhaseListener& progress) {
  const auto models =
      pointers_to(catalogue(), [](const CatalogueModel& model) { return model.grid.has_value(); });
  progress.begin(
      fmt::format("judging {} recipes on {} grids of the model catalogue", shipped.size(), models.size()),
      models.size());
  std::vector<FieldGrid> result(models.size());
  with_threads(threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, models.size(), [&](std::size_t i) {
      result[i] = judged_grid(*models[i]);
      progress.advance(1);
    });
  });
  return result;
}

std::vector<FieldEncoding> study_field(std::int64_t limit, unsigned threads, const PhaseListener& progress) {
  auto encodings = encodings_of_the_catalogue(limit);
  progress.begin(fmt::format("judging {} recipes on {} rotations of the model catalogue", shipped.size(),
                             encodings.size()),
                 encodings.size() * shipped.size());
  for (auto& encoding : encodings) {
    encoding.entries.resize(shipped.size());
  }
  with_threads(threads, [&] {
    // One recipe after another, so that the longest contexts are spread over the threads.
    oneapi::tbb::parallel_for(std::size_t{0}, encodings.size() * shipped.size(), [&](std::size_t i) {
      const auto index = i % encodings.size();
      const auto recipe = i / encodings.size();
      auto& encoding = encodings[index];
      encoding.entries[recipe] = judged(encoding, shipped[recipe]);
      progress.advance(1);
    });
  });
  return encodings;
}

const FieldEntry& field_entry(const std::vector<FieldEntry>& entries, std::string_view recipe,
                              Format stored) {
  const auto found = std::ranges::find_if(
      entries, [&](const FieldEntry& entry) { return entry.recipe == recipe && entry.stored == stored; });
  assert(found != entries.end());
  return *found;
}

const FieldEntry& field_entry(const FieldEncoding& encoding, std::string_view recipe, Format stored) {
  return field_entry(encoding.entries, recipe, stored);
}

}  // namespace vernier
