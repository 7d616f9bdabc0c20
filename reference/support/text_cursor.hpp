#pragma once

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>
#include <string_view>

namespace vernier {

/// How far a parser of formulas has come in its text: "2 * min(0, x)". Spaces before symbols and words are
/// passed over.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text), rest_(text) {}

  /// What comes next.
  std::string_view rest() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    return rest_;
  }

  /// \pre there are as many characters
  void skip(std::size_t characters) { rest_.remove_prefix(characters); }

  /// Passes a symbol if it comes next. \return whether it does
  bool takes(std::string_view symbol) {
    const bool found = rest().starts_with(symbol);
    skip(found ? symbol.size() : 0);
    return found;
  }

  /// Passes letters, digits, dots and underscores, and returns them: none if something else comes next.
  std::string word() {
    const auto is_of_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    const auto next = rest();
    const std::string found(next.begin(), std::ranges::find_if_not(next, is_of_word));
    skip(found.size());
    return found;
  }

  /// Passes the first of these operators that comes next, if it binds at least so tightly; else null.
  /// \param operators with `symbol` and `precedence`; what begins with another comes before it
  template <class Operators>
  auto takes_operator(const Operators& operators, int least_precedence) -> decltype(operators.data()) {
    const auto next = rest();
    const auto found =
        std::ranges::find_if(operators, [&](const auto& op) { return next.starts_with(op.symbol); });
    if (found == operators.end() || found->precedence < least_precedence) {
      return nullptr;
    }
    skip(found->symbol.size());
    return &*found;
  }

  /// \throws std::invalid_argument unless it holds: "formula 2 +: expected more at "
  void require(bool holds, std::string_view what) const {
    if (!holds) {
      throw std::invalid_argument("formula " + std::string(text_) + ": expected " + std::string(what) +
                                  " at " + std::string(rest_));
    }
  }

 private:
  std::string_view text_;
  std::string_view rest_;
};

}  // namespace vernier
