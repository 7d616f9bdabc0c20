#include "reference/json/key_faults.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <variant>

#include <fmt/format.h>

namespace vernier {
namespace {

constexpr std::size_t most_told = 20;
constexpr std::size_t most_runs = 8;

/// The object of a document that one can change.
JsonValue::Object* object_in(JsonValue& value, const JsonValue::Object* wanted) {
  if (auto* array = std::get_if<JsonValue::Array>(&value.value())) {
    for (auto& element : *array) {
      if (auto* found = object_in(element, wanted)) {
        return found;
      }
    }
  }
  auto* object = std::get_if<JsonValue::Object>(&value.value());
  if (object == nullptr || object == wanted) {
    return object;
  }
  for (auto& [key, inner] : *object) {
    if (auto* found = object_in(inner, wanted)) {
      return found;
    }
  }
  return nullptr;
}

/// Reads a part again and again, each time with one wrong key less.
class Run {
 public:
  /// \param index which of its substitutes stands for a wrong value
  Run(JsonValue part, std::size_t index) : part_(std::move(part)), index_(index) {}

  void read(const std::function<void(const JsonValue&)>& parse) {
    for (bool goes_on = true; goes_on && sentences_.size() < most_told;) {
      try {
        parse(part_);
        return;
      } catch (const KeyFault& fault) {
        goes_on = tell(fault) && mend(fault);
      } catch (const InputError&) {
        return;  // of no key that could be mended
      }
    }
  }

  const std::vector<std::string>& sentences() const { return sentences_; }
  /// The most substitutes that there were of one key.
  std::size_t choices() const { return choices_; }

 private:
  /// \return whether others can be looked for
  bool tell(const KeyFault& fault) {
    if (mended_.contains(fault.place().path)) {
      return true;
    }
    if (fault.kind() == KeyFault::Kind::meaning && !sentences_.empty()) {
      return false;  // it may not go with what was mended
    }
    sentences_.emplace_back(fault.what());
    return true;
  }

  bool mend(const KeyFault& fault) {
    const auto& [wanted, key, path] = fault.place();
    auto* object = object_in(part_, wanted);
    auto& times = mended_[path];
    const auto& substitutes = fault.substitutes();
    if (object == nullptr || times == 2 || (times == 1 && substitutes.empty())) {
      return false;
    }
    const auto found = std::ranges::find(*object, key, &JsonValue::Object::value_type::first);
    if (fault.kind() == KeyFault::Kind::unknown) {
      object->erase(found);
      return true;
    }
    auto value = substitutes.empty() ? JsonValue() : substitutes[index_ % substitutes.size()];
    if (found == object->end()) {
      object->emplace_back(key, std::move(value));
    } else {
      found->second = std::move(value);
    }
    times = substitutes.empty() ? 1 : 2;
    choices_ = std::max(choices_, substitutes.size());
    return true;
  }

  JsonValue part_;
  std::size_t index_;
  std::vector<std::string> sentences_;
  std::map<std::string, int> mended_;  ///< by path: 1 left out, 2 substituted
  std::size_t choices_ = 1;
};

}  // namespace

SeveralFaults::SeveralFaults(std::vector<std::string> sentences)
    : InputError("{}", fmt::join(sentences, "\n")), sentences_(std::move(sentences)) {}

void KeyFaults::add(const JsonValue& part, const std::function<void(const JsonValue&)>& parse,
                    const InputError& first) {
  Run run(part, 0);
  run.read(parse);
  auto told = run.sentences();
  for (std::size_t index = 1; index < std::min(run.choices(), most_runs) && told.size() > 1; ++index) {
    Run other(part, index);
    other.read(parse);
    std::erase_if(told, [&](const std::string& sentence) {
      return std::ranges::find(other.sentences(), sentence) == other.sentences().end();
    });
  }
  if (told.empty()) {
    told.emplace_back(first.what());
  }
  sentences_.insert(sentences_.end(), told.begin(), told.end());
}

void KeyFaults::require_none() const {
  if (sentences_.size() == 1) {
    throw InputError(sentences_.front());
  }
  if (!sentences_.empty()) {
    throw SeveralFaults(sentences_);
  }
}

}  // namespace vernier
