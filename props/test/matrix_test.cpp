// The matrix of properties and schemes, computed, against what was derived by hand; and the
// ways in which a cell must not come out.

#include "props/matrix/matrix.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/schemes/scheme_registry.hpp"

namespace vernier {
namespace {

/// One letter a cell: Y(es), N(o), C(onditional), - for not applicable, ? for undecided.
char letter(Answer answer) {
  switch (answer) {
    case Answer::yes:
      return 'Y';
    case Answer::no:
      return 'N';
    case Answer::conditional:
      return 'C';
    case Answer::not_applicable:
      return '-';
    case Answer::undecided:
      break;
  }
  return '?';
}

std::string letters(const ComputedRow& row) {
  std::string text;
  for (const auto& cell : row.cells) {
    text += letter(cell.answer);
  }
  return text;
}

std::string told(const ComputedRow& row) {
  std::string text(row.row->id);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    text += std::string("\n  ") + std::string(matrix_properties()[i]->id) + ": " +
            std::string(name_of(row.cells[i].answer)) + ", " + row.cells[i].told;
  }
  return text;
}

/// In the order of matrix_properties(): unique, bounded, same for every length, defined beyond, Lipschitz,
/// linear shift, offset only, symmetric, constant norm, decay, direction-aware.
const std::map<std::string_view, std::string>& expected() {
  static const std::map<std::string_view, std::string> rows{
      {"integer-index", "YNYYYNNNNNN"},
      {"normalised", "YYNNYNNNNNN"},
      {"binary", "YYYNNNNNNNN"},
      {"learned", "CYYNNCNNNNN"},
      {"one-hot", "YYYNNYYYYYN"},
      {"scaled-sinusoid", "YNYYNNNNNNN"},
      {"none", "NYYYYYYYY-N"},
      {"sine-powers-of-two", "YYYYYNNNNNN"},
      {"sine-only", "YYYYYNNNNNN"},
      {"sine-only-ascending-to-one", "YYYYYNNNNNN"},
      {"sine-only-ascending-from-one", "YYYYYNNNNNN"},
      {"sine-only-descending-to-one", "YYYYYNNNNNN"},
      {"exponential-family", "YYYYYYYYYCN"},
      {"power-family", "YYYYYYYYYCN"},
      {"trained-frequencies", "YYYYYYYYYNN"},
      {"sinusoidal", "YYYYYYYYYCN"},
      {"sinusoidal-cos-sin", "YYYYYYYYYCN"},
      {"sinusoidal-halves", "YYYYYYYYYCN"},
      {"tensor2tensor", "YYYYYYYYYCN"},
      {"column-exponent", "YYYYYYYYYCN"},
      {"odd-width", "YYYYYNNNNNN"},
      {"odd-width-padded", "YYYYYYYYYCN"},
      {"rope", "YYYYYYYCYCC"},
      {"alibi", "YNYYY-YC-CC"},
      {"shaw", "C-YYN-YN-NY"},
      {"transformer-xl", "YYYYYYYNYNY"},
      {"deberta-span", "C-YYN-YN-NY"},
      {"t5-bidirectional", "C-YYN-YN-NY"},
      {"t5-causal", "C-YYN-Y--N-"},
      {"deberta", "C-YYN-YN-NY"},
      {"h-diagonal-in-pairs", "------YY-CN"},
      {"h-blocks", "------YN-NY"},
      {"h-diagonal", "------NN-NN"},
      {"h-dense", "------NN-NY"},
  };
  return rows;
}

TEST(Matrix, HasTheKnownAnswers) {
  std::size_t known = 0;
  for (const auto& row : compute_matrix(options_from_environment())) {
    const auto found = expected().find(row.row->id);
    if (found != expected().end()) {
      ++known;
      EXPECT_EQ(letters(row), found->second) << told(row);
    }
    EXPECT_EQ(letters(row).find('?'), std::string::npos) << told(row);
  }
  EXPECT_EQ(known, expected().size());
}

TEST(Matrix, ASchemeWithoutARowHasOneOfItsExamples) {
  EXPECT_TRUE(example_rows(schemes(), matrix_rows()).empty());
  const std::map<std::string_view, std::string_view> alike{
      {"shaw", "shaw"}, {"none", "none"}, {"deberta_span", "deberta-span"}};
  std::size_t seen = 0;
  for (const auto& row : example_rows(schemes(), {})) {
    const auto found = alike.find(row.id);
    if (found != alike.end()) {
      ++seen;
      ComputedRow computed{&row, {}};
      for (const auto* property : matrix_properties()) {
        computed.cells.push_back(decide(*property, row, options_from_environment()));
      }
      EXPECT_EQ(letters(computed), expected().at(found->second)) << told(computed);
    }
  }
  EXPECT_EQ(seen, alike.size());
}

MatrixCell cell(std::string_view row, std::string_view property) {
  return decide(*property_named(property), *std::ranges::find(matrix_rows(), row, &MatrixRow::id),
                options_from_environment());
}

/// A table no longer than wide has a shift whatever is in it, save by accident; a longer one only by design.
TEST(Matrix, ALearnedTableHasAShiftWhereItsRowsAreIndependent) {
  const auto shift = cell("learned", "linear-shift");
  EXPECT_EQ(shift.answer, Answer::conditional);
  EXPECT_THAT(shift.told,
              testing::HasSubstr("rows no more than columns: yes, the 3 rows are linearly independent"));
  EXPECT_THAT(shift.told, testing::HasSubstr("rows of no pattern, two rows alike: no, broken at"));
  EXPECT_THAT(cell("learned", "bounded").told, testing::HasSubstr("by 3, its greatest element"));
}

/// One score has one answer, whether an absolute code makes it or a rotation.
TEST(Matrix, AScoreDecaysAlikeInTheSinusoidAndInRope) {
  const auto figures = [](const std::string& told) {
    const auto first = told.find("falls in trend");
    EXPECT_NE(first, std::string::npos) << told;
    return told.substr(first, told.find(';', first) - first);
  };
  const auto sinusoid = figures(cell("sinusoidal", "decay").told);
  EXPECT_EQ(figures(cell("rope", "decay").told), sinusoid);
  EXPECT_EQ(figures(cell("h-diagonal-in-pairs", "decay").told), sinusoid);
}

TEST(Matrix, HasUniqueNames) {
  std::map<std::string_view, int> seen;
  for (const auto& row : matrix_rows()) {
    EXPECT_EQ(++seen[row.id], 1) << row.id;
    EXPECT_FALSE(row.members.empty()) << row.id;
  }
  for (const auto* property : matrix_properties()) {
    EXPECT_EQ(++seen[property->model->column], 1) << property->id;
  }
}

/// A code that grows with the position, and says what it likes of itself.
class Growing final : public PositionModel {
 public:
  explicit Growing(std::optional<Answer> claim) : claim_(claim) {}

