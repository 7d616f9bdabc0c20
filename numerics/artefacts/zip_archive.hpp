#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vernier {

/// The members of a zip archive (PKWARE's APPNOTE.TXT), those of 64 bits too: what .npz files, and
/// PyTorch's since 1.6, are. Nothing in the file is trusted.
class ZipArchive {
 public:
  /// \param file the whole file's bytes, which must outlive the archive \param source what to call it in
  /// errors \throws InputError for what is no zip archive or points beyond the file
  ZipArchive(std::span<const std::byte> file, std::string source);

  struct Member {
    std::uint64_t header = 0;  ///< where its own header begins
    std::uint64_t size = 0;
    bool is_stored = false;  ///< not compressed
  };
  /// By name.
  const std::map<std::string, Member, std::less<>>& members() const { return members_; }
  /// The bytes of a member, where they lie in the file; nothing of one that is compressed.
  /// \throws InputError if they are not there
  std::optional<std::span<const std::byte>> bytes(std::string_view name) const;

 private:
  std::span<const std::byte> file_;
  std::string source_;
  std::map<std::string, Member, std::less<>> members_;
};

/// Whether a file begins as a zip archive does.
bool begins_as_zip(std::span<const std::byte> file);

}  // namespace vernier
