#include "reference/specs/key_draw.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "reference/schemes/scheme_registry.hpp"
#include "reference/schemes/scheme_texts.hpp"

namespace vernier {
namespace {

/// How often a key is drawn anew before one more before it is.
constexpr std::ptrdiff_t draws_of_key = 8;
constexpr int draws_of_spec = 400;
constexpr int most_draws = 8000;

/// What is to be wrong.
struct Fault {
  enum class Kind { none, wrong, missing, unknown, refused };

  Kind kind = Kind::none;
  std::string path = {};
};

/// Keys do not go together.
struct Refused {
  std::string path;
};

/// What the visitors of a spec and of its objects share.
struct Drawing {
  const SpecDraw& how;
  const Fault& fault;
  KeyDice dice;
  KeyTexts texts;
  ValueDraw values = {.mood = how.mood, .greatest_size = how.greatest_size};
  std::vector<KeyDescription> keys = {};
  std::set<std::string> finished = {};
  std::optional<std::string> at_fault = {};
  std::deque<JsonValue> aside = {};    ///< objects in whose place something else stands
  std::set<std::string> awaited = {};  ///< keys that are not written yet, though they were said to be there
};

class KeyDrawer final : public KeyVisitor {
 public:
  /// \param to an object
  KeyDrawer(Drawing& drawing, std::string path, JsonValue& to)
      : drawing_(drawing), path_(std::move(path)), to_(std::get<JsonValue::Object>(to.value())) {}

  void decide(std::string_view key, bool is_there) {
    is_there_[std::string(key)] = is_there;
    if (is_there) {
      drawing_.awaited.insert(key_path(path_, key));
    }
  }

  void require(bool holds, std::string_view key, std::string_view /*expected*/) override {
    if (!holds) {
      refuse(key);
    }
  }
  void require_all(bool holds, std::string_view /*sentence*/) override {
    if (!holds) {
      throw Refused{path_};
    }
  }
  void needed(std::string_view key, std::string_view /*expected*/) override {
    if (breaks_pairs() && !is_there_.contains(std::string(key))) {
      refuse(key);
    }
    require(gives(key, Presence::required), key, {});
  }
  void forbidden(std::string_view key, std::string_view /*expected*/) override {
    const auto [at, is_new] = is_there_.try_emplace(std::string(key), false);
    if (is_new && breaks_pairs()) {
      to_.emplace_back(key, JsonValue(true));
      refuse(key);
    }
    require(!at->second, key, {});
  }
  bool has(std::string_view key) const override {
    const bool is_there = gives(key, Presence::optional);
    if (is_there) {
      drawing_.awaited.insert(key_path(path_, key));
    }
    return is_there;
  }
  bool fills() const override { return true; }
  void finish() override {
    drawing_.finished.insert(path_);
    if (drawing_.fault.kind != Fault::Kind::unknown || drawing_.fault.path != path_) {
      return;
    }
    auto name = to_.empty() ? std::string("keys") : drawing_.dice.among(to_).first;
    name.insert(drawing_.dice.below(name.size()), 1, 'z');
    to_.emplace_back(name, JsonValue(true));
    drawing_.at_fault = key_path(path_, name);
  }

 private:
  void visit_value(std::string_view key, KeyValue& value, const KeyDomain& domain,
                   Presence presence) override {
    describe(key, domain, presence, value);
    if (!gives(key, presence)) {
      require(presence != Presence::required, key, {});
      return;
    }
    auto& described = drawing_.keys.back();
    const auto* fixed = fixed_value(described.path);
    value = fixed != nullptr ? *fixed : drawing_.values(domain, described.unit, drawing_.dice);
    auto json = json_value(value, domain);
    require(fixed == nullptr || takes(domain, json), key, {});
    described.value = value;
    if (const auto number = number_of(value)) {
      drawing_.values.numbers.push_back(*number);
    }
    write(described, std::move(json));
  }

  std::unique_ptr<KeyVisitor> enter(std::string_view key, bool /*is_there*/) override {
    describe(key, std::nullopt, Presence::optional, {});
    if (!gives(key, Presence::optional)) {
      return nullptr;
    }
    drawing_.keys.back().value = true;
    auto* object = write(drawing_.keys.back(), JsonValue(JsonValue::Object{}));
    return std::make_unique<KeyDrawer>(drawing_, drawing_.keys.back().path, *object);
  }

