// The law that there is one truth: over specs that are drawn from the keys of every scheme, the certified
// table, the truth of each element, the audits and the test vectors say the same. That it is the truth of the
// papers is what reports/test/harness says, an oracle of every scheme and format that shares no code with
// them.
//
// VERNIER_ELEMENTS asks for so many elements, of all schemes together; the weekly run asks for 10^7.

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/tensors/rotated_tensor.hpp"
#include "numerics/tensors/table_tensor.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_draw.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/refusal.hpp"
#include "reference/test/seed.hpp"
#include "reports/exchange/vectors/vector_tensor.hpp"
#include "reports/words/specs/placed_tensor.hpp"

namespace vernier {
namespace {

constexpr std::uint64_t elements_of_a_sample = 60'000;
constexpr std::size_t most_rows_of_a_table = 12;
/// A table wider than this has its first row looked at alone.
constexpr std::size_t usual_elements = 4096;

std::uint64_t wanted_elements() {
  const char* text = std::getenv("VERNIER_ELEMENTS");
  return text == nullptr ? elements_of_a_sample : std::strtoull(text, nullptr, 10);
}

/// The positions of a few rows: consecutive ones from 0, about a power of two, or below 0.
std::vector<std::int64_t> drawn_positions(KeyDice dice) {
  const auto rows = 1 + dice.below(most_rows_of_a_table);
  const auto power = std::int64_t{1} << dice.below(31);
  const std::int64_t firsts[] = {0, 0, 0, -2, 1, power - static_cast<std::int64_t>(rows) / 2, -power};
  return positions_from(std::max<std::int64_t>(firsts[dice.below(7)], -(std::int64_t{1} << 30)), rows);
}

using KeyPair = std::pair<std::string, std::string>;

/// What the law was tried on.
struct TriedSpec {
  std::uint64_t elements = 0;
  std::uint64_t specs = 0;
  std::set<KeyPair> pairs;       ///< of keys that a spec had both, by generic path
  std::set<KeyPair> read;        ///< of keys that are read of one spec
  std::set<KeyPair> never_both;  ///< of those, what no draw had that was meant to

  /// How many pairs do not go together.
  std::size_t apart() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(never_both, [&](const KeyPair& pair) { return !pairs.contains(pair); }));
  }

  void add_keys(const std::vector<KeyDescription>& keys) {
    for (const auto& a : keys) {
      for (const auto& b : keys) {
        const KeyPair pair{generic_path(a.path), generic_path(b.path)};
        if (pair.first < pair.second) {
          read.insert(pair);
          if (a.is_there() && b.is_there()) {
            pairs.insert(pair);
          }
        }
      }
    }
  }
};

/// A spec that has both keys; nothing where so many draws were refused or left one out.
std::optional<DrawnSpec> spec_with(const Scheme& scheme, const KeyPair& pair, std::mt19937_64& engine) {
  constexpr int most_draws = 500;
  SpecDraw how{.greatest_size = 24};
  for (const auto& path : {pair.first, pair.second}) {
    for (auto end = path.find_first_of(".[");; end = path.find_first_of(".[", end + 1)) {
      how.given.insert(path.substr(0, end));  // and what it is in
      if (end == std::string::npos) {
        break;
      }
    }
  }
  const auto has = [](const DrawnSpec& drawn, const std::string& path) {
    return std::ranges::any_of(drawn.keys, [&](const KeyDescription& key) {
      return key.is_there() && generic_path(key.path) == path;
    });
  };
  for (int draw = 0; draw < most_draws; ++draw) {
    how.given_of_eight = static_cast<std::uint64_t>(draw % 4);
    auto drawn = attempt(scheme, KeyDice(engine).among(scheme.forms), how, engine);
    if (!drawn.fault && has(drawn, pair.first) && has(drawn, pair.second)) {
      return drawn;
    }
  }
  return std::nullopt;
}

