#include "numerics/program/sleef.hpp"

#include <array>
#include <cassert>
#include <filesystem>

#include <dlfcn.h>

#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// The library, which stays loaded.
void* sleef_symbol(const char* name) {
  static void* const library = dlopen("libsleef.so.3", RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : dlsym(library, name);
}

#if defined(__x86_64__)
#define VERNIER_LANES(NAME, INSTRUCTIONS, NUMBER, LANES)                                       \
  __attribute__((target(INSTRUCTIONS))) void NAME(void* function, std::span<double> numbers) { \
    using Vector = NUMBER __attribute__((vector_size(LANES * sizeof(NUMBER))));                \
    Vector values{};                                                                           \
    for (std::size_t i = 0; i < LANES; ++i) {                                                  \
      values[i] = static_cast<NUMBER>(numbers[i]);                                             \
    }                                                                                          \
    values = reinterpret_cast<Vector (*)(Vector)>(function)(values);                           \
    for (std::size_t i = 0; i < LANES; ++i) {                                                  \
      numbers[i] = static_cast<double>(values[i]);                                             \
    }                                                                                          \
  }
VERNIER_LANES(float_by_8, "avx2,fma", float, 8)
VERNIER_LANES(float_by_16, "avx512f", float, 16)
VERNIER_LANES(double_by_4, "avx2,fma", double, 4)
VERNIER_LANES(double_by_8, "avx512f", double, 8)
#undef VERNIER_LANES

bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") != 0;
}
#endif

/// How a vector of one form is computed.
struct LaneRow {
  Format format;
  std::size_t lanes;
  bool (*is_supported)();
  void (*apply)(void* function, std::span<double> numbers);
  void* sine;
  void* cosine;
};

std::span<const LaneRow> lane_rows() {
#if defined(__x86_64__)
  const auto row = [](Format format, std::size_t lanes, auto is_supported, auto apply, const char* sine,
                      const char* cosine) {
    return LaneRow{format, lanes, is_supported, apply, sleef_symbol(sine), sleef_symbol(cosine)};
  };
  static const std::array rows{
      row(Format::binary32, 8, has_avx2, float_by_8, "Sleef_sinf8_u10avx2", "Sleef_cosf8_u10avx2"),
      row(Format::binary32, 16, has_avx512, float_by_16, "Sleef_sinf16_u10avx512f",
          "Sleef_cosf16_u10avx512f"),
      row(Format::binary64, 4, has_avx2, double_by_4, "Sleef_sind4_u10avx2", "Sleef_cosd4_u10avx2"),
      row(Format::binary64, 8, has_avx512, double_by_8, "Sleef_sind8_u10avx512f", "Sleef_cosd8_u10avx512f")};
  return rows;
#else
  return {};
#endif
}

const LaneRow* lane_row(Format format, std::size_t lanes) {
  for (const auto& row : lane_rows()) {
    if (row.format == format && row.lanes == lanes) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace

const std::string& sleef_version() {
  static const std::string version = [] {
    constexpr std::string_view before = ".so.";
    Dl_info found{};
    void* const symbol = sleef_symbol("Sleef_powf1_u10purecfma");
    if (symbol == nullptr || dladdr(symbol, &found) == 0) {
      return std::string();
    }
    std::error_code error;
    const auto file = std::filesystem::canonical(found.dli_fname, error).filename().string();
    refuse_if(error.value() != 0, "{}: cannot be looked at ({}), expected SLEEF, whose sines are tried",
              found.dli_fname, error.message());
    const auto place = file.find(before);
    return place == std::string::npos ? std::string() : "sleef-" + file.substr(place + before.size());
  }();
  return version;
}

bool has_sleef_lanes(Format format, std::size_t lanes) {
  const auto* row = lane_row(format, lanes);
  return row != nullptr && row->is_supported() && row->sine != nullptr;
}

void sleef_lanes(Format format, Component component, std::span<double> numbers) {
  assert(has_sleef_lanes(format, numbers.size()));
  const auto* row = lane_row(format, numbers.size());
  row->apply(component == Component::sine ? row->sine : row->cosine, numbers);
}

std::optional<double> sleef_power(Format format, double a, double b) {
  static const auto narrow =
      reinterpret_cast<float (*)(float, float)>(sleef_symbol("Sleef_powf1_u10purecfma"));
  static const auto wide =
      reinterpret_cast<double (*)(double, double)>(sleef_symbol("Sleef_powd1_u10purecfma"));
  if (narrow == nullptr || wide == nullptr) {
    return std::nullopt;
  }
  return format == Format::binary64
             ? wide(a, b)
             : static_cast<double>(narrow(static_cast<float>(a), static_cast<float>(b)));
}

}  // namespace vernier
