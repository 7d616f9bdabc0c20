// The law that a verdict names only what fails: of tensors that are right but for drawn damage, no pair, row,
// column, head or position is called wrong that holds none of the damaged elements beyond their budgets.
//
// What is named is read off the text and the JSON of the verdict, as people and programs read it.
// VERNIER_CASES asks for so many draws; the weekly run asks for 10,000.

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <regex>
#include <set>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/elements/placed_elements.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/keys/value_draw.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"
#include "reports/outputs/output.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

constexpr int draws_of_a_sample = 30;

int wanted_draws() {
  const char* text = std::getenv("VERNIER_CASES");
  return text == nullptr ? draws_of_a_sample : std::atoi(text);
}

/// Numbers of things that fail: "pair" {3, 5}, "row" {17}.
using Parts = std::map<std::string, std::set<std::int64_t>>;
/// Those that are named, and where.
using NamedParts = std::map<std::pair<std::string, std::int64_t>, std::string>;

struct DrawnTensors {
  std::string spec;
  std::vector<std::string> roles;
};

const std::vector<DrawnTensors>& drawn_tensors() {
  static const std::vector<DrawnTensors> all{
      {R"({"scheme": "rope", "head_dim": 32})", {"cos", "sin"}},
      {R"({"scheme": "rope", "head_dim": 32, "rope_scaling": {"rope_type": "yarn", "factor": 4,
           "original_max_position_embeddings": 64}})",
       {"cos", "sin"}},
      {R"({"scheme": "rope", "head_dim": 32})", {"rotated"}},
      {R"({"scheme": "sinusoidal", "d_model": 32})", {"encoding"}},
      {R"({"scheme": "alibi", "num_heads": 8})", {"bias"}},
      {R"({"scheme": "t5_bucket", "num_buckets": 32, "max_distance": 32})", {"buckets"}}};
  return all;
}

/// Tensors, as a correctly rounded implementation has them but for damage; and what of them fails.
class Damaged {
 public:
  explicit Damaged(KeyDice& dice) : dice_(dice), drawn_(dice.among(drawn_tensors())) {
    encoding_ = parsed(drawn_.spec);
    const bool are_relative = drawn_.roles.front() == "buckets";
    const auto first = dice.among(std::vector<std::int64_t>{0, 0, 1000, 40000});
    const bool is_table = drawn_.spec.find("rope") != std::string::npos && drawn_.roles.front() == "cos";
    const auto rows = is_table ? dice.among(std::vector<std::size_t>{48, 1024}) : std::size_t{48};
    positions_ = positions_from(are_relative ? -24 : first, rows);
    CaseInput parts{"drawn.json", "drawn", "", {}, std::nullopt};
    parts.tensors.emplace(are_relative ? "relative_positions" : "positions",
                          NamedTensor{"drawn", positions_tensor(positions_)});
    const auto format = dice.among(std::vector{Format::binary64, Format::binary32, Format::binary16,
                                               Format::bfloat16, Format::float8_e4m3fn});
    for (const auto& definition : encoding_->tensors()) {
      if (std::ranges::find(drawn_.roles, role_of(definition)) != drawn_.roles.end()) {
        damage(definition, format, parts);
      }
    }
    subject_ = std::make_unique<Case>(assemble_case(parts, parsed(drawn_.spec)));
  }

  const Case& subject() const { return *subject_; }
  /// What a name may be of: elements beyond their budgets; of a check of sines, which knows the phase better
  /// than the contract does, all that were changed.
  const Parts& wrong_by(const std::string& where) const {
    return where.starts_with("trigonometry/") ? changed_ : failing_;
  }
  std::string words() const {
    std::string text = drawn_.spec;
    for (const auto& [kind, numbers] : failing_) {
      text += fmt::format("; {} {}", kind, fmt::join(numbers, " "));
    }
    return text;
  }