/// The elements of a certified table, as it is written. Nothing where the format cannot hold one.
std::optional<std::vector<double>> written(const PlacedTensor& tensor, ElementSource& elements,
                                           const std::vector<std::int64_t>& positions, Format format) {
  const auto type = element_type_of(format);
  std::vector<std::byte> bytes(elements.elements() * traits(type).bytes);
  try {
    if (const auto* table = tensor.plain_table()) {
      const PositionRange range{positions.front(), 1, static_cast<std::int64_t>(positions.size())};
      RoundedTable(*table, table->positions.places(range), format).write(0, range.count, bytes);
    } else {
      bytes.clear();
      append_rounded(elements, type, 0, elements.elements(), bytes);
    }
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::AnyOf(::testing::HasSubstr("greatest number"),
                                               ::testing::HasSubstr("undecided at")));
    return std::nullopt;
  }
  std::vector<double> values(elements.elements());
  Tensor(type, elements.shape(), std::move(bytes)).numbers(0, values);
  return values;
}

class DrawnLaw {
 public:
  DrawnLaw(const std::string& spec, const std::vector<std::int64_t>& positions, TriedSpec& tried)
      : spec_(spec), encoding_(parsed(spec)), positions_(positions), tried_(tried) {}

  /// \param random for the format, and for the element that is nudged
  void holds(KeyDice dice) {
    std::set<std::string> vectors;
    for (const auto& tensor : placed_tensors(*encoding_, positions_.size(), {})) {
      const auto format = dice.among(all_formats());
      const PlacedElements elements(*encoding_, tensor.definition, positions_);
      if (are_integers(tensor.definition)) {
        buckets_hold(tensor, *elements);
        continue;
      }
      const auto values = written(tensor, *elements, positions_, format);
      is_the_truth(tensor, *elements, values, format);
      if (values) {
        audits_agree(tensor, *elements, *values, format, dice);
      }
      const bool is_first = vectors.insert(tensor.role).second;  // and told by vectors
      if (values && is_first) {
        vectors_agree(tensor, *elements);
      }
    }
    rotations_hold(dice);
  }

 private:
  std::string told(const PlacedTensor& tensor, Format format) const {
    return spec_ + " " + tensor.role + " " + std::string(traits(format).name) + " from " +
           std::to_string(positions_.front());
  }

  void is_the_truth(const PlacedTensor& tensor, ElementSource& elements,
                    const std::optional<std::vector<double>>& values, Format format) {
    bool is_beyond = false;
    bool is_open = false;
    for (std::size_t row = 0; row < elements.rows(); ++row) {
      elements.go_to(row);
      for (std::size_t column = 0; column < elements.columns(); ++column) {
        const auto index = row * elements.columns() + column;
        const auto value = correctly_rounded(format, elements.exact(column));
        if (!value) {  // undecided at the cap of Ziv's loop: a zero of either sign, or a scale beyond 2^400
          if (values) {
            ASSERT_EQ((*values)[index], 0) << told(tensor, format) << ", element " << index;
          }
          is_open = true;
          continue;
        }
        is_beyond = is_beyond || !std::isfinite(*value);
        if (values) {
          ASSERT_EQ((*values)[index], *value) << told(tensor, format) << ", element " << index;
        }
        ++tried_.elements;
      }
    }
    if (!is_open) {
      EXPECT_EQ(is_beyond, !values.has_value()) << told(tensor, format);
    }
  }

  /// By the strictest contract no element fails, and one that is another number does.
  void audits_agree(const PlacedTensor& tensor, ElementSource& elements, std::vector<double> values,
                    Format format, KeyDice dice) {
    const auto& contract = *contract_named("correctly-rounded");
    if (!elements.bind(contract, format)) {
      return;
    }
    const auto index = static_cast<std::size_t>(dice.below(values.size()));
    const auto audited = [&] {
      const auto stored = tensor_of(format, elements.shape(), values);
      const auto report = audit_elements(elements, [&](std::size_t i) { return stored.number(i); });
      if (const auto* table = tensor.plain_table()) {
        auto places = positions_;
        std::ranges::transform(places, places.begin(), [&](auto p) { return table->positions.place(p); });
        const auto fast = audit_tensor({*table, stored, &contract}, *table, places);
        EXPECT_EQ(fast.failing, report.failing) << told(tensor, format);
        EXPECT_EQ(fast.judged, report.judged) << told(tensor, format);
      }
      return report;
    };
    const auto right = audited();
    EXPECT_EQ(right.failing, 0U) << told(tensor, format);
    // The next number may be as near, where the truth is a tie.
    const double next = next_up(format, values[index]);
    const double other = std::isfinite(next) ? next_up(format, next) : next;
    elements.go_to(index / elements.columns());
    if (!std::isfinite(other) ||
        elements.allowed(index % elements.columns(), values[index]).proves_nothing()) {
      return;
    }
    values[index] = other;
    EXPECT_EQ(audited().failing, 1U) << told(tensor, format) << ", element " << index;
  }

