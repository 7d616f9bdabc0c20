#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numerics/asking/asked_through.hpp"
#include "numerics/asking/questions.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/tensors/case.hpp"
#include "reference/tables/phases.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// A question, the way of asking it that got the furthest, and the answer that is judged.
struct Asked {
  std::string roles;  ///< "cos, sin"
  Request request;
  Response response;
  /// The answer for the first few rows alone, asked before all others; only where the implementation keeps
  /// its process from one question to the next.
  std::optional<Response> first_rows = std::nullopt;
  /// Of the positions that there are to be asked for, those that were.
  PositionCoverage coverage = {};
  /// Why positions beyond those of the request were not answered; nothing if they were, or are not there.
  std::optional<Response> refusal = std::nullopt;
  bool was_asked = true;  ///< else the response says why not

  bool answered() const { return response.is_answered(); }
};

/// A side effect, and the question during which it was seen.
struct WitnessedEffect {
  SideEffect effect;
  std::string roles;
};

/// Remembers how often it was asked, and every side effect.
class Overheard final : public AskedThrough {
 public:
  using AskedThrough::AskedThrough;

  Response ask(const Request& request) override { return noted(inner().ask(request), request); }
  /// Notes an answer that came another way.
  Response noted(Response response, const Request& request);

  std::span<const WitnessedEffect> effects() const { return effects_; }
  std::uint64_t questions() const { return questions_; }

 private:
  std::vector<WitnessedEffect> effects_;
  std::uint64_t questions_ = 0;
};

/// A conversation with an implementation, from which the checks are drawn: whatever they ask is put into
/// questions that it takes.
class LiveSession {
 public:
  /// \param implementation outlives the session, and so does encoding \param law_cases of each law, >= 1
  /// \param pause called before each question; may throw
  LiveSession(LiveImplementation& implementation, const Encoding& encoding, const QuestionOptions& options,
              int law_cases, std::function<void()> pause);

  /// Asks every question of the encoding: in other ways and role by role where the first way is unsupported
  /// or answered in another shape, in blocks where the whole is refused, for a smaller sample where that
  /// fails.
  /// \param progress told one phase
  /// \return false if the first answer told that real positions are taken, and others were asked for: they
  /// are to be asked for anew
  bool ask_main_questions(const PhaseListener& progress);
  Response ask(const Request& request) { return overheard_.ask(request); }
  /// Makes the next question the first of a new process, where a process is kept from one to the next.
  /// \pre the implementation can be started afresh
  void start_afresh();
  /// Makes every other bit of what is answered again a failure.
  void require_bits() { requires_bits_ = true; }
  /// Tells the checks what the answers were fitted to, and of which roles they broke a requirement.
  /// \param judged outlives the session
  void set_case(const Case& judged, std::vector<std::string> wrong_roles) {
    case_ = &judged;
    wrong_roles_ = std::move(wrong_roles);
  }
  /// A conversation with the same about another encoding. \pre this and the encoding outlive it
  LiveSession about(const Encoding& encoding, const QuestionOptions& options) {
    return {paced_, encoding, options, law_cases_, [] {}};
  }

  /// As it is asked by whatever comes here.
  const LiveImplementation& implementation() const { return overheard_; }
  LiveImplementation& implementation() { return overheard_; }
  /// Whether it was found to take contiguous blocks of positions only, though it does not say so.
  bool found_contiguous_only() const { return contiguous_.was_found_out(); }
  const Encoding& encoding() const { return encoding_; }
  /// Whether whoever is asked can be told a position, and it is one of the encoding.
  bool can_ask_for(std::int64_t position) const;
  /// A position as it is told: "0.5"
  std::string position_text(std::int64_t position) const { return vernier::position_text(position, unit_); }
  const QuestionOptions& options() const { return options_; }
  int law_cases() const { return law_cases_; }
  bool requires_bits() const { return requires_bits_; }
  /// The answers to the main questions, fitted to the encoding; null if there are none.
  const Case* judged_case() const { return case_; }
  /// The positions that these reach, ends included, as they are asked for; nothing if there are none.
  std::optional<ClosedRange> reach() const;
  /// Whether a requirement is broken by the answers of this role to the main questions.
  bool is_wrong(const std::string& role) const {
    return std::ranges::find(wrong_roles_, role) != wrong_roles_.end();
  }
  std::span<const Asked> asked() const { return asked_; }
  std::span<const WitnessedEffect> effects() const { return overheard_.effects(); }
  std::uint64_t questions_asked() const { return overheard_.questions(); }
  /// Tells how it was asked: a sentence.
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  std::span<const std::string> notes() const { return notes_; }

 private:
  Asked ask_way(const Question& question, const Request& way);
  Asked ask_in_any_way(const Question& question);
  Asked ask_as_much_as_goes(const Question& question);
  void ask_one(const Question& question);
  bool may_ask(const Question& question) const;

  Paced paced_;
  Retold retold_;
  RowMultiples multiples_;
  OneLength one_length_;
  ContiguousBlocks contiguous_;
  LengthAnchor anchored_;
  InBlocks in_blocks_;
  Overheard overheard_;
  const Encoding& encoding_;
  double unit_;  ///< that its positions count in
  QuestionOptions options_;
  int law_cases_;
  bool requires_bits_ = false;
  const Case* case_ = nullptr;
  std::vector<std::string> wrong_roles_;
  std::vector<Asked> asked_;
  std::vector<std::string> notes_;
};

/// The first rows, which `Asked::first_rows` holds.
std::vector<std::size_t> first_rows_of(const Request& request);

/// Whether every wanted tensor holds rows that depend on their own position alone, so that they may be asked
/// for in any company. Not so for slopes, and for biases relative to the last key.
bool rows_stand_alone(const LiveSession& session, const Asked& asked);

/// "cos, sin"
std::string roles_of(const Request& request);

/// Sets the status and reason of a check whose question got no answer: an error for crashes and timeouts,
/// skipped for what is not supported, else inconclusive. \param what was asked: "the second call"
void tell_missing_answer(Check& check, const std::string& what, const Response& response);

}  // namespace vernier