 private:
  void damage(const TensorDefinition& definition, Format format, CaseInput& parts) {
    const bool is_bucket = std::holds_alternative<BucketTable>(definition);
    const auto* rotation = std::get_if<HeadRotation>(&definition);
    const auto input_format = traits(format).is_storage_only() ? Format::binary32 : format;
    std::vector<double> inputs(rotation == nullptr ? 0 : positions_.size() * rotation->head_dim);
    for (auto& x : inputs) {
      x = round_to(input_format, static_cast<double>(dice_.below(2001)) / 500 - 2);
    }
    const auto queries = std::holds_alternative<BiasTable>(definition) ? std::size_t{12} : 0;
    const PlacedElements source(
        *encoding_, definition, positions_, queries, [&](std::size_t row, std::span<double> out) {
          std::ranges::copy(std::span(inputs).subspan(row * out.size(), out.size()), out.begin());
        });
    const auto stored = is_bucket ? Format::binary64 : rotation != nullptr ? input_format : format;
    if (!source->bind(default_contract(is_bucket ? Format::binary32 : stored), stored)) {
      throw std::runtime_error("the contract says nothing of " + std::string(role_of(definition)));
    }
    const auto columns = source->columns();
    std::vector<double> values;
    std::vector<AllowedElement> allowed;
    for (std::size_t row = 0; row < source->rows(); ++row) {
      source->go_to(row);
      for (std::size_t column = 0; column < columns; ++column) {
        allowed.push_back(source->allowed(column));
        const double truth = allowed.back().truth->approximately();
        values.push_back(is_bucket ? truth : round_to(stored, truth));
      }
    }
    const auto right = values;
    const auto wrong = damaged_indices(values.size(), columns);
    const auto way = dice_.below(4);
    const double step = std::ldexp(1, -static_cast<int>(dice_.below(12)));
    for (const auto index : wrong) {
      const double other = values[dice_.below(values.size())];
      const double damaged = way == 0   ? values[index] + step
                             : way == 1 ? 0
                             : way == 2 ? -values[index]
                                        : other;
      values[index] =
          is_bucket ? std::rint(way == 0 ? values[index] + 1 : damaged) : round_to(stored, damaged);
    }
    for (std::size_t row = 0; row < source->rows(); ++row) {
      source->go_to(row);
      for (std::size_t column = 0; column < columns; ++column) {
        const auto index = row * columns + column;
        const auto& one = allowed[index];
        if (!(std::fabs(values[index] - one.truth->approximately()) <= one.budget.total())) {
          add(definition, *source, row, column, failing_);
        }
        if (values[index] != right[index]) {
          add(definition, *source, row, column, changed_);
        }
      }
    }
    const auto shape = source->shape();
    const std::string role(role_of(definition));
    if (rotation != nullptr) {
      parts.tensors.emplace("input", NamedTensor{"drawn", tensor_of(input_format, shape, inputs)});
    }
    std::vector<std::int64_t> integers(values.begin(), values.end());
    parts.tensors.emplace(role, NamedTensor{"drawn", is_bucket ? integer_tensor(shape, integers)
                                                               : tensor_of(stored, shape, values)});
  }

  /// Of 1 to a third of the elements: scattered, or of one column, or of neighbouring rows.
  std::set<std::size_t> damaged_indices(std::size_t elements, std::size_t columns) {
    const auto most = std::min<std::size_t>(1000, elements / 3);
    const auto count = std::min<std::size_t>(most, std::size_t{1} << dice_.below(10));
    const auto column = dice_.below(columns);
    const auto start = dice_.below(elements);
    const auto pattern = dice_.below(3);
    std::set<std::size_t> indices;
    for (std::size_t i = 0; i < count; ++i) {
      const auto scattered = dice_.below(elements);
      indices.insert(pattern == 0   ? scattered
                     : pattern == 1 ? scattered / columns * columns + column
                                    : (start + i) % elements);
    }
    return indices;
  }

  void add(const TensorDefinition& definition, const ElementSource& source, std::size_t row,
           std::size_t column, Parts& parts) const {
    const auto add = [&](const char* kind, std::int64_t number) { parts[kind].insert(number); };
    add("column", static_cast<std::int64_t>(column));
    add("dimension", static_cast<std::int64_t>(column));
    if (source.has_pairs()) {
      add("pair", source.place(column).pair);
    }
    if (const auto* bias = std::get_if<BiasTable>(&definition); bias != nullptr) {
      const auto queries = source.rows() / bias->slopes.size();
      add("head", static_cast<std::int64_t>(row / queries));
      add("row", static_cast<std::int64_t>(row));
      add("row", static_cast<std::int64_t>(row % queries));
      add("query", static_cast<std::int64_t>(row % queries));
      add("query", positions_[positions_.size() - queries + row % queries]);
      add("key", static_cast<std::int64_t>(column));
      add("key", positions_[column]);
      add("position", positions_[positions_.size() - queries + row % queries]);
      add("position", positions_[column]);
      return;
    }
    add("row", static_cast<std::int64_t>(row));
    add("position", positions_[std::min(row, positions_.size() - 1)]);
  }

