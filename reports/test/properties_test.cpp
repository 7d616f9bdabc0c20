// Every property that is judged through a view: honest tensors of every scheme that has it keep it, stored
// and live, in every format; and at least two broken implementations break it.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/live/questions.hpp"
#include "numerics/live/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "props/properties/property.hpp"
#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"
#include "reports/live/validate_live.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/validate.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::SizeIs;

std::unique_ptr<Encoding> encoding_of(const std::string& spec) {
  return parse_spec(ObjectReader(parse_json(spec, "spec"), "spec", ""));
}

/// What of an implementation a fault takes the place of.
struct Stages {
  /// The bucket of the element of this index, for the relative position r.
  std::function<std::int64_t(const BucketRule& rule, std::int64_t r, std::size_t index)> bucket =
      [](const BucketRule& rule, std::int64_t r, std::size_t) { return rule(r).index; };
  /// What the slope of a head multiplies.
  std::function<double(std::int64_t query, std::int64_t key, double honest)> multiplier =
      [](std::int64_t, std::int64_t, double honest) { return honest; };
  std::function<double(std::size_t head, std::size_t heads, double honest)> slope =
      [](std::size_t, std::size_t, double honest) { return honest; };
  /// The position that a pair turns by, of those of its token.
  std::function<double(const std::vector<std::int64_t>& token, std::size_t stream)> turned_by =
      [](const std::vector<std::int64_t>& token, std::size_t stream) {
        return static_cast<double>(token[stream]);
      };
  /// A cosine or sine, and whether it is of keys, to what is stored.
  std::function<double(double value, double position, bool is_cosine)> finish = [](double value, double,
                                                                                   bool) { return value; };
  /// The scale of keys, given that of queries.
  std::function<double(double of_query)> key_scale = [](double of_query) { return 1 / of_query; };
};

struct Fault {
  const char* name;
  const char* property;
  std::vector<const char*> specs;
  Stages stages;
};

constexpr auto t5 = R"({"scheme": "t5_bucket"})";
constexpr auto t5_causal = R"({"scheme": "t5_bucket", "bidirectional": false})";
constexpr auto deberta = R"({"scheme": "deberta_bucket", "bucket_size": 64, "max_position": 128})";
constexpr auto deberta_clamped =
    R"({"scheme": "deberta_bucket", "bucket_size": 64, "max_position": 128, "clamp": true})";
constexpr auto span = R"({"scheme": "deberta_span", "max_relative_positions": 64})";
constexpr auto shaw = R"({"scheme": "shaw", "max_relative_position": 16})";
constexpr auto alibi = R"({"scheme": "alibi", "num_heads": 8, "bias": "distance"})";
constexpr auto alibi_keys = R"({"scheme": "alibi", "num_heads": 8})";
constexpr auto alibi_last = R"({"scheme": "alibi", "num_heads": 8, "bias": "distance_to_last"})";
constexpr auto alibi_twelve = R"({"scheme": "alibi", "num_heads": 12})";
constexpr auto transformer_xl = R"({"scheme": "transformer_xl", "d_model": 16})";
constexpr auto sinusoidal = R"({"scheme": "sinusoidal", "d_model": 16})";
constexpr auto llama3 = R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "llama3",
    "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}})";
constexpr auto yarn = R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "yarn",
    "factor": 4, "original_max_position_embeddings": 256}})";
constexpr auto mrope = R"({"scheme": "rope", "head_dim": 16,
    "rope_scaling": {"rope_type": "default", "mrope_section": [2, 3, 3]}})";
constexpr auto pixtral = R"({"scheme": "axial_rope", "head_dim": 16, "grid_width": 20})";
constexpr auto llama4 = R"({"scheme": "axial_rope", "head_dim": 16, "grid_width": 20,
    "reading": "llama4_vision"})";
constexpr auto xpos = R"({"scheme": "xpos", "head_dim": 16, "sequence_length": 400})";

