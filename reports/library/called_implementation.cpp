#include "reports/library/called_implementation.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "numerics/implementations/data_type.hpp"
#include "numerics/implementations/misfit.hpp"
#include "numerics/implementations/third_party_text.hpp"

namespace vernier {
namespace {

/// A tensor that C code is told of. It gets a copy of the elements, which it may spoil.
class Lent {
 public:
  Lent(ElementType type, const Shape& shape, std::span<const std::byte> bytes = {})
      : shape_(shape.begin(), shape.end()), bytes_(bytes.begin(), bytes.end()) {
    tensor_ = {bytes_.empty() ? nullptr : bytes_.data(),
               {VERNIER_CPU, 0},
               static_cast<std::int32_t>(shape_.size()),
               data_type(type),
               shape_.data(),
               nullptr,
               0};
  }
  explicit Lent(const Tensor& tensor) : Lent(tensor.type(), tensor.shape(), tensor.bytes()) {}
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  const VernierTensor* get() const { return &tensor_; }

 private:
  std::vector<std::int64_t> shape_;
  std::vector<std::byte> bytes_;
  VernierTensor tensor_ = {};
};

/// The caller's floating-point environment for as long as this lives.
class InEnvironment {
 public:
  explicit InEnvironment(const std::fenv_t& environment) {
    std::fegetenv(&ours_);
    std::fesetenv(&environment);
  }
  InEnvironment(const InEnvironment&) = delete;
  InEnvironment& operator=(const InEnvironment&) = delete;
  ~InEnvironment() { std::fesetenv(&ours_); }

 private:
  std::fenv_t ours_ = {};
};

Response answered(const Request& request, VernierAnswer answer) {
  Response response;
  for (const auto& wanted : request.wanted) {
    const auto found = answer.tensors.find(wanted.role);
    const auto misfit = found == answer.tensors.end() ? std::string("has no tensor named ") + wanted.role
                                                      : misfit_of(found->second, wanted).value_or("");
    if (!misfit.empty()) {
      return {ResponseStatus::malformed, std::string("the response ") + misfit};
    }
    response.tensors.insert(answer.tensors.extract(found));
  }
  return response;
}

}  // namespace

CalledImplementation::CalledImplementation(VernierImplementation function, void* user,
                                           const std::fenv_t& environment, const std::string& name,
                                           Takes takes)
    : function_(function),
      user_(user),
      environment_(environment),
      name_(third_party_text(name)),
      takes_(takes) {}

std::int32_t CalledImplementation::call(const Request& request, VernierAnswer* answer) const {
  const auto spec = request.spec.dump();
  const Lent positions(request.positions);
  std::deque<Lent> further;
  const auto* input = request.input ? further.emplace_back(*request.input).get() : nullptr;
  std::vector<VernierNamedTensor> wanted;
  for (const auto& one : request.wanted) {
    wanted.push_back({one.role.c_str(), further.emplace_back(one.type, one.shape).get()});
  }
  const VernierQuestion question{spec.c_str(), positions.get(), input, wanted.data(), wanted.size()};
  const InEnvironment environment(environment_);
  return function_(user_, &question, answer);
}

void CalledImplementation::tell(const Request& request) const {
  if (call(request, nullptr) != VERNIER_OK) {
    throw StoppedByCaller();
  }
}

Response CalledImplementation::ask(const Request& request) {
  VernierAnswer answer;
  switch (call(request, &answer)) {
    case VERNIER_OK:
      return answered(request, std::move(answer));
    case VERNIER_UNSUPPORTED:
      return {ResponseStatus::unsupported, third_party_text(answer.reason, longest_reason)};
    case VERNIER_REJECTED:
      return {ResponseStatus::rejected, third_party_text(answer.reason, longest_reason)};
    default:
      throw StoppedByCaller();
  }
}

}  // namespace vernier
