// The independent oracle on position ids of videos with sound, several references, packs, padding, shifts,
// draft trees and shards: each again from the code that makes them, by lists that are filled token by token.

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "reference/test/oracle_agreement.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using oracle::AgreementTally;
using oracle::tell;

using Rows = std::vector<std::vector<std::int64_t>>;

Rows rows_of_spec(const std::string& keys) {
  const auto table = parsed(R"({"scheme": "position_ids", )" + keys + "}")->all<ExactTable>().at(0);
  Rows result;
  for (std::int64_t row = 0; row <= *table.last_position; ++row) {
    auto& token = result.emplace_back();
    for (std::size_t axis = 0; axis < table.columns; ++axis) {
      token.push_back(*as_integer(table.factor(row, axis)));
    }
  }
  return result;
}

void compare_rows(const Rows& expected, const std::string& keys, AgreementTally& tally) {
  const auto found = rows_of_spec(keys);
  ASSERT_EQ(found.size(), expected.size()) << keys;
  for (std::size_t row = 0; row < found.size(); ++row) {
    for (std::size_t axis = 0; axis < found[row].size(); ++axis) {
      tally.add(found[row][axis] == expected[row].at(axis),
                fmt::format("{}, row {}, axis {}", keys, row, axis));
    }
  }
}

/// A video of the frames' times, behind `start`.
Rows frames_at(const std::vector<std::int64_t>& times, std::int64_t start, int rows, int columns) {
  Rows result;
  for (const auto time : times) {
    for (int h = 0; h < rows; ++h) {
      for (int w = 0; w < columns; ++w) {
        result.push_back({start + time, start + h, start + w});
      }
    }
  }
  return result;
}

Rows counting(std::int64_t count, std::int64_t start) {
  Rows result;
  for (std::int64_t i = 0; i < count; ++i) {
    result.push_back({start + i, start + i, start + i});
  }
  return result;
}

/// get_chunked_index: token by token, a chunk at most a step.
std::vector<std::pair<std::size_t, std::size_t>> chunked_index(const Rows& ids, std::int64_t per_chunk,
                                                               std::int64_t start) {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  std::size_t first = 0;
  std::int64_t current = 1;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i][0] - start >= current * per_chunk) {
      result.emplace_back(first, i);
      first = i;
      ++current;
    }
  }
  result.emplace_back(first, ids.size());
  return result;
}

std::int64_t greatest_of(const Rows& rows) {
  std::int64_t result = 0;
  for (const auto& row : rows) {
    result = std::max(result, *std::ranges::max_element(row));
  }
  return result;
}

/// Text, a video with sound, text: get_rope_index of Qwen2.5-Omni (by chunks) or Qwen3-Omni (by time), as
/// lists that are concatenated, each next start beyond the last list of all.
Rows omni(bool by_chunks, std::int64_t text, int frames, int rows, int columns, std::int64_t per_frame,
          std::int64_t audio, std::int64_t per_chunk) {
  std::vector<Rows> lists{counting(text, 0)};
  std::int64_t start = text;
  if (by_chunks) {
    lists.push_back(counting(1, start));
    lists.push_back(counting(1, start++));
  }
  std::vector<std::int64_t> times;
  for (int f = 0; f < frames; ++f) {
    times.push_back(f * per_frame);
  }
  const auto video = frames_at(times, start, rows, columns);
  const auto sound = counting(audio, start);
  const auto part = [](const Rows& all, std::size_t first, std::size_t end) {
    return Rows(all.begin() + static_cast<std::ptrdiff_t>(first),
                all.begin() + static_cast<std::ptrdiff_t>(end));
  };
  if (by_chunks) {
    const auto of_video = chunked_index(video, per_chunk, start);
    const auto of_sound = chunked_index(sound, per_chunk, start);
    for (std::size_t j = 0; j < std::max(of_video.size(), of_sound.size()); ++j) {
      if (j < of_video.size()) {
        lists.push_back(part(video, of_video[j].first, of_video[j].second));
      }
      if (j < of_sound.size()) {
        lists.push_back(part(sound, of_sound[j].first, of_sound[j].second));
      }
    }
  } else {
    std::size_t v = 0;
    std::size_t a = 0;
    while (v < video.size() && a < sound.size()) {
      const bool is_video = video[v][0] <= sound[a][0];
      lists.push_back({is_video ? video[v++] : sound[a++]});
    }
    lists.push_back(v < video.size() ? part(video, v, video.size()) : part(sound, a, sound.size()));
  }
  start = greatest_of(lists.back()) + 1;
  if (by_chunks) {
    lists.push_back(counting(1, start));
    lists.push_back(counting(1, start++));
  }
  lists.push_back(counting(2, start));
  Rows result;
  for (const auto& list : lists) {
    result.insert(result.end(), list.begin(), list.end());
  }
  return result;
}

