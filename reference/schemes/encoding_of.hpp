#pragma once

#include <memory>
#include <utility>

#include "reference/keys/key_reader.hpp"
#include "reference/keys/key_writer.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The encoding of a spec: a struct with
///     static constexpr std::string_view scheme;    // its name in specs
///     void keys(KeyVisitor& visit);                // all keys but "scheme" (key_visitor.hpp)
///     std::string summary() const;                 // see Encoding, as of what follows
///     std::vector<TensorDefinition> tensors() const;
/// and, where they are not as Encoding has them, positions_along(axis), default_positions(rows) and
/// length_of_sequence().
template <class Spec>
class EncodingOf final : public Encoding {
 public:
  explicit EncodingOf(Spec spec) : spec_(std::move(spec)) {}

  const Spec& parameters() const { return spec_; }

  std::string_view scheme() const override { return Spec::scheme; }
  std::string summary() const override { return spec_.summary(); }
  void visit_keys(KeyVisitor& visit) const override {
    auto spec = spec_;  // those that do not fill it leave it as it is
    spec.keys(visit);
  }
  std::optional<std::int64_t> sequence_length() const override {
    if constexpr (requires { spec_.length_of_sequence(); }) {
      return spec_.length_of_sequence();
    } else {
      return Encoding::sequence_length();
    }
  }
  const PositionMap& positions_along(std::size_t axis) const override {
    if constexpr (requires { spec_.positions_along(axis); }) {
      return spec_.positions_along(axis);
    } else {
      return Encoding::positions_along(axis);
    }
  }
  PositionRange default_positions(std::int64_t rows) const override {
    if constexpr (requires { spec_.default_positions(rows); }) {
      return spec_.default_positions(rows);
    } else {
      return Encoding::default_positions(rows);
    }
  }

 private:
  std::vector<TensorDefinition> define_tensors() const override { return spec_.tensors(); }
  OrderedJson written() const override {
    OrderedJson result{{"scheme", Spec::scheme}};
    KeyWriter writer(result);
    visit_keys(writer);
    return result;
  }

  Spec spec_;
};

template <class Spec>
SpecForm form_of(std::string_view marker = {}) {
  return {marker, [](KeyVisitor& visit) -> std::unique_ptr<Encoding> {
            Spec spec;
            spec.keys(visit);
            return std::make_unique<EncodingOf<Spec>>(std::move(spec));
          }};
}

/// What the file of a scheme registers. What it is, and specs of it, stand in schemes.json.
template <class Spec>
Scheme scheme_of(std::vector<SpecForm> forms = {form_of<Spec>()}) {
  return {Spec::scheme, {}, {}, std::move(forms)};
}

/// The same of several, each with specs of one form.
template <class... Specs>
std::vector<Scheme> schemes_of() {
  return {scheme_of<Specs>()...};
}

}  // namespace vernier