  std::vector<std::unique_ptr<KeyVisitor>> enter_each(std::string_view key, std::size_t /*present*/,
                                                      Presence presence, ListCount count,
                                                      std::string_view /*words*/) override {
    describe(key, std::nullopt, presence, std::int64_t{0});
    if (!gives(key, presence)) {
      require(presence != Presence::required, key, {});
      return {};
    }
    const auto* fixed = fixed_value(drawing_.keys.back().path);
    const auto* wanted = fixed == nullptr ? nullptr : std::get_if<std::int64_t>(fixed);
    const auto size = wanted != nullptr && count.contains(static_cast<std::size_t>(*wanted))
                          ? static_cast<std::size_t>(*wanted)
                          : drawing_.values.size(count, drawing_.dice);
    drawing_.keys.back().value = static_cast<std::int64_t>(size);
    drawing_.values.numbers.emplace_back(size);
    auto* objects =
        write(drawing_.keys.back(), JsonValue(JsonValue::Array(size, JsonValue(JsonValue::Object{}))));
    std::vector<std::unique_ptr<KeyVisitor>> result;
    for (auto& one : std::get<JsonValue::Array>(objects->value())) {
      result.push_back(std::make_unique<KeyDrawer>(
          drawing_, fmt::format("{}[{}]", key_path(path_, key), result.size()), one));
    }
    return result;
  }

  [[noreturn]] void refuse(std::string_view key) const { throw Refused{key_path(path_, key)}; }

  /// Whether a pair of keys is to be refused here.
  bool breaks_pairs() { return drawing_.fault.kind == Fault::Kind::refused && drawing_.dice.one_in(4); }

  const KeyValue* fixed_value(const std::string& path) const {
    const auto found = drawing_.how.fixed.find(path);
    return found == drawing_.how.fixed.end() ? nullptr : &found->second;
  }

  /// Whether the key is there: decided once, whoever asks first.
  bool gives(std::string_view key, Presence presence) const {
    const auto [at, is_new] = is_there_.try_emplace(std::string(key), true);
    if (is_new) {
      const auto path = key_path(path_, key);
      const auto* fixed = fixed_value(path);
      at->second = fixed != nullptr
                       ? !std::holds_alternative<std::monostate>(*fixed)
                       : presence == Presence::required || drawing_.how.given.contains(generic_path(path)) ||
                             drawing_.dice.below(8) < drawing_.how.given_of_eight;
    }
    return at->second;
  }

  void describe(std::string_view key, std::optional<KeyDomain> domain, Presence presence,
                const KeyValue& usual) {
    auto path = key_path(path_, key);
    const auto [meaning, unit] = drawing_.texts.of(generic_path(path));
    drawing_.keys.push_back(
        {std::move(path), std::string(meaning), std::string(unit), std::move(domain), presence, usual});
  }

  /// \return where the value stands
  JsonValue* write(const KeyDescription& key, JsonValue value) {
    const auto name = key.path.substr(path_.empty() ? 0 : path_.size() + 1);
    const bool was_awaited = drawing_.awaited.erase(key.path) > 0;
    const auto& [kind, path] = drawing_.fault;
    if (path != key.path || kind == Fault::Kind::none || kind == Fault::Kind::unknown ||
        (kind == Fault::Kind::missing && was_awaited)) {
      return &to_.emplace_back(name, std::move(value)).second;
    }
    drawing_.at_fault = path;
    if (kind != Fault::Kind::missing) {
      to_.emplace_back(name, key.domain ? wrong_value(*key.domain, drawing_.dice) : JsonValue(true));
    }
    return &drawing_.aside.emplace_back(std::move(value));
  }

