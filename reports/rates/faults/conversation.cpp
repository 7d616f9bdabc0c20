// Faults that hang on the question: its length, where it starts, in which order it is asked, what was asked
// before.

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

/// Whether the design's rows are asked for one by one, so that other questions about them are asked.
bool converses(const Design& design) {
  return has_rows(design) && design.has_turns() && !design.encoding->has_tables_of_axes() &&
         design.tuning.empty() && design.positions.step == 1 && design.length() >= 64;
}

/// Whether it can be asked for rows in any order.
bool gathers(const Design& design) {
  return converses(design) && !design.contiguous_only;
}

bool is_contiguous(const std::vector<double>& places) {
  return std::ranges::adjacent_find(places, [](double a, double b) { return b != a + 1; }) == places.end();
}

void renumber(std::vector<double>& places, double first) {
  for (auto& place : places) {
    place = first++;
  }
}

std::optional<Planted> block_from_zero(Draw& draw, Design& design) {
  if (!converses(design)) {
    return std::nullopt;
  }
  const auto least = static_cast<std::size_t>(draw.one_of({1, 2, 2, 8}));
  const auto zero = static_cast<double>(least_position(design));
  design.placing.push_back([least, zero](const Question&, std::vector<double>& places) {
    if (places.size() >= least && is_contiguous(places)) {
      renumber(places, zero);
    }
  });
  return Planted{"blocks of " + std::to_string(least) + " rows and more"};
}

std::optional<Planted> block_shifted(Draw& draw, Design& design) {
  if (!converses(design)) {
    return std::nullopt;
  }
  const auto by = static_cast<double>(draw.one_of({1, -1}));
  const auto zero = static_cast<double>(least_position(design));
  design.placing.push_back([by, zero](const Question&, std::vector<double>& places) {
    if (places.size() >= 2 && places.front() > zero && is_contiguous(places)) {
      renumber(places, places.front() + by);
    }
  });
  return Planted{"by " + number(by)};
}

std::optional<Planted> single_row(Draw& draw, Design& design) {
  if (!converses(design)) {
    return std::nullopt;
  }
  const bool zero = draw.chance(0.5);
  const auto first = static_cast<double>(least_position(design));
  design.placing.push_back([zero, first](const Question&, std::vector<double>& places) {
    if (places.size() == 1 && places.front() > first) {
      places.front() = zero ? first : places.front() + 1;
    }
  });
  return Planted{zero ? "always as the first" : "as the next"};
}

std::optional<Planted> restarts_ignored(Draw&, Design& design) {
  if (!gathers(design)) {
    return std::nullopt;
  }
  design.placing.push_back([](const Question&, std::vector<double>& places) {
    // Rows that follow each other in the tensor are taken to follow each other in the text.
    if (places.size() > 1 && places[1] == places[0] + 1 && !std::ranges::is_sorted(places)) {
      renumber(places, places.front());
    }
  });
  return Planted{"rows are counted on"};
}

std::optional<Planted> repeats_counted(Draw&, Design& design) {
  if (!gathers(design)) {
    return std::nullopt;
  }
  design.placing.push_back([](const Question&, std::vector<double>& places) {
    for (std::size_t i = 1; i < places.size(); ++i) {
      places[i] = places[i] == places[i - 1] ? places[i] + 1 : places[i];
    }
  });
  return Planted{"the second of two equal positions is the next"};
}

std::optional<Planted> descending(Draw&, Design& design) {
  if (!gathers(design)) {
    return std::nullopt;
  }
  design.placing.push_back([](const Question&, std::vector<double>& places) {
    if (places.size() > 1 && std::ranges::is_sorted(places, std::greater())) {
      std::ranges::reverse(places);
    }
  });
  return Planted{"sorted"};
}

std::optional<Planted> first_question(Draw& draw, Design& design) {
  if (!converses(design)) {
    return std::nullopt;
  }
  const bool clamps = draw.chance(0.5);
  design.placing.push_back([clamps](const Question& question, std::vector<double>& places) {
    const auto rows = static_cast<double>(question.before.first_rows);
    if (question.before.questions == 0) {
      return;
    }
    for (auto& place : places) {
      place = place < rows ? place : clamps ? rows - 1 : std::fmod(place, rows);
    }
  });
  return Planted{clamps ? "its last row beyond" : "modulo its length"};
}

