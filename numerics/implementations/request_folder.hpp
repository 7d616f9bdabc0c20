#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "numerics/formats/removed_by_signal.hpp"

namespace vernier {

/// A folder that only this user may enter, for the files of questions; gone with its content.
class RequestFolder {
 public:
  /// \throws InputError if none can be made
  RequestFolder();
  RequestFolder(const RequestFolder&) = delete;
  RequestFolder& operator=(const RequestFolder&) = delete;
  ~RequestFolder();

  std::filesystem::path request() const { return path_ / "request.safetensors"; }
  std::filesystem::path response() const { return path_ / "response.safetensors"; }

 private:
  std::filesystem::path path_;
  std::optional<RemovedBySignal> noted_;
  std::optional<RemovedBySignal> noted_request_;
  std::optional<RemovedBySignal> noted_response_;
};

}  // namespace vernier
