#include "props/collisions/first_collision.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <vector>

#include "props/collisions/colliding_offsets.hpp"
#include "reference/ladder/rounded_table.hpp"

namespace vernier {
namespace {

/// More offsets than these are dearer to compare one by one than to index all rows.
constexpr std::size_t few_offsets = 16;

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

/// Eight bytes at a time, each multiplied in by an odd constant (2^64 over the golden ratio); never zero.
std::uint64_t fingerprint(std::span<const std::byte> row) {
  std::uint64_t hash = row.size();
  for (std::size_t at = 0; at < row.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, row.data() + at, std::min<std::size_t>(8, row.size() - at));
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash == 0 ? 1 : hash;
}

/// Positions by the fingerprints of their rows: a hash table with linear probing, at most half full.
class FingerprintIndex {
 public:
  /// The first position of this fingerprint that `is_same` confirms; without one, `position` is added.
  template <class IsSame>
  std::optional<std::int64_t> find_or_add(std::uint64_t key, std::int64_t position, const IsSame& is_same) {
    if (2 * (size_ + 1) > keys_.size()) {
      grow();
    }
    std::size_t slot = first_slot(key);
    for (; keys_[slot] != 0; slot = next(slot)) {
      if (keys_[slot] == key && is_same(positions_[slot])) {
        return positions_[slot];
      }
    }
    keys_[slot] = key;
    positions_[slot] = static_cast<std::uint32_t>(position);
    ++size_;
    return std::nullopt;
  }

 private:
  std::size_t first_slot(std::uint64_t key) const { return key & (keys_.size() - 1); }
  std::size_t next(std::size_t slot) const { return (slot + 1) & (keys_.size() - 1); }

  void grow() {
    std::vector<std::uint64_t> keys(2 * keys_.size());
    std::vector<std::uint32_t> positions(keys.size());
    keys.swap(keys_);
    positions.swap(positions_);
    for (std::size_t old = 0; old < keys.size(); ++old) {
      if (keys[old] != 0) {
        std::size_t slot = first_slot(keys[old]);
        while (keys_[slot] != 0) {
          slot = next(slot);
        }
        keys_[slot] = keys[old];
        positions_[slot] = positions[old];
      }
    }
  }

  std::vector<std::uint64_t> keys_ = std::vector<std::uint64_t>(1024);
  std::vector<std::uint32_t> positions_ = std::vector<std::uint32_t>(1024);
  std::size_t size_ = 0;
};

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
  Rows rows(table, format, positions);
  Rows confirmed(table, format, positions);
  FingerprintIndex index;
  for (std::int64_t first = 0; first < positions; first += rows.rows_at_once()) {
    const std::int64_t count = std::min(rows.rows_at_once(), positions - first);
    rows.load(first, count);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto row = rows.row(i);
      const auto equal = index.find_or_add(fingerprint(row), first + i, [&](std::int64_t position) {
        confirmed.load(position, 1);
        return same(confirmed.row(0), row);
      });
      if (equal) {
        return Collision{*equal, first + i};
      }
    }
  }
  return std::nullopt;
}

std::optional<Collision> first_collision(const TrigTable& table, Format format, std::int64_t positions) {
  const auto offsets = colliding_offsets(table, format, positions - 1);
  return offsets.size() <= few_offsets ? first_collision_at_offsets(table, format, positions, offsets)
                                       : first_collision_by_fingerprints(table, format, positions);
}

}  // namespace vernier