  KeyDice& dice_;
  const DrawnTensors& drawn_;
  std::unique_ptr<Encoding> encoding_;
  std::vector<std::int64_t> positions_;
  std::unique_ptr<Case> subject_;
  Parts failing_;
  Parts changed_;
};

/// Every number behind one of the words, in the order of the text: "pairs 3, 5 and 7", "columns 3 to 9".
void read_names(const std::string& text, NamedParts& named) {
  static const std::regex name(
      R"(\b(pair|row|column|head|position|dimension|query|key)s? (?:from )?(-?\d+(?:(?:, | and | to )-?\d+)*)\b(?! (?:more|others|of \d|turn)))");
  // What elements hold is not what they are; an index of copies is no row; and the worst element of a law is
  // one of several that disagree.
  static const std::regex others(
      R"(leading dimension \d+|\bbut (?:row|column|head)s? \d+(?:(?:, | and | to )\d+)*|position \S+ has bucket \d+, as declared|(?:got|holds?|copy of|copies of|the values? of|repeats) (?:position|row|column|head)s? -?\d+(?:, -?\d+)*|\d+ rows of drawn attention)");
  const auto plain = std::regex_replace(text, others, "");
  for (auto at = std::sregex_iterator(plain.begin(), plain.end(), name); at != std::sregex_iterator(); ++at) {
    static const std::regex number(R"(-?\d+)");
    const auto numbers = (*at)[2].str();
    for (auto one = std::sregex_iterator(numbers.begin(), numbers.end(), number);
         one != std::sregex_iterator(); ++one) {
      named.emplace(std::pair((*at)[1].str(), std::stoll(one->str())), text);
    }
  }
}

/// The places that the checks of a verdict give as JSON.
void read_places(const OrderedJson& value, NamedParts& named) {
  for (const auto& check : value.at("checks")) {
    for (const auto* const which : {"first_failing", "worst"}) {
      const auto place = check.value(which, OrderedJson());
      if (!place.is_object() || check.at("status") != "fail") {
        continue;
      }
      for (const auto* const kind : {"row", "position", "column", "pair"}) {
        if (place.contains(kind) && place.at(kind).is_number_integer()) {
          named.emplace(std::pair(kind, place.at(kind).get<std::int64_t>()),
                        check.at("id").get<std::string>() + ": " + which + ": " + place.dump());
        }
      }
    }
  }
}

TEST(NamedParts, Fail) {
  std::mt19937_64 engine(test_seed());
  int refused = 0;
  std::size_t names = 0;
  for (int draw = 0; draw < wanted_draws(); ++draw) {
    KeyDice dice(engine);
    const Damaged damaged(dice);
    const auto verdict = validate(damaged.subject(), "", {});
    const auto text = render_text(verdict);
    NamedParts named;
    for (const auto& diagnosis : verdict.diagnosis) {
      read_names(sentence_of(diagnosis), named);
      read_names(diagnosis.rest, named);
    }
    read_places(OrderedJson::parse(json_output().render(verdict)), named);
    refused += verdict.diagnosis.empty() ? 0 : 1;
    names += named.size();
    for (const auto& [part, where] : named) {
      const auto& [kind, number] = part;
      const auto& wrong = damaged.wrong_by(where);
      const auto found = wrong.find(kind);
      EXPECT_TRUE(found != wrong.end() && found->second.contains(number))
          << "draw " << draw << ": " << kind << " " << number
          << " is named, and no element of it fails: " << where << "\n"
          << damaged.words() << "\n"
          << text;
    }
  }
  std::cout << wanted_draws() << " draws, " << refused << " with a diagnosis, " << names << " names\n";
  EXPECT_GT(3 * refused, wanted_draws());
}

}  // namespace
}  // namespace vernier
