#pragma once

#include <string>

#include "reports/verdict/verdict.hpp"

namespace vernier {

/// A verdict in a few words and a colour. No name that a stranger gave is in it.
struct Badge {
  std::string message;  ///< "conforms, 3 waived", "fails 2 checks"
  std::string colour;   ///< "17693c": red, green and blue in hexadecimal, on which white can be read
  bool fails = false;
};

Badge badge_of(const Verdict& verdict);

/// The badge as an SVG image: "Vernier" on grey, the message on its colour. It holds neither scripts nor
/// styles nor ids, so it may stand inside a page. \return one line without its end
std::string badge_svg(const Badge& badge);

}  // namespace vernier
