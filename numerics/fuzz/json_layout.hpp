// Gives nlohmann's ordered_map one size in GCC's objects and Clang's. Its comparator takes no room where
// __has_attribute(no_unique_address) holds, as GCC says and Clang does not: 24 bytes against 32. Clang knows
// the attribute nevertheless. The fuzzers include this before everything else.
#include <nlohmann/detail/macro_scope.hpp>
#undef JSON_NO_UNIQUE_ADDRESS
#define JSON_NO_UNIQUE_ADDRESS [[no_unique_address]]
#include <nlohmann/json.hpp>
