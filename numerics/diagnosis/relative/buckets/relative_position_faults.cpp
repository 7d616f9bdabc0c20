// What goes into a rule of buckets, and what is made of its results, whatever the scheme.

#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"

namespace vernier {
namespace {

using IntegerMap = std::function<std::int64_t(std::int64_t)>;

BucketEdit with_input(std::string sentence, double bits, IntegerMap map) {
  return {{nullptr, std::move(sentence)},
          bits,
          bucket_order::input,
          [map = std::move(map)](BucketComputation& model) { model.input = map; }};
}

BucketEdit with_output(std::string sentence, double bits, IntegerMap map) {
  return {{nullptr, std::move(sentence)},
          bits,
          bucket_order::output,
          [map = std::move(map)](BucketComputation& model) { model.output = map; }};
}

BucketEdits relative_signs(const BucketSubject&) {
  return {with_input("relative positions have the other sign", flag_bits, [](std::int64_t r) { return -r; })};
}

BucketEdits relative_offsets(const BucketSubject&) {
  BucketEdits edits;
  for (const std::int64_t offset : {1, -1, 2, -2}) {
    edits.push_back(with_input(
        fmt::format("relative positions are {} by {}", offset > 0 ? "larger" : "smaller", std::abs(offset)),
        std::abs(offset) == 1 ? variant_bits : listed_bits, [offset](std::int64_t r) { return r + offset; }));
  }
  return edits;
}

BucketEdits relative_formats(const BucketSubject&) {
  BucketEdits edits;
  for (const auto format : {Format::binary16, Format::bfloat16}) {
    edits.push_back(with_input(fmt::format("relative positions are rounded to {}", traits(format).name),
                               variant_bits, [format](std::int64_t r) {
                                 constexpr double most = 65504;
                                 return static_cast<std::int64_t>(
                                     std::clamp(round_to(format, static_cast<double>(r)), -most, most));
                               }));
  }
  for (const int bits : {8, 16}) {
    edits.push_back(with_input(fmt::format("relative positions wrap at the ends of int{}", bits),
                               variant_bits, [bits](std::int64_t r) {
                                 const auto half = std::int64_t{1} << (bits - 1);
                                 return ((r + half) % (2 * half) + 2 * half) % (2 * half) - half;
                               }));
  }
  return edits;
}

BucketEdits clamped_relative_positions(const BucketSubject& subject) {
  std::set<std::int64_t> limits;
  for (std::int64_t limit = 8; limit < subject.reach; limit *= 2) {
    limits.insert({limit - 1, limit});
  }
  // Where the buckets stop to change.
  const auto& observed = subject.observed;
  for (auto i = observed.size(); i > 1 && observed[i - 2].bucket != observed[i - 1].bucket; --i) {
    limits.insert(std::abs(observed[i - 1].relative_position));
  }
  BucketEdits edits;
  for (const auto limit : limits) {
    edits.push_back(with_input(fmt::format("relative positions are held to {} either way", limit),
                               listed_bits,
                               [limit](std::int64_t r) { return std::clamp(r, -limit, limit); }));
  }
  return edits;
}

BucketEdits bucket_offsets(const BucketSubject& subject) {
  std::set<std::int64_t> offsets{1, -1};
  const auto& near = subject.nearest_to_zero();
  const auto model = subject.declared();
  offsets.insert(near.bucket - model(near.relative_position).index);
  offsets.insert(near.bucket - model(-near.relative_position).index);
  offsets.erase(0);
  BucketEdits edits;
  for (const auto offset : offsets) {
    const auto by = std::abs(offset);
    edits.push_back(with_output(fmt::format("buckets are {} by {}", offset > 0 ? "larger" : "smaller", by),
                                by == 1 ? variant_bits : std::min(listed_bits + 1, integer_bits(by)),
                                [offset](std::int64_t bucket) { return bucket + offset; }));
  }
  return edits;
}

/// Buckets of what is farther than the nearest that differs, if all of them differ by as much.
BucketEdits far_buckets(const BucketSubject& subject) {
  const auto declared = subject.declared();
  BucketEdits edits;
  const auto add = [&](std::string_view where, double bits, bool (*is_there)(std::int64_t)) {
    const ObservedBucket* nearest = nullptr;
    for (const auto& one : subject.observed) {
      const bool is_nearer =
          nearest == nullptr || std::abs(one.relative_position) < std::abs(nearest->relative_position);
      if (is_there(one.relative_position) && !subject.holds(declared, one) && is_nearer) {
        nearest = &one;
      }
    }
    if (nearest == nullptr || nearest->relative_position == 0) {
      return;
    }
    const auto least = std::abs(nearest->relative_position);
    const auto by = nearest->bucket - declared(nearest->relative_position).index;
    edits.push_back(
        {{nullptr, fmt::format("relative positions {} of {} and more have buckets that are {} by {}", where,
                               least, by > 0 ? "larger" : "smaller", std::abs(by))},
         bits + integer_bits(least) + (std::abs(by) == 1 ? 0 : integer_bits(by)),
         bucket_order::rule,
         [least, by, is_there, rule = declared.rule](BucketComputation& model) {
           model.rule = [=](std::int64_t r) {
             auto bucket = rule(r);
             if (is_there(r) && std::abs(r) >= least) {
               bucket.index += by;
               bucket.across = bucket.across ? std::optional(*bucket.across + by) : std::nullopt;
             }
             return bucket;
           };
         }});
  };
  add("by a distance", listed_bits, [](std::int64_t) { return true; });
  add("backward by a distance", listed_bits + 1, [](std::int64_t r) { return r < 0; });
  add("forward by a distance", listed_bits + 1, [](std::int64_t r) { return r > 0; });
  return edits;
}

BucketEdits bucket_signs(const BucketSubject&) {
  return {with_output("buckets have the other sign", flag_bits + 0.5,
                      [](std::int64_t bucket) { return -bucket; })};
}

BucketEdits bucket_formats(const BucketSubject&) {
  BucketEdits edits;
  for (const bool is_signed : {true, false}) {
    edits.push_back(with_output(fmt::format("buckets wrap at the ends of {}int8", is_signed ? "" : "u"),
                                variant_bits, [is_signed](std::int64_t bucket) {
                                  return is_signed ? std::int64_t{static_cast<std::int8_t>(bucket)}
                                                   : std::int64_t{static_cast<std::uint8_t>(bucket)};
                                }));
  }
  return edits;
}

constexpr std::array<BucketFault, 8> relative_position_faults{{
    {"direction/relative-sign", relative_signs},
    {"position/relative-offset", relative_offsets},
    {"position/relative-format", relative_formats},
    {"position/relative-clamp", clamped_relative_positions},
    {"mapping/bucket-offset", bucket_offsets},
    {"bucket/far", far_buckets},
    {"mapping/bucket-sign", bucket_signs},
    {"storage/bucket-format", bucket_formats},
}};

}  // namespace

BucketEdits relative_position_edits(const BucketSubject& subject) {
  BucketEdits edits;
  append_edits(relative_position_faults, subject, edits);
  return edits;
}

}  // namespace vernier
