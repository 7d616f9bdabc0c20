#include "reports/verdict/live/recorded_calls.hpp"

#include <cmath>
#include <fstream>
#include <map>
#include <optional>

#include <fmt/core.h>

#include "numerics/formats/tensor_file.hpp"
#include "reference/json/json.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// Of one list: answers are held beside the vectors.
constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 30;

/// One input of a line.
struct RecordedInput {
  std::string where;                 ///< "workloads.jsonl:3: workload.inputs.q"
  std::optional<std::string> place;  ///< FILE.safetensors:NAME; nothing of what is random
};

/// Lists name files from the root of their dataset, which some folder above them is.
std::string sought_upwards(const std::filesystem::path& list, const std::string& path,
                           const std::string& where) {
  for (auto folder = std::filesystem::absolute(list).parent_path();; folder = folder.parent_path()) {
    std::error_code error;
    if (std::filesystem::exists(folder / path, error)) {
      return (folder / path).string();
    }
    refuse_if(folder == folder.parent_path(),
              "{}: found no file {}, expected it in the list's folder or one above", where, in_quotes(path));
  }
}

class RecordedLine {
 public:
  RecordedLine(const std::filesystem::path& list, const std::string& text, std::size_t number)
      : list_(list),
        source_(fmt::format("{}:{}", list.string(), number)),
        document_(parse_json(text, source_)) {
    ObjectReader line(document_, source_, "");
    auto workload = line.object("workload");
    auto inputs = workload.object("inputs");
    for (const auto& name : inputs.keys()) {
      auto input = inputs.object(name);
      const auto where = fmt::format("{}: workload.inputs.{}", source_, name);
      const auto type = input.string("type");
      if (type == "safetensors") {
        const auto file = sought_upwards(list_, input.string("path"), where);
        inputs_[name] = {where, file + ":" + input.string("tensor_key")};
      } else if (type == "random") {
        inputs_[name] = {where, std::nullopt};
      }  // scalars are arguments of other kinds
    }
  }

  const std::string& source() const { return source_; }
  /// The first of these names that the line has.
  const RecordedInput* input(std::initializer_list<std::string_view> names) const {
    for (const auto name : names) {
      if (const auto found = inputs_.find(name); found != inputs_.end()) {
        return &found->second;
      }
    }
    return nullptr;
  }

 private:
  const std::filesystem::path& list_;
  std::string source_;
  JsonValue document_;
  std::map<std::string, RecordedInput, std::less<>> inputs_;
};

std::vector<std::int64_t> recorded_positions(const RecordedInput& input) {
  refuse_if(!input.place, "{}: found random positions, expected a tensor: they say what is right",
            input.where);
  const auto tensor = read_tensor_file(*input.place, "positions");
  std::vector<std::int64_t> positions(tensor.elements());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto position = tensor.integer(i);
    constexpr std::int64_t farthest = std::int64_t{1} << 31;
    if (position && (*position < -farthest || *position > farthest)) {
      throw InputError("{}: element {}: found {}, expected positions from -2^31 to 2^31", input.where, i,
                       *position);
    }
    refuse_if(!position || tensor.shape().size() != 1, "{}: found {} of shape {}, expected integers [T]",
              input.where, traits(tensor.type()).name, to_string(tensor.shape()));
    positions[i] = *position;
  }
  return positions;
}

/// Vectors [T, heads, d] or [T, heads * d] as [heads, T, d].
Tensor heads_first(const Tensor& recorded, std::size_t tokens, std::size_t head_dim,
                   const std::string& where) {
  const auto& shape = recorded.shape();
  const bool fits = recorded.format() && (shape.size() == 2 || shape.size() == 3) &&
                    shape.front() == tokens &&
                    (shape.size() == 2 ? shape.back() % head_dim == 0 : shape.back() == head_dim) &&
                    recorded.elements() > 0;
  refuse_if(!fits, "{}: found {} of shape {}, expected vectors [{}, heads, {}]: a row for each position",
            where, traits(recorded.type()).name, to_string(shape), tokens, head_dim);
  for (std::size_t i = 0; i < recorded.elements(); ++i) {
    if (!std::isfinite(recorded.number(i))) {
      throw InputError("{}: element {}: found {}, expected finite numbers", where, i, recorded.number(i));
    }
  }
  const auto heads = recorded.elements() / tokens / head_dim;
  const auto row = head_dim * traits(recorded.type()).bytes;
  std::vector<std::byte> bytes;
  bytes.reserve(recorded.bytes().size());
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t token = 0; token < tokens; ++token) {
      const auto from = recorded.bytes().subspan((token * heads + head) * row, row);
      bytes.insert(bytes.end(), from.begin(), from.end());
    }
  }
  return {recorded.type(), {heads, tokens, head_dim}, std::move(bytes)};
}

