#pragma once

#include "reference/json/json.hpp"
#include "reference/keys/key_visitor.hpp"

namespace vernier {

/// Fills a spec from a JSON object. Throws what the reader throws: an InputError that names the source, the
/// key's path, what was found and what was expected.
class KeyReader final : public KeyVisitor {
 public:
  explicit KeyReader(ObjectReader reader) : reader_(std::move(reader)) {}

  void require(bool holds, std::string_view key, std::string_view expected) override {
    reader_.refuse_if(!holds, key, expected);
  }
  void require_all(bool holds, std::string_view sentence) override;
  void needed(std::string_view key, std::string_view expected) override {
    require(reader_.has(key), key, expected);
  }
  void forbidden(std::string_view key, std::string_view expected) override;
  bool has(std::string_view key) const override { return reader_.has(key); }
  bool fills() const override { return true; }
  void finish() override { reader_.finish(); }

 private:
  void visit_value(std::string_view key, KeyValue& value, const KeyDomain& domain,
                   Presence presence) override;
  std::unique_ptr<KeyVisitor> enter(std::string_view key, bool is_there) override;
  std::vector<std::unique_ptr<KeyVisitor>> enter_each(std::string_view key, std::size_t present,
                                                      Presence presence, ListCount count,
                                                      std::string_view words) override;

  ObjectReader reader_;
};

/// The value of one key; nothing where it is not there. \pre it is there, or it is no list \throws InputError
std::optional<KeyValue> read_value(ObjectReader& reader, std::string_view key, const KeyDomain& domain,
                                   bool is_required);

}  // namespace vernier