std::optional<Planted> long_spoils(Draw& draw, Design& design) {
  if (!converses(design) || !has_products(design)) {
    return std::nullopt;
  }
  const auto limit = draw.between(design.length() / 4, design.length() * 3 / 4);
  const double factor = 1 + draw.spread(1e-3, 1);
  design.tuning.push_back(
      [limit, factor](const Question& question, std::vector<double>& frequencies, double&) {
        if (question.before.farthest >= limit) {
          for (auto& frequency : frequencies) {
            frequency /= factor;
          }
        }
      });
  return Planted{"by a factor of " + number(factor) + " once a position beyond " + std::to_string(limit) +
                 " was asked for"};
}

std::optional<Planted> grows_off(Draw&, Design& design) {
  if (!converses(design)) {
    return std::nullopt;
  }
  // A cache that grows is appended to at the wrong place once.
  design.placing.push_back([](const Question& question, std::vector<double>& places) {
    const auto had = static_cast<double>(question.before.most_rows);
    if (question.before.questions == 0 || static_cast<double>(places.size()) <= had) {
      return;
    }
    for (auto& place : places) {
      place = place >= had ? place + 1 : place;
    }
  });
  return Planted{"rows beyond the longest question so far"};
}

std::optional<Planted> nondeterministic(Draw& draw, Design& design) {
  if (!converses(design)) {
    return std::nullopt;
  }
  const auto every = static_cast<std::uint64_t>(draw.between(1, 4));
  const auto salt = draw.bits();
  const auto format = design.stored();
  design.finishing.push_back(
      [every, salt, format](const Question& question, std::size_t, std::span<double> values) {
        if (question.before.questions % every != every - 1 || values.empty()) {
          return;
        }
        const auto chosen = static_cast<std::size_t>(hashed_share(question.before.questions, salt) *
                                                     static_cast<double>(values.size()));
        values[chosen] = next_up(format, round_to(format, values[chosen]));
      });
  return Planted{"one element by an ulp in one of " + std::to_string(every) + " questions"};
}

std::optional<Planted> neighbours(Draw& draw, Design& design) {
  if (!converses(design)) {
    return std::nullopt;
  }
  const auto lanes = static_cast<std::size_t>(draw.one_of({4, 8, 16}));
  const auto format = design.stored();
  design.finishing.push_back(
      [lanes, format](const Question& question, std::size_t width, std::span<double> values) {
        const auto rows = question.positions.size();
        for (auto row = rows / lanes * lanes; row < rows; ++row) {
          for (auto& value : values.subspan(row * width, width)) {
            const double stored = round_to(format, value);
            value = stored == 0 ? value : next_up(format, stored);
          }
        }
      });
  return Planted{"the last rows of a length that is no multiple of " + std::to_string(lanes)};
}

std::optional<Planted> batch_positions(Draw&, Design& design) {
  if (!converses(design) || !design.rotates()) {
    return std::nullopt;
  }
  design.placing.push_back([first = static_cast<double>(least_position(design))](
                               const Question& question, std::vector<double>& places) {
    if (question.batch > 0) {
      renumber(places, first);
    }
  });
  return Planted{"batches beyond the first are numbered from the start"};
}

}  // namespace

std::span<const Fault> conversation_faults() {
  static const std::array all{
      Fault{"questions/block-from-zero", "a block is answered as if it began the text", Shows::questions,
            block_from_zero},
      Fault{"questions/block-shifted", "a block that does not begin the text is off by one", Shows::questions,
            block_shifted},
      Fault{"questions/single-row", "one row alone has another position", Shows::questions, single_row},
      Fault{"questions/restarts", "positions that start again are counted on", Shows::questions,
            restarts_ignored},
      Fault{"questions/repeats", "equal positions get different rows", Shows::questions, repeats_counted},
      Fault{"questions/descending", "descending positions are answered in ascending order", Shows::questions,
            descending},
      Fault{"questions/first-length", "the table is as long as the first question", Shows::questions,
            first_question},
      Fault{"questions/long-spoils", "a far position changes what is answered afterwards", Shows::questions,
            long_spoils},
      Fault{"questions/growth", "a table that grows is appended to at the wrong place", Shows::questions,
            grows_off},
      Fault{"questions/nondeterministic", "the same question has other bits", Shows::questions,
            nondeterministic},
      Fault{"questions/tail", "the tail of a vectorised loop has other bits", Shows::questions, neighbours},
      Fault{"questions/batch-positions", "batches have the positions of the first", Shows::questions,
            batch_positions},
  };
  return all;
}

}  // namespace vernier::rates