/// [heads, T, d] as rows.
Tensor rows_of_heads(const Tensor& tensor) {
  const auto width = tensor.shape().back();
  return {tensor.type(),
          {tensor.elements() / width, width},
          std::vector<std::byte>(tensor.bytes().begin(), tensor.bytes().end())};
}

}  // namespace

std::vector<RecordedCall> read_recorded_calls(const std::filesystem::path& list, const Encoding& encoding,
                                              ElementType type, std::uint64_t seed) {
  refuse_if(encoding.rotation() == nullptr, "--replay: found {}, expected an encoding that rotates vectors",
            encoding.summary());
  std::ifstream file(list);
  refuse_if(!file || !std::filesystem::is_regular_file(list),
            "{}: cannot be read, expected a file of JSON lines", list.string());
  std::vector<RecordedCall> calls;
  std::uintmax_t bytes = 0;
  std::string text;
  for (std::size_t number = 1; std::getline(file, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    const RecordedLine line(list, text, number);
    const auto* places = line.input({"positions", "pos_ids"});
    if (places == nullptr) {
      continue;
    }
    const auto positions = recorded_positions(*places);
    for (const auto& [name, of_keys] : {std::pair("q", false), std::pair("k", true), std::pair("x", false)}) {
      const auto* vectors = line.input({name});
      if (vectors == nullptr) {
        continue;
      }
      const auto* rotation = encoding.rotation(of_keys);
      const auto width = rotation->head_dim;
      auto input =
          heads_first(vectors->place ? read_tensor_file(*vectors->place, name)
                                     : made_vectors(type, positions.size(), width, seed, std::nullopt),
                      positions.size(), width, vectors->where);
      if (!calls.empty() && calls.front().request.input->type() != input.type()) {
        throw InputError("{}: found {} after {}, expected one type in a list", vectors->where,
                         traits(input.type()).name, traits(calls.front().request.input->type()).name);
      }
      bytes += input.bytes().size();
      refuse_if(bytes > most_bytes,
                "{}: found more than a GiB of vectors up to here, expected a shorter list", vectors->where);
      const WantedTensor wanted{std::string(rotation->role()), input.type(), input.shape()};
      calls.push_back(
          {fmt::format("{} {}", line.source(), name),
           {encoding.spec(), integer_tensor({positions.size()}, positions), std::move(input), {wanted}}});
    }
  }
  refuse_if(calls.empty(),
            "{}: found no call with positions and q, k or x, expected flashinfer-bench's workloads",
            list.string());
  return calls;
}

std::vector<Asked> asked_again(LiveImplementation& implementation, const std::vector<RecordedCall>& calls,
                               const std::function<void()>& pause) {
  /// The rows that were answered, or the first call that was not.
  struct Rows {
    std::vector<Tensor> inputs = {};
    std::vector<Tensor> answers = {};
    std::vector<std::int64_t> positions = {};
    std::optional<Asked> unanswered = std::nullopt;
  };
  std::map<std::string, Rows> rows_of_role;
  for (const auto& [place, request] : calls) {
    pause();
    const auto& role = request.wanted.front().role;
    auto& rows = rows_of_role[role];
    if (rows.unanswered) {
      continue;
    }
    auto response = implementation.ask(request);
    if (!response.is_answered()) {
      response.reason = fmt::format("{}: {}", place, response.reason);
      rows.unanswered = Asked{role, request, std::move(response)};
      continue;
    }
    rows.inputs.push_back(rows_of_heads(*request.input));
    rows.answers.push_back(rows_of_heads(response.tensors.at(role)));
    const auto positions = integers_of(request.positions);
    for (std::size_t head = 0; head < request.input->shape().front(); ++head) {
      rows.positions.insert(rows.positions.end(), positions.begin(), positions.end());
    }
  }
  std::vector<Asked> result;
  for (auto& [role, rows] : rows_of_role) {
    if (rows.unanswered) {
      result.push_back(*std::move(rows.unanswered));
      continue;
    }
    auto input = joined(rows.inputs, 0);
    const WantedTensor wanted{role, input.type(), input.shape()};
    Asked asked{role,
                {calls.front().request.spec,
                 integer_tensor({rows.positions.size()}, rows.positions),
                 std::move(input),
                 {wanted}},
                {}};
    asked.response.tensors.emplace(role, joined(rows.answers, 0));
    result.push_back(std::move(asked));
  }
  return result;
}

}  // namespace vernier
