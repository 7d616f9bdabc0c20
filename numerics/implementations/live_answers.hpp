#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numerics/implementations/live_implementation.hpp"

namespace vernier {

/// Rows of a role that an implementation is asked for.
struct AskedRole {
  std::string role;   ///< "encoding", "cos", "rotated"
  std::size_t width;  ///< elements of a row
};

/// What a live implementation answers, position by position, remembered: so that many small questions, such
/// as laws have, are asked in few large requests. A row of any position, or of any position and input vector,
/// is asked at most once.
class LiveAnswers {
 public:
  /// \param spec with all defaults \param type of what is asked and of the inputs: a floating-point one
  /// \param roles asked together; "rotated", whose rows depend on an input of the same width, is asked alone
  LiveAnswers(LiveImplementation& implementation, OrderedJson spec, ElementType type,
              std::vector<AskedRole> roles);

  /// The rows of all roles at a position, one after the other. If the answer is not known, it is collected
  /// for the next request, and the result is null; unless questions are asked at once. \param input of the
  /// position, empty if there is none; values of the type
  const std::vector<double>* find(std::int64_t position, std::span<const double> input = {});

  /// Asks for everything collected. \return false if there was nothing to ask, or nothing may be asked
  bool ask_collected();
  /// From now on asks what is not known at once, a row a request, so many times at most.
  void ask_at_once(int most_requests) { requests_left_ = most_requests; }

  ElementType type() const { return type_; }
  std::size_t collected() const { return collected_.size(); }
  /// How often find() had no answer.
  std::uint64_t unanswered() const { return unanswered_; }
  int requests() const { return requests_; }
  /// The first response that was no answer: nothing is asked after it.
  const std::optional<Response>& failure() const { return failure_; }

 private:
  /// A row is known by its position and input.
  using Question = std::pair<std::int64_t, std::vector<double>>;

  Request request_for(std::span<const Question> questions) const;
  void ask(std::span<const Question> questions);

  LiveImplementation& implementation_;
  OrderedJson spec_;
  ElementType type_;
  std::vector<AskedRole> roles_;
  std::map<Question, std::vector<double>> answers_;
  std::set<Question> collected_;
  int requests_left_ = 0;
  int requests_ = 0;
  std::uint64_t unanswered_ = 0;
  std::optional<Response> failure_;
};

}  // namespace vernier
