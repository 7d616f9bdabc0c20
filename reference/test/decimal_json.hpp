#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace vernier::oracle {

using Json = nlohmann::json;

/// Builds a JSON value whose numbers are strings of their digits: no decimal passes through a double.
class NumbersAsText final : public nlohmann::json_sax<Json> {
 public:
  Json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(std::int64_t value) override { return put(std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return put(std::to_string(value)); }
  bool number_float(double, const std::string& text) override { return put(text); }
  bool string(std::string& value) override { return put(value); }
  bool binary(Json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override {
    key_ = value;
    return true;
  }
  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception&) override {
    throw std::invalid_argument("not JSON at " + token);
  }

 private:
  Json* add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    auto& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }
  bool put(Json value) {
    add(std::move(value));
    return true;
  }
  bool open(Json value) {
    open_.push_back(add(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;  ///< a child that is open is its parent's last: nothing moves under it
  std::string key_;
};

/// Parses a document so.
inline Json read(const std::string& text) {
  NumbersAsText builder;
  Json::sax_parse(text, &builder);
  return builder.take();
}

/// What stands at a key, as text; `otherwise` where it is absent or null.
inline std::string text_at(const Json& object, const char* key, const std::string& otherwise) {
  return object.contains(key) && !object[key].is_null() ? object[key].get<std::string>() : otherwise;
}

inline std::int64_t integer_at(const Json& object, const char* key) {
  return std::stoll(object.at(key).get<std::string>());
}

/// floor(count * decimal), in integers. \param decimal at most 1, of at most 12 digits, with no exponent
inline std::int64_t floor_of_product(std::int64_t count, const std::string& decimal) {
  std::int64_t digits = 0;
  std::int64_t denominator = 1;
  bool behind_point = false;
  for (const char c : decimal) {
    if (c == '.') {
      behind_point = true;
      continue;
    }
    digits = 10 * digits + (c - '0');
    denominator *= behind_point ? 10 : 1;
  }
  return count * digits / denominator;
}

}  // namespace vernier::oracle
