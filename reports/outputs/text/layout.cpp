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
  std::size_t wanted = 0;
  for (const auto& text : texts) {
    wanted += fitted(text, indent, most_of_an_entry).size();
  }
  const auto lines = [=, texts = std::move(texts), others = std::move(others)](std::size_t most) {
    Lines result;
    for (std::size_t i = 0; i < texts.size() && result.size() < most; ++i) {
      const std::size_t reserved = i + 1 < texts.size() && wanted > most ? 1 : 0;
      const auto left = most - result.size() - reserved;
      const auto most_of_it = i == 0 && left > std::min<std::size_t>(texts.size() - 1, 1)
                                  ? std::min(left, most_of_an_entry)
                                  : most_of_an_entry;
      auto entry = fitted(texts[i], indent, most_of_it);
      if (entry.size() > left) {
        result.push_back(cut(std::string(indent, ' ') + others(i), line_width));
        break;
      }
      std::ranges::move(entry, std::back_inserter(result));
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
