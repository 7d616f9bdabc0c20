#include "reports/outputs/text/layout.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vernier {

TextBlock paragraph(std::string text, std::size_t indent, std::size_t most, std::size_t least) {
  const auto wanted = std::min(most, wrapped(text, indent).size());
  return {[text = std::move(text), indent](std::size_t lines) { return fitted(text, indent, lines); }, wanted,
          least};
}

TextBlock entries(std::vector<std::string> texts, std::size_t indent, std::size_t most_of_an_entry,
                  std::function<std::string(std::size_t first)> others) {
  const auto in_full = [indent, most_of_an_entry](std::span<const std::string> shown) {
    Lines lines;
    for (const auto& text : shown) {
      std::ranges::move(fitted(text, indent, most_of_an_entry), std::back_inserter(lines));
    }
    return lines;
  };
  const auto line = [indent](const std::string& text) {
    return cut(std::string(indent, ' ') + text, line_width);
  };
  const auto wanted = in_full(texts).size();
  const auto lines = [=, texts = std::move(texts), others = std::move(others)](std::size_t most) {
    if (wanted <= most) {
      return in_full(texts);
    }
    Lines result;
    const bool all = texts.size() <= most;
    for (std::size_t i = 0; i < (all ? texts.size() : std::max<std::size_t>(most, 1) - 1); ++i) {
      result.push_back(line(texts[i]));
    }
    if (!all && most > 0) {
      result.push_back(line(others(most - 1)));
    }
    return result;
  };
  return {lines, wanted};
}

Lines laid_out(std::span<const TextBlock> blocks, std::span<const std::size_t> by_rank, std::size_t room) {
  std::vector<std::size_t> given(blocks.size());
  const auto give = [&](std::size_t block, std::size_t wanted) {
    const auto more = std::min(room, std::max(wanted, given[block]) - given[block]);
    given[block] += more;
    room -= more;
  };
  for (const auto block : by_rank) {
    give(block, std::min(blocks[block].least, blocks[block].wanted));
  }
  for (const auto block : by_rank) {
    give(block, blocks[block].wanted);
  }
  Lines result;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    std::ranges::move(blocks[block].lines(given[block]), std::back_inserter(result));
  }
  return result;
}

}  // namespace vernier
