#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// An encoding that an implementation is asked for, and what is to be expected of it.
struct ListedEncoding {
  std::filesystem::path spec;
  ElementType type = ElementType::float32;
  std::string contract;              ///< that it is held to
  std::int64_t positions = 0;        ///< how many are asked for, from 0 on
  std::optional<bool> conforms;      ///< the verdict to be expected; none: it is measured, and not tested
  std::vector<std::string> failing;  ///< the checks that are expected to fail, by id; none if it conforms
  std::string reason;                ///< why that is the verdict to be expected
};

/// An implementation that can be run, if what it needs is there.
struct ListedImplementation {
  std::string id;
  std::string name;
  /// The command of a server (numerics/asking/program.hpp), or the file of a plug-in.
  std::string server;
  std::filesystem::path plugin;
  std::optional<std::string> absent;  ///< what it needs that is not there; it cannot be run then
  std::vector<ListedEncoding> encodings;
};

/// Reads a list of implementations: a JSON object with
///   "places": by name, {"path": ...} or, of what is not there, {"absent": reason}; its name in braces stands
///             for the path in every `server`, `plugin` and `spec`, and what uses an absent one is absent;
///   "implementations": an array of {"id", "name", "server" or "plugin", "encodings": an array of {"spec",
///             "dtype", "contract", "positions" (131072), "expected" ("conforms", "does_not_conform", or
///             nothing), "failing" (ids of checks), "reason"}}.
/// Other paths are relative to the list. \throws InputError
std::vector<ListedImplementation> read_implementation_list(const std::filesystem::path& file);

}  // namespace vernier