  IntervalVector code(std::int64_t position) const override {
    return IntervalVector::Constant(1, enclose(position));
  }
  Interval score(std::int64_t query, std::int64_t key) const override {
    return enclose(query) * enclose(key);
  }
  std::optional<Interval> bound() const override { return enclose(std::int64_t{7}); }
  std::optional<Interval> lipschitz() const override { return enclose(std::int64_t{1}); }
  std::optional<Justification> justification(std::string_view /*property*/) const override {
    return claim_ ? std::optional(Justification{*claim_, Method::exact, "says so"}) : std::nullopt;
  }

 private:
  std::optional<Answer> claim_;
};

MatrixCell growing(std::string_view property, std::optional<Answer> claim) {
  return decide(*property_named(property), {"", [claim] { return std::make_unique<Growing>(claim); }}, {});
}

TEST(Matrix, AProofThatASearchContradictsDecidesNothing) {
  EXPECT_EQ(growing("bounded", Answer::yes).answer, Answer::undecided);
  EXPECT_EQ(growing("constant-norm", Answer::yes).answer, Answer::undecided);
}

TEST(Matrix, ASearchThatFindsNothingIsNoProof) {
  EXPECT_EQ(growing("unique", std::nullopt).answer, Answer::undecided);
  EXPECT_EQ(growing("unique", Answer::yes).answer, Answer::yes);
}

TEST(Matrix, CounterexamplesAreShrunk) {
  EXPECT_EQ(growing("bounded", std::nullopt).told, "broken at t = 8");
  EXPECT_EQ(growing("constant-norm", std::nullopt).told, "broken at t = 0, s = 1");
  EXPECT_EQ(growing("offset-only", std::nullopt).told, "broken at t = 0, s = 1, k = 0");
}

TEST(Matrix, MembersThatDifferMakeACellConditional) {
  const MatrixRow row{"row",
                      "",
                      {{"one", [] { return std::make_unique<Growing>(Answer::yes); }},
                       {"other", [] { return std::make_unique<Growing>(Answer::no); }}}};
  EXPECT_EQ(decide(*property_named("unique"), row, {}).answer, Answer::conditional);
  EXPECT_EQ(decide(*property_named("unique"), row, {}).told, "one: yes, says so; other: no, says so");
}

}  // namespace
}  // namespace vernier
