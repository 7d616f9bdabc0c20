#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/json/json.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// schemes/schemes.json as it stands: of each scheme what it is, specs of it, and what its keys mean.
std::string scheme_texts();

/// Tells schemes what each is, and specs of it, and orders them as these are written. \throws nlohmann's
/// exception where nothing is written of one
void tell(std::vector<Scheme>& schemes);

/// What the keys of a form mean. A text stands under the key's path or, for whatever object it is in, under
/// its name: of the form, of the scheme, or of all schemes.
class KeyTexts {
 public:
  struct Text {
    std::string_view meaning;  ///< a line of the manual
    std::string_view unit;     ///< of its numbers: "positions", "dimensions"; none of pure numbers
  };

  /// \param marker of the form, empty of the one that has none
  KeyTexts(std::string_view scheme, std::string_view marker);

  /// \param path as of a scheme: "axes[].dims" \return empty texts of a key that nothing is written of
  Text of(std::string_view path) const;

 private:
  std::vector<const OrderedJson*> tables_;  ///< the nearest first
};

}  // namespace vernier
