#pragma once

#include <string>

#include "reference/json/json.hpp"

namespace vernier {

/// A spec whose keys stand where people guess, with each of them where it belongs: a key that means one thing
/// is moved, one that says again what another says is dropped (guessed_keys.json). What is no object stays as
/// it is. \param source what to call the spec in errors
/// \throws InputError for a key that belongs elsewhere, saying where
JsonValue with_guessed_keys(JsonValue spec, const std::string& source);

}  // namespace vernier