  Drawing& drawing_;
  std::string path_;
  JsonValue::Object& to_;
  mutable std::map<std::string, bool> is_there_;  ///< decided by whoever asks first, which may be `has`
};

DrawnSpec attempt(const Scheme& scheme, const SpecForm& form, const SpecDraw& how, const Fault& fault,
                  std::mt19937_64& engine) {
  DrawnSpec result{JsonValue(JsonValue::Object{{"scheme", JsonValue(std::string(scheme.name))}}), {}, {}, {}};
  Drawing drawing{how, fault, KeyDice(engine), KeyTexts(scheme.name, form.marker)};
  KeyDrawer drawer(drawing, "", result.spec);
  for (const auto& other : scheme.forms) {
    if (!other.marker.empty()) {  // it tells the form, unless one before does
      drawer.decide(other.marker, &other == &form);
    }
  }
  try {
    form.fill(drawer);
    drawer.finish();
  } catch (const Refused& refused) {
    if (fault.kind != Fault::Kind::refused ||
        drawing.awaited.empty()) {  // else what is missing is refused first
      drawing.at_fault = refused.path;
    }
  }
  result.keys = std::move(drawing.keys);
  result.fault = std::move(drawing.at_fault);
  result.finished = std::move(drawing.finished);
  return result;
}

/// Draws until nothing is refused: anew from the key that is, or from the last if none is named; the more
/// often it is, the more keys before it.
DrawnSpec accepted(const Scheme& scheme, const SpecForm& form, const SpecDraw& how, std::mt19937_64& engine) {
  auto again = how;
  std::map<std::ptrdiff_t, std::ptrdiff_t> refusals;  // by the place of the key
  std::string refused;
  for (int draw = 1; draw < most_draws; ++draw) {
    auto result = attempt(scheme, form, again, {}, engine);
    if (!result.fault) {
      return result;
    }
    refused = *result.fault;
    again = how;
    if (draw % draws_of_spec == 0) {
      refusals.clear();
      continue;
    }
    const auto at = std::ranges::find(result.keys, refused, &KeyDescription::path);
    const auto index = std::min(at - result.keys.begin(), std::ssize(result.keys) - 1);
    const auto kept = std::max<std::ptrdiff_t>(0, index - refusals[index]++ / draws_of_key);
    again.fixed.merge(values_of(std::span(result.keys).first(static_cast<std::size_t>(kept))));
    again.given_of_eight = std::min<std::uint64_t>(how.given_of_eight, 3);
  }
  throw std::logic_error(
      fmt::format("{}: each spec that is drawn is refused, the last for \"{}\"", scheme.name, refused));
}

DrawnSpec invalid(const Scheme& scheme, const SpecForm& form, SpecDraw how, std::mt19937_64& engine) {
  using enum Fault::Kind;
  KeyDice dice(engine);
  for (;;) {
    how.mood = dice.one_in(2) ? Mood::usual : Mood::hostile;
    auto again = how;
    Fault fault{std::array{wrong, missing, unknown, refused}[dice.below(4)]};
    if (fault.kind != refused) {
      const auto good = accepted(scheme, form, how, engine);
      const auto& key = dice.among(good.keys);
      if (fault.kind == missing &&
          (key.presence != KeyVisitor::Presence::required || key.path == form.marker)) {
        continue;
      }
      const auto dot = key.path.rfind('.');
      fault.path = fault.kind != unknown ? key.path : dot == std::string::npos ? "" : key.path.substr(0, dot);
      again.fixed = values_of(good.keys);
      again.given_of_eight = 0;
    }
    auto result = attempt(scheme, form, again, fault, engine);
    if (result.fault) {
      return result;
    }
  }
}

}  // namespace

DrawnSpec drawn_spec(const Scheme& scheme, const SpecForm& form, const SpecDraw& how,
                     std::mt19937_64& engine) {
  return how.mood == Mood::invalid ? invalid(scheme, form, how, engine) : accepted(scheme, form, how, engine);
}

DrawnSpec drawn_spec(const Scheme& scheme, const SpecDraw& how, std::mt19937_64& engine) {
  return drawn_spec(scheme, KeyDice(engine).among(scheme.forms), how, engine);
}

DrawnSpec attempt(const Scheme& scheme, const SpecForm& form, const SpecDraw& how, std::mt19937_64& engine) {
  return attempt(scheme, form, how, {}, engine);
}

WayOfWriting way_of_writing(const Encoding& like) {
  const auto scheme = std::ranges::find(schemes(), like.scheme(), &Scheme::name);
  const auto& spec = like.spec();
  const auto form = std::ranges::find_if(scheme->forms, [&](const SpecForm& one) {
    return one.marker.empty() || spec.contains(std::string(one.marker));
  });
  return {*scheme, *form};
}

}  // namespace vernier
