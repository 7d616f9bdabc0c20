#pragma once

#include <optional>

#include "numerics/formats/tensor.hpp"
#include "numerics/implementations/asked_through.hpp"

namespace vernier {

/// Asks an implementation that takes one length a process: a new process where the shape of the positions is
/// another than before. Others are asked as they are.
class OneLength final : public AskedThrough {
 public:
  explicit OneLength(LiveImplementation& inner) : AskedThrough(inner) {}

  Response ask(const Request& request) override {
    if (inner().takes().one_length && shape_ && *shape_ != request.positions.shape()) {
      inner().start_afresh();
    }
    shape_ = request.positions.shape();
    return inner().ask(request);
  }

 private:
  std::optional<Shape> shape_;
};

}  // namespace vernier
