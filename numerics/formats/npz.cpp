#include "numerics/formats/npz.hpp"

#include <cstddef>
#include <utility>

#include "numerics/formats/npy.hpp"
#include "reference/json/json.hpp"

namespace vernier {
namespace {

constexpr std::string_view array_extension = ".npy";

}  // namespace

std::vector<std::string> npz_names(const ZipArchive& archive) {
  std::vector<std::string> names;
  for (const auto& [member, entry] : archive.members()) {
    if (member.ends_with(array_extension)) {
      names.push_back(member.substr(0, member.size() - array_extension.size()));
    }
  }
  return names;
}

std::optional<Tensor> npz_array(const ZipArchive& archive, std::string_view name,
                                const std::shared_ptr<const void>& owner, const std::string& source) {
  const auto member = std::string(name) + std::string(array_extension);
  const auto called = source + ": " + in_quotes(member);
  if (const auto stored = archive.bytes(member)) {
    return parse_npy(*stored, owner, called);
  }
  if (auto unpacked = archive.inflated(member)) {
    const auto kept = std::make_shared<const std::vector<std::byte>>(*std::move(unpacked));
    return parse_npy(*kept, kept, called);
  }
  return std::nullopt;
}

}  // namespace vernier
