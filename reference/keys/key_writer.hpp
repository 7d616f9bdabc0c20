#pragma once

#include "reference/json/json.hpp"
#include "reference/keys/key_visitor.hpp"

namespace vernier {

/// Writes the keys of a spec into a JSON object, behind those that it has.
class KeyWriter final : public KeyVisitor {
 public:
  /// \param to outlives it
  explicit KeyWriter(OrderedJson& to) : to_(to) {}

  bool fills() const override { return false; }

 private:
  void visit_value(std::string_view key, KeyValue& value, const KeyDomain& domain,
                   Presence presence) override;
  std::unique_ptr<KeyVisitor> enter(std::string_view key, bool is_there) override {
    return is_there ? std::make_unique<KeyWriter>(to_[std::string(key)] = OrderedJson::object()) : nullptr;
  }
  std::vector<std::unique_ptr<KeyVisitor>> enter_each(std::string_view key, std::size_t present,
                                                      Presence presence, ListCount count,
                                                      std::string_view words) override;

  OrderedJson& to_;
};

/// A value as specs have it. Numbers are the nearest of JSON; constants and elements of lists are exact.
OrderedJson json_of(const KeyValue& value, const KeyDomain& domain);

}  // namespace vernier
