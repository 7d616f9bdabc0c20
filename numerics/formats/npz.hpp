#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "numerics/formats/zip_archive.hpp"

namespace vernier {

/// The names of the arrays of an .npz archive: its members NAME.npy, as numpy.savez writes them.
std::vector<std::string> npz_names(const ZipArchive& archive);

/// An array of an .npz archive; nothing of one that is packed in a way other than deflate, or has more than
/// 2^30 bytes. \param name one of npz_names() \param owner what keeps the archive's bytes where they are
/// \param source what to call the file in errors \throws InputError for a member that is not a .npy file
std::optional<Tensor> npz_array(const ZipArchive& archive, std::string_view name,
                                const std::shared_ptr<const void>& owner, const std::string& source);

/// Why npz_array() gives nothing.
inline constexpr std::string_view npz_obstacle =
    "it is packed in a way other than deflate, or has more than 2^30 bytes";

}  // namespace vernier
