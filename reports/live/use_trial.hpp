#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "reports/live/judged_rows.hpp"
#include "reports/live/live_session.hpp"

namespace vernier {

/// A question as programs ask it that use an encoding, of positions that the main answers reach.
struct Use {
  std::string words;                    ///< "the block [17, 84)"
  std::vector<std::int64_t> positions;  ///< one a row
  /// Of vectors, in front of their rows: batches, heads. Tables have none, and are not asked.
  Shape leading = {};
  /// Whether every batch, the first of the leading dimensions, has positions of its own, one batch's after
  /// another's.
  bool by_batch = false;
  /// Elements between the rows.
  std::size_t padding = 0;

  std::size_t rows() const { return by_batch ? positions.size() / leading.front() : positions.size(); }
};

/// Consecutive positions.
std::vector<std::int64_t> block_of(std::int64_t first, std::size_t count);

/// Asks an implementation in other shapes for what it answered already, and judges what it says. A row is
/// right if it has the bits that it has in the main answer, where that holds it, or is within its budget (an
/// honest engine may take another code path for another shape), unless the session requires bits. Vectors are
/// those of the main question, each row's own where no other copy of it is asked for, others for the other
/// copies.
///
/// Where the main answer itself breaks its contract, only rows count that differ from it.
class UseTrial {
 public:
  /// \param session outlives the trial, and grows no main questions meanwhile
  UseTrial(LiveSession& session, std::string_view id, std::string_view required);

  /// The positions that the main answers reach, ends included; nothing if there is nothing to ask.
  std::optional<ClosedRange> reach() const { return reach_; }
  /// \param count the most \return the positions from `first` on that are within reach, if it is
  std::vector<std::int64_t> block(std::int64_t first, std::size_t count) const;
  /// The positions of the first question of a process that is a long one: see LiveSession. \pre reach()
  std::vector<std::int64_t> long_block() const;
  /// A question about consecutive positions. \pre the block is not empty
  Use use_of(const std::vector<std::int64_t>& block, Shape leading = {}) const;
  /// A position as it is told: "0.5"
  std::string position_text(std::int64_t position) const { return session_.position_text(position); }

  /// Asks for tables and vectors, or for vectors only; for nothing after a crash. Does nothing of no
  /// positions.
  void ask(const Use& use);
  /// Tells of what is not asked. \param why a clause
  void leave_out(const std::string& words, std::string_view why);
  /// What was found. \param what was asked: "contiguous blocks"
  Check conclude(std::string_view what);

 private:
  /// Where a row comes from that has to be judged.
  struct Origin {
    std::size_t use;
    std::size_t row;  ///< of all copies
    bool has_other_bits;
  };
  /// A main question, and the rows that cannot be told right by its answer.
  struct Subject {
    const Asked* whole;
    std::vector<std::vector<std::byte>> answers;  ///< by wanted tensor
    std::vector<std::byte> inputs;
    std::vector<std::int64_t> positions;
    std::vector<Origin> origins;
  };
  /// A row of the main answer for each row of a question, where it holds the same.
  using Twins = std::vector<std::optional<std::size_t>>;

  std::optional<std::string> obstacle(const Subject& subject, const Use& use) const;
  Request request_for(const Subject& subject, const Use& use, Twins& twins);
  void ask(Subject& subject, const Use& use);
  void take(Subject& subject, const Use& use, const Request& request, const Twins& twins,
            const Response& response);
  void tell_no_answer(const Use& use, const Response& response);
  void judge(const Subject& subject);
  void tell_row(const Subject& subject, std::size_t row, const std::string& what);
  void tell_wrong(const Subject& subject, const WrongElement& wrong);
  std::string reason(std::string_view what) const;

  LiveSession& session_;
  std::optional<ClosedRange> reach_;
  std::mt19937_64 generator_;
  Check check_;
  std::vector<Subject> subjects_;
  std::vector<Use> uses_;  ///< that were answered, without their positions
  std::vector<std::string> notes_;
  std::uint64_t same_ = 0;    ///< rows
  std::uint64_t other_ = 0;   ///< rows that have other bits
  std::uint64_t new_ = 0;     ///< rows that the main answer does not hold
  std::uint64_t untold_ = 0;  ///< such rows, where the main answer is wrong itself
  bool is_over_ = false;
};

}  // namespace vernier