  /// Vectors are refused only if a scale is too large for their truth.
  void vectors_agree(const PlacedTensor& tensor, ElementSource& elements) {
    std::vector<VectorTensor> all;
    const auto refusal = refusal_of([&] { all = vector_tensors(*encoding_, positions_, tensor.role); });
    if (!refusal.empty()) {
      EXPECT_THAT(refusal, ::testing::HasSubstr("found a scale at position")) << spec_;
      EXPECT_FALSE(are_enclosed(elements)) << spec_;
    }
    for (const auto& vectors : all) {
      ASSERT_EQ(vectors.shape, elements.shape()) << spec_;
      for (std::size_t row = 0; row < elements.rows(); ++row) {
        elements.go_to(row);
        for (std::size_t column = 0; column < elements.columns(); ++column) {
          const auto value = correctly_rounded(Format::binary32, elements.exact(column));
          if (value && std::isfinite(*value)) {
            ASSERT_EQ(vectors.rounded_to(Format::binary32, row * elements.columns() + column), *value)
                << told(tensor, Format::binary32);
          }
        }
      }
    }
  }

  static bool are_enclosed(ElementSource& elements) {
    for (std::size_t row = 0; row < elements.rows(); ++row) {
      elements.go_to(row);
      for (std::size_t column = 0; column < elements.columns(); ++column) {
        if (!elements.truth(column)) {
          return false;
        }
      }
    }
    return true;
  }

  void buckets_hold(const PlacedTensor& tensor, ElementSource& elements) {
    elements.bind(*contract_named("exact"), Format::binary64);
    const auto& rule = std::get<BucketTable>(tensor.definition).rule;
    const auto report = audit_elements(
        elements, [&](std::size_t index) { return static_cast<double>(rule(positions_[index]).index); });
    EXPECT_EQ(report.failing, 0U) << spec_;
    const auto vectors = vector_tensors(*encoding_, positions_, tensor.role);
    for (std::size_t row = 0; row < elements.rows(); ++row) {
      elements.go_to(row);
      ASSERT_EQ(vectors.front().integers[row], *elements.integer(0)) << spec_;
      ++tried_.elements;
    }
  }

  /// Rotated vectors, rounded from their truth, are what the audit of vectors expects.
  void rotations_hold(KeyDice dice) {
    const auto format = dice.one_in(2) ? Format::binary32 : Format::binary64;
    for (const auto& definition : encoding_->tensors()) {
      const auto* rotation = std::get_if<HeadRotation>(&definition);
      if (rotation == nullptr) {
        continue;
      }
      const Shape shape{positions_.size(), rotation->head_dim};
      std::vector<double> input(shape[0] * shape[1]);
      for (auto& x : input) {
        x = (static_cast<double>(dice.below(16)) - 7.5) / 4;
      }
      const PlacedElements elements(
          *encoding_, definition, positions_, 0, [&](std::size_t row, std::span<double> out) {
            std::ranges::copy(std::span(input).subspan(row * shape[1], shape[1]), out.begin());
          });
      std::vector<double> rotated;
      for (std::size_t row = 0; row < shape[0]; ++row) {
        elements->go_to(row);
        for (std::size_t column = 0; column < shape[1]; ++column) {
          // Undecided is a zero: of what cancels, where sine and cosine are equal.
          rotated.push_back(correctly_rounded(format, elements->exact(column)).value_or(0));
          ++tried_.elements;
        }
      }
      if (!std::ranges::all_of(rotated, [](double x) { return std::isfinite(x); }) ||
          !elements->bind(*contract_named("correctly-rounded"), format)) {
        continue;
      }
      const auto report = audit_elements(*elements, [&](std::size_t i) { return rotated[i]; });
      EXPECT_EQ(report.failing, 0U) << spec_ << " " << rotation->role();
    }
  }

