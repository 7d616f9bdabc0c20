#include "props/collisions/first_collision.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <iterator>
#include <vector>

#include "props/collisions/colliding_offsets.hpp"
#include "reference/ladder/rounded_table.hpp"

namespace vernier {
namespace {

/// More offsets than these are dearer to compare one by one than to index all rows.
constexpr std::size_t few_offsets = 16;
/// Fingerprints are sorted when there are so many, and again at four times as many each time.
constexpr std::int64_t first_sorted = 4096;

/// Rows [first, first + count) of a table.
class Rows {
 public:
  Rows(const TrigTable& table, Format format, std::int64_t positions)
      : table_(table, PositionRange{0, 1, positions}, format) {}

  void load(std::int64_t first, std::int64_t count) {
    bytes_.resize(static_cast<std::size_t>(count) * row_bytes());
    table_.write(first, first + count, bytes_);
  }
  std::span<const std::byte> row(std::int64_t index) const {
    return std::span(bytes_).subspan(static_cast<std::size_t>(index) * row_bytes(), row_bytes());
  }
  std::size_t row_bytes() const { return table_.row_bytes(); }
  std::int64_t rows_at_once() const { return table_.rows_per_block(); }

 private:
  RoundedTable table_;
  std::vector<std::byte> bytes_;
};

bool same(std::span<const std::byte> a, std::span<const std::byte> b) {
  return std::memcmp(a.data(), b.data(), a.size()) == 0;
}

/// The first t in [0, end) whose row equals that of t + offset.
std::optional<std::int64_t> first_equal(Rows& earlier, Rows& later, std::int64_t offset, std::int64_t end) {
  for (std::int64_t first = 0; first < end; first += earlier.rows_at_once()) {
    const std::int64_t count = std::min(earlier.rows_at_once(), end - first);
    earlier.load(first, count);
    later.load(first + offset, count);
    for (std::int64_t i = 0; i < count; ++i) {
      if (same(earlier.row(i), later.row(i))) {
        return first + i;
      }
    }
  }
  return std::nullopt;
}

/// Eight bytes at a time, each multiplied in by an odd constant (2^64 over the golden ratio).
std::uint64_t fingerprint(std::span<const std::byte> row) {
  std::uint64_t hash = row.size();
  for (std::size_t at = 0; at < row.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, row.data() + at, std::min<std::size_t>(8, row.size() - at));
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash;
}

struct MarkedRow {
  std::uint64_t fingerprint = 0;
  std::uint32_t position = 0;
};

/// Marks rows from marked.size() up to `end`.
void mark(Rows& rows, std::int64_t end, std::vector<MarkedRow>& marked) {
  marked.reserve(static_cast<std::size_t>(end));
  for (auto first = static_cast<std::int64_t>(marked.size()); first < end; first += rows.rows_at_once()) {
    const std::int64_t count = std::min(rows.rows_at_once(), end - first);
    rows.load(first, count);
    for (std::int64_t i = 0; i < count; ++i) {
      marked.push_back({fingerprint(rows.row(i)), static_cast<std::uint32_t>(first + i)});
    }
  }
}

/// The first two rows of one fingerprint that are equal indeed, the later one before `limit`.
std::optional<Collision> confirmed(Rows& earlier, Rows& later, std::span<MarkedRow> marked,
                                   std::int64_t limit) {
  std::ranges::sort(marked, {}, &MarkedRow::position);
  for (std::size_t j = 1; j < marked.size() && marked[j].position < limit; ++j) {
    later.load(marked[j].position, 1);
    for (std::size_t i = 0; i < j; ++i) {
      earlier.load(marked[i].position, 1);
      if (same(earlier.row(0), later.row(0))) {
        return Collision{marked[i].position, marked[j].position};
      }
    }
  }
  return std::nullopt;
}

/// The rows whose fingerprint may be that of another row as well: all such rows, and some others. Each
/// fingerprint sets one of eight bits a row, so that one row in eight is taken for the other of two.
std::vector<MarkedRow> perhaps_repeated(const std::vector<MarkedRow>& marked) {
  const auto bits = std::bit_ceil(8 * marked.size());
  std::vector<bool> is_set(bits);
  std::vector<bool> is_set_again(bits);
  const auto place = [&](const MarkedRow& row) { return row.fingerprint & (bits - 1); };
  for (const auto& row : marked) {
    is_set_again[place(row)] = is_set_again[place(row)] || is_set[place(row)];
    is_set[place(row)] = true;
  }
  std::vector<MarkedRow> repeated;
  std::ranges::copy_if(marked, std::back_inserter(repeated),
                       [&](const MarkedRow& row) { return is_set_again[place(row)]; });
  return repeated;
}

/// The first of all equal rows.
std::optional<Collision> first_confirmed(Rows& earlier, Rows& later, const std::vector<MarkedRow>& marked) {
  auto repeated = perhaps_repeated(marked);
  std::ranges::sort(repeated, {}, &MarkedRow::fingerprint);
  std::optional<Collision> best;
  auto limit = static_cast<std::int64_t>(marked.size());
  for (auto run = repeated.begin(); run != repeated.end();) {
    const auto next = std::find_if(run, repeated.end(),
                                   [&](const MarkedRow& row) { return row.fingerprint != run->fingerprint; });
    if (const auto found = confirmed(earlier, later, std::span(run, next), limit)) {
      best = found;
      limit = found->later;
    }
    run = next;
  }
  return best;
}

}  // namespace

std::optional<Collision> first_collision_at_offsets(const TrigTable& table, Format format,
                                                    std::int64_t positions,
                                                    std::span<const std::int64_t> offsets) {
  Rows earlier(table, format, positions);
  Rows later(table, format, positions);
  std::optional<Collision> best;
  for (const std::int64_t offset : offsets) {
    const std::int64_t end = (best ? best->later : positions) - offset;
    if (const auto equal = first_equal(earlier, later, offset, end)) {
      best = {*equal, *equal + offset};
    }
  }
  return best;
}

std::optional<Collision> first_collision_by_fingerprints(const TrigTable& table, Format format,
                                                         std::int64_t positions) {
  assert(positions <= largest_position);
  Rows earlier(table, format, positions);
  Rows later(table, format, positions);
  std::vector<MarkedRow> marked;
  for (std::int64_t end = std::min(first_sorted, positions);; end = std::min(4 * end, positions)) {
    mark(later, end, marked);
    const auto found = first_confirmed(earlier, later, marked);
    if (found || end == positions) {
      return found;
    }
  }
}

std::optional<Collision> first_collision(const TrigTable& table, Format format, std::int64_t positions) {
  const auto offsets = colliding_offsets(table, format, positions - 1);
  return offsets.size() <= few_offsets ? first_collision_at_offsets(table, format, positions, offsets)
                                       : first_collision_by_fingerprints(table, format, positions);
}

}  // namespace vernier
