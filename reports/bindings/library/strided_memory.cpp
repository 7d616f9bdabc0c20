#include "reports/bindings/library/strided_memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "numerics/processes/data_type.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// DLPack's codes of devices whose memory the host reads too: the host's own, pinned for CUDA, for ROCm.
constexpr std::array<std::int32_t, 3> host_devices{VERNIER_CPU, 3, 11};

/// DLPack's codes that are no numbers of ours, for errors.
std::string type_name(const VernierDataType& type) {
  static constexpr std::array names{"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  const auto lanes = type.lanes == 1 ? "" : fmt::format(" in vectors of {}", type.lanes);
  return type.code < names.size()
             ? fmt::format("{}{}{}", names[type.code], type.bits, lanes)
             : fmt::format("elements of DLPack's type code {}, {} bits{}", type.code, type.bits, lanes);
}

ElementType read_type(const VernierTensor& tensor, const std::string& name) {
  if (const auto type = element_type_of(tensor.dtype)) {
    return *type;
  }
  throw InputError("{}: found {}, expected float64, float32, float16, bfloat16, float8 or integers", name,
                   type_name(tensor.dtype));
}

Shape read_shape(const VernierTensor& tensor, const std::string& name) {
  refuse_if(tensor.ndim < 0 || (tensor.ndim > 0 && tensor.shape == nullptr),
            "{}: found a tensor of {} dimensions without a shape, expected one with its shape", name,
            tensor.ndim);
  Shape shape;
  for (std::int32_t i = 0; i < tensor.ndim; ++i) {
    refuse_if(tensor.shape[i] < 0, "{}: found a dimension of {}, expected none below 0", name,
              tensor.shape[i]);
    shape.push_back(static_cast<std::size_t>(tensor.shape[i]));
  }
  return shape;
}

/// A tensor whose strides repeat elements may be larger than any memory. It is copied to be read.
constexpr std::size_t most_of_shared = std::size_t{1} << 30;

/// How many elements lie between the first and the last place, these included.
std::size_t reach(const Shape& shape, const std::vector<std::int64_t>& strides) {
  double places = 1;  // strides may be anything
  for (std::size_t i = 0; i < shape.size(); ++i) {
    places += static_cast<double>(shape[i] - 1) * std::abs(static_cast<double>(strides[i]));
  }
  constexpr double most = 0x1p62;
  return static_cast<std::size_t>(std::min(places, most));
}

std::vector<std::int64_t> dense_strides(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t next = 1;
  for (auto i = shape.size(); i-- > 0;) {
    strides[i] = next;
    next *= static_cast<std::int64_t>(std::max<std::size_t>(1, shape[i]));
  }
  return strides;
}

}  // namespace

StridedMemory::StridedMemory(const VernierTensor* tensor, const std::string& name)
    : type_(ElementType::float64), data_(nullptr), bytes_(0) {
  refuse_if(tensor == nullptr, "{}: found a null pointer, expected a tensor", name);
  const auto device = tensor->device.device_type;
  refuse_if(std::ranges::find(host_devices, device) == host_devices.end(),
            "{}: found a tensor in the memory of a device (DLPack's type {}), expected one in the host's",
            name, device);
  type_ = read_type(*tensor, name);
  shape_ = read_shape(*tensor, name);
  const auto size = size_in_bytes(type_, shape_);
  refuse_if(!size || *size > static_cast<std::uintmax_t>(PTRDIFF_MAX),
            "{}: found the shape {}, expected one that fits into memory", name, to_string(shape_));
  bytes_ = static_cast<std::size_t>(*size);
  strides_ = tensor->strides == nullptr
                 ? dense_strides(shape_)
                 : std::vector<std::int64_t>(tensor->strides, tensor->strides + tensor->ndim);
  refuse_if(bytes_ > most_of_shared && bytes_ / traits(type_).bytes > reach(shape_, strides_),
            "{}: found the shape {} of elements that share memory, expected at most {} MiB of such", name,
            to_string(shape_), most_of_shared >> 20);
  refuse_if(bytes_ > 0 && tensor->data == nullptr, "{}: found a null pointer to its elements, expected them",
            name);
  data_ = bytes_ == 0 ? nullptr : static_cast<std::byte*>(tensor->data) + tensor->byte_offset;
}

std::optional<std::span<std::byte>> StridedMemory::dense() const {
  const auto wanted = dense_strides(shape_);
  for (std::size_t i = 0; i < shape_.size() && bytes_ > 0; ++i) {
    if (shape_[i] > 1 && strides_[i] != wanted[i]) {
      return std::nullopt;
    }
  }
  return std::span(data_, bytes_);
}

template <class Visit>
void StridedMemory::for_each(const Visit& visit) const {
  const auto width = static_cast<std::int64_t>(traits(type_).bytes);
  const auto elements = bytes_ / traits(type_).bytes;
  std::vector<std::size_t> index(shape_.size());
  auto* place = data_;
  for (std::size_t i = 0; i < elements; ++i) {
    visit(place);
    for (auto axis = shape_.size(); axis-- > 0;) {
      place += strides_[axis] * width;
      if (++index[axis] < shape_[axis]) {
        break;
      }
      place -= static_cast<std::int64_t>(shape_[axis]) * strides_[axis] * width;
      index[axis] = 0;
    }
  }
}

void StridedMemory::gather(std::span<std::byte> out) const {
  auto* to = out.data();
  const auto width = traits(type_).bytes;
  for_each([&](const std::byte* place) {
    std::memcpy(to, place, width);
    to += width;
  });
}

void StridedMemory::scatter(std::span<const std::byte> from) const {
  const auto* next = from.data();
  const auto width = traits(type_).bytes;
  for_each([&](std::byte* place) {
    std::memcpy(place, next, width);
    next += width;
  });
}

Tensor tensor_in(const StridedMemory& memory) {
  if (const auto dense = memory.dense()) {
    return {memory.type(), memory.shape(), *dense, nullptr};
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(*size_in_bytes(memory.type(), memory.shape())));
  memory.gather(bytes);
  return {memory.type(), memory.shape(), std::move(bytes)};
}

}  // namespace vernier
