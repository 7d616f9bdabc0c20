#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/schemes/encoding.hpp"

namespace vernier {

/// \name JSON patches (RFC 6902) of a spec \param path of the key, "rope_scaling/factor"
/// @{
/// Gives it a value, whether it had one or not.
OrderedJson replacement(std::string_view path, OrderedJson value);
OrderedJson removal(std::string_view path);
/// A whole number as an integer.
OrderedJson json_number(double value);
/// @}

/// The encoding of a spec; null if it is none.
std::unique_ptr<Encoding> encoding_of(const OrderedJson& spec);
/// The patched spec; null where that cannot be patched.
OrderedJson patched_spec(const OrderedJson& spec, const OrderedJson& patch);
/// The encoding of the patched spec; null if that is no spec.
std::unique_ptr<Encoding> patched(const Encoding& encoding, const OrderedJson& patch);

/// A number of a spec, or what all numbers of a list are.
struct SpecNumber {
  std::string path;  ///< as patches have it, without the first slash
  double value = 0;
  bool is_there = true;  ///< else it is what is usual
  bool is_whole = false;
  bool counts_positions = false;
  std::size_t listed = 0;  ///< how many there are of it; 0: it is in no list

  /// With another value.
  OrderedJson replaced(double other) const;
};

/// The path of a key as patches have it: "axes/1/dims" of "axes[1].dims".
std::string pointer_of(std::string path);

/// The path of the object that a key is of: "axes/1" of "axes/1/dims"; empty of the spec's own keys.
std::string_view object_of(std::string_view path);

/// The numbers of a spec, also those that it need not say.
std::vector<SpecNumber> numbers_of(const Encoding& encoding);

}  // namespace vernier
