#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/json/json.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {

/// A fault of one key of a document.
class KeyFault : public InputError {
 public:
  enum class Kind {
    value,    ///< of the wrong type, not what its key takes, or missing
    unknown,  ///< nobody asked for the key
    meaning   ///< its reader found that it does not go with others
  };

  /// Where the fault is.
  struct Place {
    const JsonValue::Object* object;  ///< that has the key, or lacks it
    std::string key;
    std::string path;  ///< of the key within the document
  };

  /// \param substitutes values that the key takes, as different as they can be
  KeyFault(const std::string& sentence, Kind kind, Place place, std::vector<JsonValue> substitutes = {})
      : InputError(sentence), kind_(kind), place_(std::move(place)), substitutes_(std::move(substitutes)) {}

  Kind kind() const { return kind_; }
  const Place& place() const { return place_; }
  const std::vector<JsonValue>& substitutes() const { return substitutes_; }

 private:
  Kind kind_;
  Place place_;
  std::vector<JsonValue> substitutes_;
};

/// Several faults: a sentence each, a line each in what().
class SeveralFaults : public InputError {
 public:
  explicit SeveralFaults(std::vector<std::string> sentences);
  const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  std::vector<std::string> sentences_;
};

/// What is wrong with the keys of a document. Whoever has many to mend is told all of them at once.
///
/// A part is read as ever. Where that fails it is read again, with something in the place of the wrong key
/// that the key takes, until nothing more is found. A further fault is told only if it is there whatever
/// stands in the place of those before: it does not follow from them.
class KeyFaults {
 public:
  /// \param parse reads a part of the document; may be called again with other parts
  /// \return what it read; nothing where keys are wrong
  template <class Parse>
  auto read(const JsonValue& part, const Parse& parse) -> std::optional<decltype(parse(part))> {
    try {
      return parse(part);
    } catch (const InputError& first) {
      add(
          part, [&](const JsonValue& mended) { parse(mended); }, first);
      return std::nullopt;
    }
  }
  /// A fault that does not lie in one part.
  void add(std::string sentence) { sentences_.push_back(std::move(sentence)); }
  /// \throws InputError for one fault, SeveralFaults for more
  void require_none() const;

 private:
  void add(const JsonValue& part, const std::function<void(const JsonValue&)>& parse,
           const InputError& first);

  std::vector<std::string> sentences_;
};

/// What `parse` makes of the document. \throws InputError, SeveralFaults
template <class Parse>
auto read_telling_all_faults(const JsonValue& document, const Parse& parse) {
  KeyFaults faults;
  auto result = faults.read(document, parse);
  faults.require_none();
  return *std::move(result);
}

}  // namespace vernier
