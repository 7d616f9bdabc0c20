#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>
#include <utility>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/recipes/c_library.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/text_file.hpp"
#include "reference/support/threads.hpp"
#include "reports/exchange/atlas/atlas.hpp"
#include "reports/exchange/sweeps/sweep_folder.hpp"
#include "reports/words/program_end.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

constexpr auto between_atlas_savings = std::chrono::seconds(10);

/// A recipe and a format that it is stored in.
struct AtlasKind {
  const Recipe* recipe;
  Format stored;
};

std::vector<AtlasKind> all_kinds() {
  std::vector<AtlasKind> result;
  for (const auto& recipe : recipes()) {
    for (const auto stored : storage_formats(recipe)) {
      result.push_back({&recipe, stored});
    }
  }
  return result;
}

/// Without the rotations.
Atlas begun(const CataloguedRotations& wanted) {
  Atlas atlas;
  atlas.program = build_description();
  atlas.c_library = c_library();
  atlas.left_out = wanted.left_out;
  atlas.planned = wanted.rotations.size();
  return atlas;
}

/// Whether what is stored is a beginning of what is wanted, by the same program.
bool begins(const Atlas& stored, const Atlas& wanted, const CataloguedRotations& rotations,
            std::span<const AtlasKind> kinds) {
  const auto same_kind = [](const UsableContext& one, const AtlasKind& kind) {
    return one.recipe == kind.recipe->id && one.stored == kind.stored;
  };
  return stored.program == wanted.program && stored.c_library == wanted.c_library &&
         stored.planned == wanted.planned && !stored.is_complete() &&
         std::ranges::equal(stored.rotations, std::span(rotations.rotations).first(stored.rotations.size()),
                            [&](const AtlasRotation& one, const NamedRotation& rotation) {
                              return one.summary == rotation.summary && one.models == rotation.models &&
                                     std::ranges::equal(one.kinds, kinds, same_kind);
                            });
}

std::optional<Atlas> unfinished(const Atlas& wanted, const CataloguedRotations& rotations,
                                std::span<const AtlasKind> kinds, const std::filesystem::path& file) {
  if (file.empty() || !std::filesystem::is_regular_file(file)) {
    return std::nullopt;
  }
  const auto text = read_text(file);  // hours of work may be in it: it is not replaced unread
  try {
    auto stored = read_atlas(text, file.string());
    return begins(stored, wanted, rotations, kinds) ? std::optional(std::move(stored)) : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;  // it is another file, which is replaced as any
  }
}

void save(const Atlas& atlas, const std::filesystem::path& file) {
  if (!file.empty()) {
    write_durably(file, atlas_text(atlas));
  }
}

SingleSineErrors sines_for(const AtlasOptions& options) {
  if (!options.looks_at_sines && built_in_atlas().c_library == c_library()) {
    return built_in_atlas().sines;
  }
  options.progress.begin("looking at every float32 sine and cosine", 1);
  return single_sine_errors(1, options.threads);
}

AtlasRotation rotation_of(const NamedRotation& rotation, std::span<const AtlasKind> kinds,
                          const SingleSineErrors& sines, const AtlasOptions& options) {
  AtlasRotation result{rotation.summary,
                       rotation.models,
                       rotation.table.frequencies.pairs(),
                       nearest_quarter_turn(rotation.table),
                       {}};
  result.kinds.resize(kinds.size());
  with_threads(options.threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, kinds.size(), [&](std::size_t i) {
      stop_if_interrupted();
      result.kinds[i] = usable_context(*kinds[i].recipe, rotation.table, kinds[i].stored, sines);
      options.progress.advance(1);
    });
  });
  return result;
}

}  // namespace

std::optional<Atlas> make_atlas(const CataloguedRotations& wanted, const AtlasOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto kinds = all_kinds();
  auto atlas = begun(wanted);
  if (auto stored = unfinished(atlas, wanted, kinds, options.file)) {
    atlas = *std::move(stored);
  } else {
    atlas.sines = sines_for(options);
  }
  const NotedInterrupts noted(seconds_to_save);
  auto saved = Clock::time_point{};
  const auto left = std::span(wanted.rotations).subspan(atlas.rotations.size());
  options.progress.begin("proving how far rotations can be used",
                         std::max<std::size_t>(left.size() * kinds.size(), 1));
  try {
    for (const auto& rotation : left) {
      atlas.rotations.push_back(rotation_of(rotation, kinds, atlas.sines, options));
      if (Clock::now() - saved >= between_atlas_savings || atlas.is_complete()) {
        save(atlas, options.file);
        saved = Clock::now();
      }
    }
  } catch (const Interrupted&) {
    save(atlas, options.file);
    return std::nullopt;
  }
  return atlas;
}

}  // namespace vernier
