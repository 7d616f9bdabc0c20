#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

struct StartingFile {
  std::string_view name;
  std::string_view text;
};

/// A small implementation that conforms, with all that judges it: to be edited into somebody's own.
struct StartingPoint {
  std::string_view id;                     ///< what it is written with: "numpy"
  std::string_view title;                  ///< "A rotary embedding in NumPy, asked as a command"
  std::vector<StartingFile> files;         ///< README.md comes with them
  std::vector<std::string_view> commands;  ///< in their folder, the last judges it
};

std::span<const StartingPoint> starting_points();

/// What README.md says of it.
std::string readme_of(const StartingPoint& point);

/// A file that starting points or test vectors have, as the build took it from the sources. \param path in
/// the sources \pre it is one of them
std::string_view embedded_file(std::string_view path);

}  // namespace vernier
