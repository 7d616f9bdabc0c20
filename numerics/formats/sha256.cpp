#include "numerics/formats/sha256.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fmt/core.h>

namespace vernier {
namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::size_t rounds = 64;
using HashState = std::array<std::uint32_t, 8>;

constexpr std::array<std::uint32_t, rounds> primes() {
  std::array<std::uint32_t, rounds> result{};
  std::size_t count = 0;
  for (std::uint32_t candidate = 2; count < rounds; ++candidate) {
    bool is_prime = true;
    for (std::size_t i = 0; i < count; ++i) {
      is_prime = is_prime && candidate % result[i] != 0;
    }
    if (is_prime) {
      result[count++] = candidate;
    }
  }
  return result;
}

/// The first 32 bits of the fraction of a number: the standard takes its constants from the square and cube
/// roots of the first primes (sections 4.2.2 and 5.3.3). A double has 50 bits of the fraction of each.
std::uint32_t first_bits(double number) {
  return static_cast<std::uint32_t>(std::ldexp(number - std::floor(number), 32));
}

constexpr auto first_primes = primes();

std::array<std::uint32_t, rounds> round_constants() {
  std::array<std::uint32_t, rounds> result{};
  for (std::size_t i = 0; i < rounds; ++i) {
    result[i] = first_bits(std::cbrt(static_cast<double>(first_primes[i])));
  }
  return result;
}

HashState first_state() {
  HashState result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = first_bits(std::sqrt(static_cast<double>(first_primes[i])));
  }
  return result;
}

void hash_block(HashState& state, std::string_view block) {
  static const auto constants = round_constants();
  std::array<std::uint32_t, rounds> schedule{};
  for (std::size_t t = 0; t < rounds; ++t) {
    if (t < 16) {
      for (std::size_t byte = 0; byte < 4; ++byte) {
        schedule[t] = schedule[t] << 8 | static_cast<unsigned char>(block[4 * t + byte]);
      }
      continue;
    }
    const auto a = schedule[t - 15];
    const auto b = schedule[t - 2];
    schedule[t] = schedule[t - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + schedule[t - 7] +
                  (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < rounds; ++t) {
    const auto first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                       constants[t] + schedule[t];
    const auto second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const HashState added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) {
    state[i] += added[i];
  }
}

}  // namespace

std::string sha256(std::string_view bytes) {
  auto state = first_state();
  auto rest = bytes;
  for (; rest.size() >= block_bytes; rest.remove_prefix(block_bytes)) {
    hash_block(state, rest);
  }
  // A one, zeros, and the length in bits as 64 bits fill the last block or two.
  std::string end(rest);
  end += '\x80';
  while (end.size() % block_bytes != block_bytes - 8) {
    end += '\0';
  }
  const auto bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (int shift = 56; shift >= 0; shift -= 8) {
    end += static_cast<char>(bits >> shift & 0xff);
  }
  for (std::string_view last = end; !last.empty(); last.remove_prefix(block_bytes)) {
    hash_block(state, last);
  }
  std::string digest;
  for (const auto word : state) {
    digest += fmt::format("{:08x}", word);
  }
  return digest;
}

}  // namespace vernier