const std::vector<const char*> all_specs{
    t5,           t5_causal,      deberta,    deberta_clamped, span, shaw,  alibi,   alibi_keys, alibi_last,
    alibi_twelve, transformer_xl, sinusoidal, llama3,          yarn, mrope, pixtral, llama4,     xpos};

/// Which of the specs above have a property: the matrix, as the checks of honest tensors must show it.
const std::map<std::string, std::vector<const char*>> owners{
    {"same-bucket", {t5, t5_causal, deberta, deberta_clamped, span, shaw}},
    {"bucket-order", {t5, t5_causal, deberta, deberta_clamped, span, shaw}},
    {"bucket-saturation", {t5, t5_causal, deberta_clamped, span, shaw}},
    {"bucket-antisymmetry", {deberta, deberta_clamped, shaw}},
    {"bucket-sides", {t5, t5_causal, deberta, deberta_clamped, span, shaw}},
    {"bias-offset", {alibi}},
    {"bias-line", {alibi, alibi_keys, alibi_last, alibi_twelve}},
    {"bias-decay", {alibi, alibi_keys, alibi_last, alibi_twelve}},
    {"bias-zero", {alibi, alibi_last}},
    {"bias-ratio", {alibi, alibi_keys, alibi_last}},
    {"offset-only", {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos}},
    {"own-position", {mrope, pixtral, llama4}},
    {"unit-norm", {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos}},
    {"keys-undo-queries", {xpos}},
};

std::int64_t magnitude(std::int64_t r) {
  return r < 0 ? -r : r;
}