TEST(ShippedOracle, PositionsOfVideosWithSoundEqualThoseOfTheCode) {
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (int draw = 0; draw < 64; ++draw) {
    const bool by_chunks = draw % 2 == 0;
    const int text = 1 + static_cast<int>(engine() % 9);
    const int frames = 1 + static_cast<int>(engine() % 12);
    const int rows = 1 + static_cast<int>(engine() % 8);
    const int columns = 1 + static_cast<int>(engine() % 8);
    const int audio = draw % 8 < 2 ? 1 : 1 + static_cast<int>(engine() % 400);
    const int seconds = 1 + static_cast<int>(engine() % 2);
    const int rate = by_chunks ? 25 : 13;
    const auto keys = fmt::format(
        R"("rule": "{}", "tokens_per_second": {}, "segments": [{{"text": {}}},
           {{"video": [{}, {}, {}], "seconds_per_grid": {}, "audio": {}}}, {{"text": 2}}])",
        by_chunks ? "qwen2_5_omni" : "qwen3_omni", rate, text, frames, 2 * rows, 2 * columns, seconds, audio);
    compare_rows(omni(by_chunks, text, frames, rows, columns, std::int64_t{rate} * seconds, audio, 2 * rate),
                 keys, tally);
  }
  tell(tally, "positions of videos with sound", 50000);
}

/// ComfyUI, comfy/ldm/flux/model.py, ref_latents_method "offset" and "uxo".
TEST(ShippedOracle, PositionsOfReferencesEqualThoseOfTheCode) {
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (int draw = 0; draw < 40; ++draw) {
    const bool is_stitched = draw % 2 == 0;
    Rows expected(3, {0, 0, 0});
    std::string segments = R"({"text": 3})";
    std::int64_t h = 0;
    std::int64_t w = 0;
    std::array<std::int64_t, 2> image{};
    const auto images = 2 + engine() % 4;
    for (std::size_t i = 0; i < images; ++i) {
      const auto rows = 1 + static_cast<std::int64_t>(engine() % 14);
      const auto columns = 1 + static_cast<std::int64_t>(engine() % 14);
      segments += fmt::format(R"(, {{"image": [1, {}, {}]}})", rows, columns);
      std::array<std::int64_t, 3> at{0, 0, 0};
      if (i == 0) {
        image = {rows, columns};
      } else if (is_stitched) {
        at[0] = 1;
        (rows + h > columns + w ? at[2] : at[1]) = rows + h > columns + w ? w : h;
        h = std::max(h, rows + at[1]);
        w = std::max(w, columns + at[2]);
      } else {
        at = {0, image[0] + h, image[1] + w};
        h += rows;
        w += columns;
      }
      for (std::int64_t y = 0; y < rows; ++y) {
        for (std::int64_t x = 0; x < columns; ++x) {
          expected.push_back({at[0], at[1] + y, at[2] + x});
        }
      }
    }
    compare_rows(expected,
                 fmt::format(R"("rule": "{}", "segments": [{}])",
                             is_stitched ? "flux_stitched" : "flux_diagonal", segments),
                 tally);
  }
  tell(tally, "positions of several references", 10000);
}

