#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
    std::uint64_t packed = 0;  ///< bytes in the file
    std::uint32_t check = 0;   ///< CRC-32
    int method = 0;            ///< 0: stored, 8: deflated
    bool is_stored() const { return method == 0 && packed == size; }
  };
  /// By name.
  const std::map<std::string, Member, std::less<>>& members() const { return members_; }
  /// The bytes of a member, where they lie in the file; nothing of one that is compressed.
  /// \throws InputError if they are not there
  std::optional<std::span<const std::byte>> bytes(std::string_view name) const;
  /// The bytes of a deflated member, unpacked; nothing of one that is packed in another way or has more than
  /// 2^30 of them. \throws InputError for bytes that do not unpack to its size and its check
  std::optional<std::vector<std::byte>> inflated(std::string_view name) const;

 private:
  const Member& member(std::string_view name) const;
  /// The bytes of a member as they are in the file.
  std::span<const std::byte> packed(std::string_view name, const Member& member) const;

  std::span<const std::byte> file_;
  std::string source_;
  std::map<std::string, Member, std::less<>> members_;
};

/// Whether a file begins as a zip archive does.
bool begins_as_zip(std::span<const std::byte> file);

}  // namespace vernier