std::vector<Fault> faults() {
  const auto bucket = [](auto make) {
    Stages stages;
    stages.bucket = make;
    return stages;
  };
  const auto bias = [](auto multiplier) {
    Stages stages;
    stages.multiplier = multiplier;
    return stages;
  };
  const auto slope = [](auto of_head) {
    Stages stages;
    stages.slope = of_head;
    return stages;
  };
  const auto turned = [](auto turned_by) {
    Stages stages;
    stages.turned_by = turned_by;
    return stages;
  };
  const auto finished = [](auto finish) {
    Stages stages;
    stages.finish = finish;
    return stages;
  };
  const auto keys = [](auto scale) {
    Stages stages;
    stages.key_scale = scale;
    return stages;
  };
  using Rule = const BucketRule&;
  return {
      {"the second half of the rows is one further",
       "same-bucket",
       {t5, deberta, span, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t i) { return rule(i < 401 ? r : r + 1).index; })},
      {"every third row is query minus key",
       "same-bucket",
       {t5, deberta, span, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t i) { return rule(i % 3 == 0 ? -r : r).index; })},
      {"relative positions wrap at 64",
       "bucket-order",
       {t5, t5_causal, deberta, span, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(r % 64).index; })},
      {"far distances are halved",
       "bucket-order",
       {t5, t5_causal, deberta},
       bucket(
           [](Rule rule, std::int64_t r, std::size_t) { return rule(magnitude(r) < 60 ? r : r / 2).index; })},
      {"far distances are counted from the clip",
       "bucket-order",
       {shaw, span},
       bucket([](Rule rule, std::int64_t r, std::size_t) {
         return rule(magnitude(r) < 120 ? r : r / 40).index;
       })},
      {"no clip",
       "bucket-saturation",
       {t5, shaw, deberta_clamped, span},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(r).index + r / 150; })},
      {"the last bucket is split",
       "bucket-saturation",
       {t5, t5_causal, shaw, deberta_clamped, span},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(r).index + (r < -180 ? 1 : 0); })},
      {"rounded down on both sides",
       "bucket-antisymmetry",
       {deberta, deberta_clamped, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(r).index - (r < -10 ? 1 : 0); })},
      {"the sign is lost",
       "bucket-antisymmetry",
       {deberta, deberta_clamped, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(magnitude(r)).index; })},
      {"the sign is lost",
       "bucket-sides",
       {t5, t5_causal, deberta, span, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(magnitude(r)).index; })},
      {"far keys ahead count as behind",
       "bucket-sides",
       {t5, t5_causal, deberta, span, shaw},
       bucket([](Rule rule, std::int64_t r, std::size_t) { return rule(r > 90 ? -r : r).index; })},
      {"the key's position for the distance",
       "bias-offset",
       {alibi},
       bias([](std::int64_t, std::int64_t key, double) { return static_cast<double>(key); })},
      {"the distance as a share of the query's",
       "bias-offset",
       {alibi},
       bias([](std::int64_t query, std::int64_t, double honest) {
         return honest / static_cast<double>(query + 1);
       })},
      {"positions in bfloat16",
       "bias-line",
       {alibi, alibi_keys, alibi_last, alibi_twelve},
       bias([](std::int64_t, std::int64_t, double honest) { return round_to(Format::bfloat16, honest); })},
      {"the logarithm of the distance",
       "bias-line",
       {alibi, alibi_keys, alibi_last, alibi_twelve},
       bias([](std::int64_t, std::int64_t, double honest) {
         return std::copysign(std::log1p(std::fabs(honest)), honest);
       })},
      {"the other sign",
       "bias-decay",
       {alibi, alibi_keys, alibi_last, alibi_twelve},
       bias([](std::int64_t, std::int64_t, double honest) { return -honest; })},
      {"distances wrap at 256",
       "bias-decay",
       {alibi, alibi_keys, alibi_last, alibi_twelve},
       bias([](std::int64_t, std::int64_t, double honest) { return std::fmod(honest, 256); })},
      {"distances from 1",
       "bias-zero",
       {alibi, alibi_last},
       bias([](std::int64_t, std::int64_t, double honest) { return honest - 1; })},
      {"the key's position for the distance",
       "bias-zero",
       {alibi, alibi_last},
       bias([](std::int64_t, std::int64_t key, double) { return static_cast<double>(key); })},
      {"slopes on a straight line",
       "bias-ratio",
       {alibi, alibi_keys, alibi_last},
       slope([](std::size_t head, std::size_t heads, double) {
         return 0.5 * static_cast<double>(heads - head) / static_cast<double>(heads);
       })},
      {"every other head first",
       "bias-ratio",
       {alibi, alibi_keys, alibi_last},
       slope([](std::size_t head, std::size_t heads, double) {
         return std::exp2(-1.0 - static_cast<double>(2 * head % heads + 2 * head / heads));
       })},
      {"positions wrap at 100",
       "offset-only",
       {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos},
       turned([](const std::vector<std::int64_t>& token, std::size_t stream) {
         return std::fmod(static_cast<double>(token[stream]), token.size() == 2 ? 7.0 : 100.0);
       })},
      {"positions grow like their square",
       "offset-only",
       {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos},
       turned([](const std::vector<std::int64_t>& token, std::size_t stream) {
         const auto p = static_cast<double>(token[stream]);
         return p + p * p / 1000;
       })},
      {"the other axis",
       "own-position",
       {mrope, pixtral, llama4},
       turned([](const std::vector<std::int64_t>& token, std::size_t stream) {
         return static_cast<double>(token[token.size() - 1 - stream]);
       })},
      {"the sum of the axes",
       "own-position",
       {mrope, pixtral, llama4},
       turned([](const std::vector<std::int64_t>& token, std::size_t) {
         double sum = 0;
         for (const auto position : token) {
           sum += static_cast<double>(position);
         }
         return sum;
       })},
      {"cosines one per mille too long",
       "unit-norm",
       {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos},
       finished([](double value, double, bool is_cosine) { return is_cosine ? value * 1.001 : value; })},
      {"elements grow with the position",
       "unit-norm",
       {transformer_xl, sinusoidal, llama3, yarn, mrope, pixtral, llama4, xpos},
       finished([](double value, double position, bool) { return value * (1 + position / 1000); })},
      {"keys scaled like queries", "keys-undo-queries", {xpos}, keys([](double query) { return query; })},
      {"keys not scaled", "keys-undo-queries", {xpos}, keys([](double) { return 1.0; })},
  };
}