/// Packs, padding (attention_mask.cumsum(-1) - 1, masked_fill 1), roll_tensor(shifts=-1) with a zero, trees.
TEST(ShippedOracle, PositionsOfSequencesEqualThoseOfTheCode) {
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (int draw = 0; draw < 60; ++draw) {
    const bool is_packed = draw % 2 == 0;
    const auto padding = static_cast<std::int64_t>(engine() % 40);
    const auto shift = static_cast<std::int64_t>(engine() % 4);
    Rows expected(static_cast<std::size_t>(padding), {1});
    std::string segments;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < 1 + engine() % 6; ++i) {
      const auto length = 1 + static_cast<std::int64_t>(engine() % 400);
      segments += fmt::format(R"({}{{"text": {}}})", segments.empty() ? "" : ", ", length);
      for (std::int64_t p = 0; p < length; ++p) {
        expected.push_back({is_packed ? p : before + p});
      }
      before += length;
    }
    for (std::int64_t roll = 0; roll < shift; ++roll) {
      std::ranges::rotate(expected, expected.begin() + 1);
      expected.back() = {0};
    }
    auto keys = fmt::format(R"("rule": "{}", "segments": [{}])", is_packed ? "packed" : "text", segments);
    keys += padding == 0 ? "" : fmt::format(R"(, "left_padding": {})", padding);
    keys += shift == 0 ? "" : fmt::format(R"(, "shift": {})", shift);
    compare_rows(expected, keys, tally);

    std::vector<std::int64_t> parents;
    Rows tree = {{0}, {1}, {2}, {3}};
    for (std::int64_t node = 0; node < 60; ++node) {
      parents.push_back(static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(node + 1)));
      std::int64_t depth = 0;
      for (auto at = node; at >= 0; at = parents[static_cast<std::size_t>(at)] - 1) {
        ++depth;
      }
      tree.push_back({3 + depth});
    }
    compare_rows(tree,
                 fmt::format(R"("rule": "draft_tree", "segments": [{{"text": 4}}], "parents": [{}])",
                             fmt::join(parents, ", ")),
                 tally);
  }
  tell(tally, "positions of packs, padding, shifts and trees", 20000);
}

/// The law of context parallelism: what the ranks hold together is the sequence, each token once, whatever
/// the shards; and each rank's part is what the projects' code takes.
TEST(ShippedOracle, RanksTogetherHoldTheSequence) {
  AgreementTally tally;
  for (const std::string rule : {"text", "packed"}) {
    const std::string sequence =
        fmt::format(R"("rule": "{}", "segments": [{{"text": 700}}, {{"text": 20}}, {{"text": 1200}}])", rule);
    const auto whole = rows_of_spec(sequence);
    for (const std::size_t ranks : {2, 3, 4, 8, 16}) {
      for (const std::string shards : {"contiguous", "zigzag", "round_robin"}) {
        std::vector<int> held(whole.size());
        for (std::size_t rank = 0; rank < ranks; ++rank) {
          std::vector<std::size_t> tokens;
          const auto run = whole.size() / (2 * ranks);
          for (std::size_t token = 0; token < whole.size(); ++token) {
            const bool is_own = shards == "contiguous" ? token / (2 * run) == rank
                                : shards == "zigzag"
                                    ? token / run == rank || token / run == 2 * ranks - 1 - rank
                                    : token / 4 % ranks == rank;
            if (is_own) {
              tokens.push_back(token);
            }
          }
          Rows expected;
          for (const auto token : tokens) {
            ++held[token];
            expected.push_back(whole[token]);
          }
          compare_rows(expected,
                       sequence + fmt::format(R"(, "ranks": {}, "rank": {}, "shards": "{}"{})", ranks, rank,
                                              shards, shards == "round_robin" ? R"(, "block": 4)" : ""),
                       tally);
        }
        EXPECT_TRUE(std::ranges::all_of(held, [](int times) { return times == 1; })) << shards;
      }
    }
  }
  tell(tally, "shards of context parallelism", 50000);
}

}  // namespace
}  // namespace vernier