  std::string spec_;
  std::unique_ptr<Encoding> encoding_;
  std::vector<std::int64_t> positions_;
  TriedSpec& tried_;
};

/// Tries the law on a spec at drawn positions; at the first ones of the encoding where it has no rows there.
void try_law(const DrawnSpec& drawn, std::mt19937_64& engine, TriedSpec& tried) {
  const auto spec = json_text(drawn.spec);
  auto positions = drawn_positions(KeyDice(engine));
  const auto encoding = parsed(spec);
  const auto reachable = [&](const std::vector<std::int64_t>& at) {
    try {
      for (const auto& tensor : placed_tensors(*encoding, at.size(), {})) {
        const PlacedElements elements(*encoding, tensor.definition, at);
        elements->go_to(0);
        if (const auto* table = std::get_if<ExactTable>(&tensor.definition)) {
          for (std::size_t i = 0; i < at.size() * table->columns; ++i) {  // blocks reach beyond their number
            static_cast<void>(table->entry(at[i / table->columns], i % table->columns));
          }
        }
      }
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  for (const auto first : {encoding->default_positions(1).first, std::int64_t{0}}) {
    for (const auto rows : {std::size_t{4}, std::size_t{1}}) {
      if (!reachable(positions)) {
        positions = positions_from(first, rows);
      }
    }
  }
  if (!reachable(positions)) {
    return;  // an offset moves every position beyond 2^31
  }
  std::size_t width = 0;
  for (const auto& tensor : placed_tensors(*encoding, 1, {})) {
    width += tensor.shape.back() * tensor.shape.front();
  }
  if (width * positions.size() > usual_elements) {
    positions.resize(1);
  }
  try {
    DrawnLaw(spec, positions, tried).holds(KeyDice(engine));
  } catch (const std::exception& error) {
    ADD_FAILURE() << spec << " from " << positions.front() << " throws " << error.what();
  }
  ++tried.specs;
  tried.add_keys(drawn.keys);
}

/// Tries the law on specs that have the pairs of keys that were not met yet; which may show others.
void meet_every_pair(const Scheme& scheme, std::mt19937_64& engine, TriedSpec& tried) {
  constexpr int most_trials = 4;  // the rows of a spec may lie beyond 2^31
  std::set<KeyPair> asked;
  while (asked.size() < tried.read.size()) {
    for (const auto& pair : std::set(tried.read)) {
      if (!asked.insert(pair).second) {
        continue;
      }
      for (int trial = 0; trial < most_trials && !tried.pairs.contains(pair); ++trial) {
        const auto drawn = spec_with(scheme, pair, engine);
        if (!drawn) {
          tried.never_both.insert(pair);
          break;
        }
        try_law(*drawn, engine, tried);
        if (testing::Test::HasFatalFailure()) {
          return;
        }
      }
    }
  }
}

TEST(DrawnSpecs, HaveOneTruth) {
  const auto wanted = wanted_elements();
  std::uint64_t elements = 0;
  std::size_t pairs = 0;
  std::size_t allowed = 0;
  std::mt19937_64 engine(test_seed());
  for (const auto& scheme : schemes()) {
    TriedSpec tried;
    while (tried.elements * schemes().size() < wanted) {
      const auto mood = engine() % 2 == 0 ? Mood::usual : Mood::hostile;
      try_law(drawn_spec(scheme, {.mood = mood, .greatest_size = 24}, engine), engine, tried);
      ASSERT_FALSE(HasFatalFailure());
    }
    meet_every_pair(scheme, engine, tried);
    ASSERT_FALSE(HasFatalFailure());
    const auto of_scheme = tried.read.size() - tried.apart();
    std::cout << scheme.name << ": " << tried.elements << " elements of " << tried.specs << " specs, "
              << tried.pairs.size() << " of " << of_scheme << " pairs of keys; " << tried.apart()
              << " do not go together" << std::endl;
    elements += tried.elements;
    pairs += tried.pairs.size();
    allowed += of_scheme;
  }
  std::cout << elements << " elements, " << pairs << " of " << allowed << " pairs of keys\n";
  EXPECT_GE(static_cast<double>(pairs), 0.95 * static_cast<double>(allowed));
}

}  // namespace
}  // namespace vernier