// An implementation, in double, stored in the format that is wanted --------------------------------------

std::vector<std::vector<std::int64_t>> tokens_of(const Request& request) {
  const auto rows = rows_of(request);
  const auto all = integers_of(request.positions);
  std::vector<std::vector<std::int64_t>> result(rows);
  for (std::size_t i = 0; i < all.size(); ++i) {
    result[i % rows].push_back(all[i]);
  }
  return result;
}

/// The sines and cosines of a table of this role and width, whichever kind the encoding has.
std::optional<std::vector<double>> turns(const Encoding& encoding, const Stages& stages,
                                         const Request& request, const WantedTensor& wanted) {
  struct Found {
    TrigTable table;
    std::vector<int> streams;
    std::optional<ScaledTable> scaled;
  };
  std::vector<Found> candidates;
  if (const auto streamed = encoding.streamed_tables()) {
    for (const auto& one : streamed->tables) {
      candidates.push_back({one.table, one.streams, {}});
    }
  }
  for (const auto& one : encoding.scaled_tables()) {
    candidates.push_back({one.sines, {}, one});
  }
  for (const auto& one : candidates.empty() ? encoding.tables() : std::vector<TrigTable>()) {
    candidates.push_back({one, {}, {}});
  }
  const auto found = std::ranges::find_if(candidates, [&](const Found& one) {
    return one.table.role == wanted.role && one.table.columns.size() == wanted.shape.back();
  });
  if (found == candidates.end() || request.input) {
    return std::nullopt;
  }
  std::vector<double> frequencies;
  for (int pair = 0; pair < found->table.frequencies.pairs(); ++pair) {
    frequencies.push_back(found->table.frequencies.approximate(pair));
  }
  const double amplitude = approximately(found->table.amplitude);
  std::vector<double> values;
  for (const auto& token : tokens_of(request)) {
    for (std::size_t c = 0; c < found->table.columns.size(); ++c) {
      const auto& column = found->table.columns[c];
      const auto stream = found->streams.empty() ? 0 : static_cast<std::size_t>(found->streams[c]);
      const double position = stages.turned_by(token, stream);
      double scale = amplitude;
      if (found->scaled) {
        auto of_query = found->scaled->scale;
        const bool is_of_keys = of_query.is_reciprocal;
        of_query.is_reciprocal = false;
        const double query =
            std::pow(approximately(of_query.ratios[static_cast<std::size_t>(column.pair)]),
                     static_cast<double>(token[0] - of_query.centre) / approximately(of_query.base));
        scale *= is_of_keys ? stages.key_scale(query) : query;
        if (found->scaled->is_scale_alone) {
          values.push_back(scale);
          continue;
        }
      }
      const double phase = position * frequencies[static_cast<std::size_t>(column.pair)];
      const bool is_cosine = column.component == Component::cosine;
      values.push_back(
          stages.finish(scale * (is_cosine ? std::cos(phase) : std::sin(phase)), position, is_cosine));
    }
  }
  return values;
}

std::vector<double> biases(const BiasTable& table, const Stages& stages, const Request& request,
                           const WantedTensor& wanted) {
  const auto positions = integers_of(request.positions);
  const bool is_slope = table.factor == BiasTable::Factor::one;
  const auto queries = wanted.shape.size() == 3 ? wanted.shape[1] : 1;
  const auto heads = table.slopes.size();
  std::vector<double> values;
  for (std::size_t head = 0; head < heads; ++head) {
    const auto& exact = table.slopes[head];
    const double slope =
        stages.slope(head, heads, std::exp2(-approximately(exact.step) * static_cast<double>(exact.power)));
    if (is_slope) {
      values.push_back(slope);
      continue;
    }
    for (std::size_t query = 0; query < queries; ++query) {
      for (std::size_t key = 0; key < positions.size(); ++key) {
        const auto honest = static_cast<double>(table.multiplier(positions, queries, query, key));
        values.push_back(
            slope * stages.multiplier(positions[positions.size() - queries + query], positions[key], honest));
      }
    }
  }
  return values;
}

