// vernier_plugin.h repeats DLPack's layout rather than including it, so that a plug-in needs no other header.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <dlpack/dlpack.h>
#include <gtest/gtest.h>

#include "numerics/plugin/vernier_plugin.h"

namespace {

static_assert(std::is_standard_layout_v<VernierTensor> && std::is_trivially_copyable_v<VernierTensor>);
static_assert(sizeof(VernierTensor) == sizeof(DLTensor) && alignof(VernierTensor) == alignof(DLTensor));
static_assert(offsetof(VernierTensor, data) == offsetof(DLTensor, data));
static_assert(offsetof(VernierTensor, device) == offsetof(DLTensor, device));
static_assert(offsetof(VernierTensor, ndim) == offsetof(DLTensor, ndim));
static_assert(offsetof(VernierTensor, dtype) == offsetof(DLTensor, dtype));
static_assert(offsetof(VernierTensor, shape) == offsetof(DLTensor, shape));
static_assert(offsetof(VernierTensor, strides) == offsetof(DLTensor, strides));
static_assert(offsetof(VernierTensor, byte_offset) == offsetof(DLTensor, byte_offset));
static_assert(std::is_same_v<decltype(VernierTensor::data), decltype(DLTensor::data)>);
static_assert(std::is_same_v<decltype(VernierTensor::ndim), decltype(DLTensor::ndim)>);
static_assert(std::is_same_v<decltype(VernierTensor::shape), decltype(DLTensor::shape)>);
static_assert(std::is_same_v<decltype(VernierTensor::strides), decltype(DLTensor::strides)>);
static_assert(std::is_same_v<decltype(VernierTensor::byte_offset), decltype(DLTensor::byte_offset)>);

static_assert(sizeof(VernierDevice) == sizeof(DLDevice));
static_assert(offsetof(VernierDevice, device_type) == offsetof(DLDevice, device_type));
static_assert(offsetof(VernierDevice, device_id) == offsetof(DLDevice, device_id));

static_assert(sizeof(VernierDataType) == sizeof(DLDataType));
static_assert(offsetof(VernierDataType, code) == offsetof(DLDataType, code));
static_assert(offsetof(VernierDataType, bits) == offsetof(DLDataType, bits));
static_assert(offsetof(VernierDataType, lanes) == offsetof(DLDataType, lanes));

static_assert(int{VERNIER_INT} == int{kDLInt} && int{VERNIER_UINT} == int{kDLUInt});
static_assert(int{VERNIER_FLOAT} == int{kDLFloat} && int{VERNIER_BFLOAT} == int{kDLBfloat});
static_assert(int{VERNIER_CPU} == int{kDLCPU});

// What a kernel that takes a DLTensor does with ours.
TEST(PluginHeader, ATensorReadAsADlTensorKeepsEveryField) {
  std::int64_t shape[] = {3, 5};
  std::int64_t strides[] = {5, 1};
  double value = 0;
  const VernierTensor tensor{&value, {VERNIER_CPU, 7}, 2, {VERNIER_BFLOAT, 16, 1}, shape, strides, 64};
  DLTensor read;
  static_assert(sizeof read == sizeof tensor);
  std::memcpy(&read, &tensor, sizeof tensor);
  EXPECT_EQ(read.data, &value);
  EXPECT_EQ(read.device.device_type, kDLCPU);
  EXPECT_EQ(read.device.device_id, 7);
  EXPECT_EQ(read.ndim, 2);
  EXPECT_EQ(read.dtype.code, kDLBfloat);
  EXPECT_EQ(read.dtype.bits, 16);
  EXPECT_EQ(read.dtype.lanes, 1);
  EXPECT_EQ(read.shape, shape);
  EXPECT_EQ(read.strides, strides);
  EXPECT_EQ(read.byte_offset, 64u);
}

}  // namespace
