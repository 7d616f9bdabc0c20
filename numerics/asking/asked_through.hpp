#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "numerics/elements/quantization.hpp"
#include "numerics/processes/live_implementation.hpp"
#include "numerics/processes/rows.hpp"

namespace vernier {

/// An implementation that is asked through something that puts questions into a form that it takes.
class AskedThrough : public LiveImplementation {
 public:
  /// \param inner outlives this
  explicit AskedThrough(LiveImplementation& inner) : inner_(inner) {}

  std::string description() const override { return inner_.description(); }
  std::string name() const override { return inner_.name(); }
  bool observes_memory() const override { return inner_.observes_memory(); }
  bool costs_a_process() const override { return inner_.costs_a_process(); }
  bool can_start_afresh() const override { return inner_.can_start_afresh(); }
  Takes takes() const override { return inner_.takes(); }
  void start_afresh() override { inner_.start_afresh(); }
  Response ask(const Request& request) override { return inner_.ask(request); }

 protected:
  LiveImplementation& inner() { return inner_; }
  const LiveImplementation& inner() const { return inner_; }
  /// Asks for one run of rows after another, as long as they are answered, and joins the answers.
  Response ask_for_runs(const Request& request, std::span<const RowRun> runs);

 private:
  LiveImplementation& inner_;
};

/// Calls somebody before each question that gets to the implementation.
class Paced final : public AskedThrough {
 public:
  Paced(LiveImplementation& inner, std::function<void()> pause)
      : AskedThrough(inner), pause_(std::move(pause)) {}

  Response ask(const Request& request) override {
    pause_();
    return inner().ask(request);
  }

 private:
  std::function<void()> pause_;
};

/// Retells questions as an implementation is told them.
///
/// Positions. Whoever takes real ones is told them as numbers of that type, n u for the integers n of a
/// question that counts in u, and no `position_unit` in its spec. A number that the type does not hold cannot
/// be asked for: the question is rejected in its name, with that reason.
///
/// Quantization. Where a format of eight bits is wanted, the spec says under `quantization` how numbers are
/// stored in it, as the key of a case does.
class Retold final : public AskedThrough {
 public:
  Retold(LiveImplementation& inner, std::optional<Quantization> quantization)
      : AskedThrough(inner), quantization_(std::move(quantization)) {}
  Response ask(const Request& request) override;

 private:
  std::optional<Quantization> quantization_;
};

/// Whether a type of positions holds a position. \param unit what it counts in
bool holds_position(ElementType type, std::int64_t position, double unit);

/// The tiles that kernels have are powers of two up to this.
inline constexpr std::size_t largest_tile = 128;

/// Asks an implementation that takes whole tiles of rows only, as it shows by refusing the first questions
/// and answering the same with more rows. From then on rows are added to each question and taken off its
/// answer. Others are asked as they are.
class RowMultiples final : public AskedThrough {
 public:
  using AskedThrough::AskedThrough;
  Response ask(const Request& request) override;
  bool are_asked() const { return are_asked_; }

 private:
  bool was_answered_ = false;
  bool are_asked_ = false;
};

/// Asks an implementation that takes one length a process: a new process where the shape of the positions is
/// another than before. Others are asked as they are.
class OneLength final : public AskedThrough {
 public:
  using AskedThrough::AskedThrough;
  Response ask(const Request& request) override;

 private:
  std::optional<Shape> shape_;
};

/// Asks an implementation that takes blocks of positions k, k + 1, ... only for any positions: a block a
/// question, the answers joined.
///
/// Where it does not say that it takes blocks only, questions are asked as they are. One that is refused is
/// looked into once: if two rows of it that are no neighbours are refused together and answered apart, it is
/// from then on asked for blocks.
class ContiguousBlocks final : public AskedThrough {
 public:
  using AskedThrough::AskedThrough;
  Takes takes() const override;
  Response ask(const Request& request) override;
  /// Whether it was found to take blocks only, though it does not say so.
  bool was_found_out() const { return found_ == Found::blocks_only; }

 private:
  enum class Found { nothing, any_positions, blocks_only };
  bool refuses_only_scattered(const Request& request);
  Response ask_for_blocks(const Request& request);

  Found found_ = Found::nothing;
};

/// The greatest blocks of rows whose positions are k, k + 1, ... \pre tokens have one position
std::vector<RowRun> contiguous_blocks(const Request& request);

/// The request with the last position of the sequence in it: where it lacks it, as a last row, or as a first
/// one of descending positions.
Request with_length(const Request& request, std::optional<std::int64_t> length);

/// Asks an implementation whose frequencies depend on the length of the sequence for one length throughout.
/// Hugging Face's rule reads the length off each call: the greatest position in it, plus one
/// (modeling_rope_utils.py, dynamic_rope_update). So the last position of the sequence is asked for with
/// every question that lacks it, in a row of its own, which is taken off the answer. Who is given blocks of
/// positions only is asked without it.
class LengthAnchor final : public AskedThrough {
 public:
  /// \param length of the sequence; nothing: questions are passed on as they are
  LengthAnchor(LiveImplementation& inner, std::optional<std::int64_t> length)
      : AskedThrough(inner), length_(length) {}
  Response ask(const Request& request) override;

 private:
  std::optional<std::int64_t> length_;
};

/// The answer for the first rows of a request.
struct PartAnswer {
  std::size_t rows = 0;  ///< how many were answered, from the first on
  /// The answer for those rows; where there are none, why.
  Response response = {};
  /// Why the rows after them were not answered; "answered" if there are none.
  Response refusal = {};
};

/// Asks an implementation that refuses questions about many rows, or takes too long for them, for blocks of
/// rows that it takes.
class InBlocks final : public AskedThrough {
 public:
  using AskedThrough::AskedThrough;

  /// Asks as many rows at a time as were taken before.
  Response ask(const Request& request) override;
  /// Asks for all rows, and for half as many at a time as often as they are refused, until a single row is.
  /// What takes too long is halved twice only, and not at all where each question costs a process; nor is
  /// what is not supported there.
  PartAnswer ask_for_most(const Request& request);

 private:
  std::size_t most_rows_ = 0;  ///< of one question; 0: any number
};

}  // namespace vernier