class Implementation final : public LiveImplementation {
 public:
  Implementation(const std::string& spec, Stages stages)
      : encoding_(encoding_of(spec)), stages_(std::move(stages)) {}

  std::string description() const override { return "made by the test"; }
  bool observes_memory() const override { return false; }
  bool costs_a_process() const override { return false; }
  Response ask(const Request& request) override {
    Response response;
    for (const auto& wanted : request.wanted) {
      if (wanted.role == "buckets") {
        const auto rule = encoding_->buckets();
        std::vector<std::int64_t> buckets;
        for (const auto r : integers_of(request.positions)) {
          buckets.push_back(stages_.bucket(rule, r, buckets.size()));
        }
        response.tensors.emplace(wanted.role, integer_tensor(wanted.shape, buckets));
        continue;
      }
      const auto values = numbers(request, wanted);
      if (!values) {
        return {ResponseStatus::unsupported, "not done"};
      }
      const auto format = *traits(wanted.type).format;
      auto rounded = *values;
      for (auto& value : rounded) {
        value = round_to(format, value);
      }
      response.tensors.emplace(wanted.role, tensor_of(format, wanted.shape, rounded));
    }
    return response;
  }

 private:
  std::optional<std::vector<double>> numbers(const Request& request, const WantedTensor& wanted) const {
    for (const auto& table : encoding_->biases()) {
      if (table.role == wanted.role) {
        return biases(table, stages_, request, wanted);
      }
    }
    return turns(*encoding_, stages_, request, wanted);
  }

  std::unique_ptr<Encoding> encoding_;
  Stages stages_;
};

/// Relative positions, each twice; others from 0 on.
PositionRange asked_positions(const Encoding& encoding) {
  return encoding.buckets() ? PositionRange{-200, 1, 401} : PositionRange{0, 1, 400};
}

Verdict live_verdict(const std::string& spec, const Stages& stages, ElementType type = ElementType::float32) {
  auto encoding = encoding_of(spec);
  Implementation implementation(spec, stages);
  LiveOptions options{.name = "live", .source = "spec", .cases = 1};
  options.questions.type = type;
  options.questions.positions = asked_positions(*encoding);
  return validate_live(implementation, std::move(encoding), options);
}

/// The same implementation's tensors, as files hold them: relative positions twice, distances of 16
/// queries.
Verdict stored_verdict(const std::string& spec, const Stages& stages, ElementType type = ElementType::float32,
                       const std::optional<std::string>& contract = std::nullopt) {
  auto encoding = encoding_of(spec);
  Implementation implementation(spec, stages);
  QuestionOptions options;
  options.type = type;
  options.positions = asked_positions(*encoding);
  CaseParts parts{"a test", "stored", "", {}, contract};
  for (const auto& question : questions_of(*encoding, options)) {
    auto request = question.ways.front();
    if (request.input) {
      continue;
    }
    const bool has_buckets = request.wanted.front().role == "buckets";
    if (has_buckets) {
      auto positions = integers_of(request.positions);
      positions.insert(positions.end(), positions.begin(), positions.begin() + 401);
      request.positions = integer_tensor({positions.size()}, positions);
      request.wanted.front().shape = {positions.size()};
    }
    if (spec == alibi && request.wanted.front().role == "bias") {
      const auto& shape = request.wanted.front().shape;
      request.wanted.front().shape = {shape.front(), 16, shape.back()};
    }
    const auto response = implementation.ask(request);
    for (const auto& [role, tensor] : response.tensors) {
      parts.tensors.emplace(role, NamedTensor{role, tensor});
    }
    parts.tensors.insert_or_assign(has_buckets ? "relative_positions" : "positions",
                                   NamedTensor{"positions", request.positions});
  }
  return validate(assemble_case(parts, std::move(encoding)), "");
}

std::string check_id(const std::string& spec, std::string_view property) {
  return "property/" + std::string(encoding_of(spec)->scheme()) + "/" + std::string(property);
}

/// The ids of the checks of properties that are judged through views.
std::set<std::string> judged_properties(const Verdict& verdict, Status status) {
  std::set<std::string> result;
  for (const auto& id : ids(verdict.checks, status)) {
    const auto last = id.substr(id.rfind('/') + 1);
    if (id.starts_with("property/") && property_named(last) != nullptr) {
      result.insert(last);
    }
  }
  return result;
}

std::set<std::string> owned_by(const char* spec) {
  std::set<std::string> result;
  for (const auto& [property, specs] : owners) {
    if (std::ranges::find(specs, spec) != specs.end()) {
      result.insert(property);
    }
  }
  return result;
}

TEST(Properties, HonestTensorsHaveWhatTheirSchemeHas) {
  for (const auto* spec : all_specs) {
    const auto stored = stored_verdict(spec, {});
    EXPECT_EQ(judged_properties(stored, Status::pass), owned_by(spec)) << spec;
    EXPECT_EQ(exit_code(stored), 0) << spec << ": " << summary(stored);
    auto expected = owned_by(spec);
    expected.erase("same-bucket");  // each relative position is asked for once
    const auto live = live_verdict(spec, {});
    EXPECT_EQ(judged_properties(live, Status::pass), expected) << spec;
    EXPECT_EQ(exit_code(live), 0) << spec << ": " << summary(live);
  }
}

TEST(Properties, NarrowFormatsAreNotAccused) {
  for (const auto type : {ElementType::float64, ElementType::float16, ElementType::bfloat16}) {
    for (const auto* spec : all_specs) {
      const auto verdict = stored_verdict(spec, {}, type);
      EXPECT_THAT(ids(verdict.checks, Status::fail), SizeIs(0)) << spec;
    }
  }
}

/// Whatever the contract: a property fails only where an element does.
TEST(Properties, NoContractIsStricterInPropertiesThanInElements) {
  for (const auto& contract : contracts()) {
    for (const auto* spec : all_specs) {
      try {
        const auto verdict = stored_verdict(spec, {}, ElementType::float32, std::string(contract.id));
        const auto failing = ids(verdict.checks, Status::fail);
        EXPECT_TRUE(
            judged_properties(verdict, Status::fail).empty() ||
            std::ranges::any_of(failing, [](const std::string& id) { return !id.starts_with("property/"); }))
            << contract.id << ", " << spec;
      } catch (const InputError&) {
        continue;  // a contract that says nothing of such a tensor
      }
    }
  }
}

TEST(Properties, EachIsBrokenByTwoImplementationsAtLeast) {
  std::map<std::string, std::set<std::string>> broken_by;
  for (const auto& fault : faults()) {
    for (const auto* spec : fault.specs) {
      ASSERT_THAT(owners.at(fault.property), Contains(spec)) << fault.property;
      const auto stored = stored_verdict(spec, fault.stages);
      EXPECT_EQ(check_named(stored.checks, check_id(spec, fault.property)).status, Status::fail)
          << fault.name << ", " << spec;
      if (spec == fault.specs.front() && std::string_view(fault.property) != "same-bucket") {
        const auto live = live_verdict(spec, fault.stages);
        EXPECT_EQ(check_named(live.checks, check_id(spec, fault.property)).status, Status::fail)
            << fault.name << ", live, " << spec;
      }
    }
    broken_by[fault.property].insert(fault.name);
  }
  for (const auto& property : properties()) {
    EXPECT_GE(broken_by[std::string(property.id)].size(), 2U) << property.id;
  }
}

}  // namespace
}  // namespace vernier
