#include "numerics/artefacts/pickle.hpp"

#include <utility>

namespace vernier {
namespace {

using PickledKind = Pickle::Object::Kind;

constexpr std::uint64_t longest_pickled_text = std::uint64_t{1} << 20;

/// The text up to the end of the line.
std::string take_line(ByteReader& bytes) {
  std::string line;
  for (auto c = bytes.number<char>("a line"); c != '\n'; c = bytes.number<char>("a line")) {
    line += c;
  }
  return line;
}

}  // namespace

Pickle::Pickle(std::span<const std::byte> bytes, const std::string& source) : source_(source) {
  ByteReader reader(bytes, source);
  while (true) {
    const auto operation = reader.number<char>("an instruction of the pickle");
    if (operation == '.') {
      root_ = pop();
      return;
    }
    step(operation, reader);
  }
}

void Pickle::refuse(std::string_view what) const {
  throw InputError("{}: found {}, expected a pickle of protocol 2 to 5 of dictionaries and tensors", source_,
                   what);
}

void Pickle::push(Object object) {
  stack_.push_back(objects_.size());
  objects_.push_back(std::move(object));
}

void Pickle::push_text(std::uint64_t length, ByteReader& bytes) {
  push({.kind = PickledKind::text, .text = bytes.text(length, longest_pickled_text, "text of a pickle")});
}

std::size_t Pickle::pop() {
  if (stack_.empty() || (!marks_.empty() && stack_.size() <= marks_.back())) {
    refuse("an instruction of a pickle with nothing to work on");
  }
  const auto top = stack_.back();
  stack_.pop_back();
  return top;
}

std::size_t Pickle::since_mark() {
  if (marks_.empty()) {
    refuse("a pickle without the mark that an instruction needs");
  }
  const auto count = stack_.size() - marks_.back();
  marks_.pop_back();
  return count;
}

void Pickle::push_sequence(std::size_t count) {
  Object sequence{.kind = PickledKind::sequence};
  for (std::size_t i = 0; i < count; ++i) {
    sequence.items.push_back(pop());
  }
  sequence.items = {sequence.items.rbegin(), sequence.items.rend()};
  push(std::move(sequence));
}

void Pickle::add_items(std::size_t count) {
  push_sequence(count);
  const auto items = objects_[pop()].items;
  const auto target = pop();
  auto& all = objects_[target].items;
  all.insert(all.end(), items.begin(), items.end());
  stack_.push_back(target);
}

void Pickle::remember(std::uint32_t place) {
  const auto top = pop();
  stack_.push_back(top);
  memo_[place] = top;
}

void Pickle::recall(std::uint32_t place) {
  const auto found = memo_.find(place);
  if (found == memo_.end()) {
    refuse("a pickle that recalls what it did not remember");
  }
  stack_.push_back(found->second);
}

bool Pickle::push_literal(char operation, ByteReader& bytes) {
  const auto number = [&](std::int64_t value) { push({.kind = PickledKind::number, .number = value}); };
  switch (operation) {
    case 'N':     // NONE
    case '\x88':  // NEWTRUE
    case '\x89':  // NEWFALSE
      push({});
      return true;
    case 'G':  // BINFLOAT
      bytes.skip(8, "a number");
      push({});
      return true;
    case 'J':
      number(bytes.number<std::int32_t>("a number"));
      return true;
    case 'K':
      number(bytes.number<std::uint8_t>("a number"));
      return true;
    case 'M':
      number(bytes.number<std::uint16_t>("a number"));
      return true;
    case '\x8a': {  // LONG1, two's complement
      const auto length = bytes.number<std::uint8_t>("a number");
      std::uint64_t value = 0;
      for (unsigned i = 0; i < length; ++i) {
        const std::uint64_t byte = bytes.number<std::uint8_t>("a number");
        value |= i < 8 ? byte << (8 * i) : 0;
      }
      number(static_cast<std::int64_t>(value));
      return true;
    }
    case 'X':
      push_text(bytes.number<std::uint32_t>("the length of text"), bytes);
      return true;
    case '\x8c':
      push_text(bytes.number<std::uint8_t>("the length of text"), bytes);
      return true;
    case '\x8d':
      push_text(bytes.number<std::uint64_t>("the length of text"), bytes);
      return true;
    case 'B':
      bytes.skip(bytes.number<std::uint32_t>("the length of bytes"), "bytes");
      push({});
      return true;
    case 'C':
      bytes.skip(bytes.number<std::uint8_t>("the length of bytes"), "bytes");
      push({});
      return true;
    case 'c': {  // GLOBAL
      auto name = take_line(bytes);
      name += ' ' + take_line(bytes);
      push({.kind = PickledKind::global, .text = std::move(name)});
      return true;
    }
    default:
      return false;
  }
}

bool Pickle::build(char operation) {
  switch (operation) {
    case ')':
      push_sequence(0);
      return true;
    case '\x85':
      push_sequence(1);
      return true;
    case '\x86':
      push_sequence(2);
      return true;
    case '\x87':
      push_sequence(3);
      return true;
    case 't':
    case 'l': {
      const auto count = since_mark();
      push_sequence(count);
      return true;
    }
    case ']':
      push({.kind = PickledKind::sequence});
      return true;
    case '}':
      push({.kind = PickledKind::mapping});
      return true;
    case 'd': {
      const auto count = since_mark();
      push_sequence(count);
      objects_[stack_.back()].kind = PickledKind::mapping;
      return true;
    }
    case 'a':
      add_items(1);
      return true;
    case 's':
      add_items(2);
      return true;
    case 'e':
    case 'u': {
      const auto count = since_mark();
      add_items(count);
      return true;
    }
    case '\x93': {  // STACK_GLOBAL
      const auto name = objects_[pop()].text;
      const auto module = objects_[pop()].text;
      push({.kind = PickledKind::global, .text = fmt::format("{} {}", module, name)});
      return true;
    }
    case 'Q': {  // BINPERSID
      const auto name = pop();
      push({.kind = PickledKind::persistent, .items = {name}});
      return true;
    }
    case 'R':     // REDUCE
    case '\x81':  // NEWOBJ
    {
      const auto arguments = pop();
      const auto function = pop();
      push({.kind = PickledKind::call, .text = objects_[function].text, .items = {function, arguments}});
      if (objects_[function].text == "collections OrderedDict") {
        objects_.back() = {.kind = PickledKind::mapping};
      }
      return true;
    }
    case 'b': {  // BUILD: a call has a state; what a dictionary has besides its items is of no use
      const auto state = pop();
      const auto target = pop();
      if (objects_[target].kind == PickledKind::call) {
        objects_[target].items.push_back(state);
      }
      stack_.push_back(target);
      return true;
    }
    default:
      return false;
  }
}

void Pickle::step(char operation, ByteReader& bytes) {
  if (push_literal(operation, bytes) || build(operation)) {
    return;
  }
  switch (operation) {
    case '\x80':  // PROTO
      bytes.skip(1, "the protocol");
      return;
    case '\x95':  // FRAME
      bytes.skip(8, "the length of a frame");
      return;
    case '(':
      marks_.push_back(stack_.size());
      return;
    case '0':
      pop();
      return;
    case 'q':
      return remember(bytes.number<std::uint8_t>("a place"));
    case 'r':
      return remember(bytes.number<std::uint32_t>("a place"));
    case '\x94':
      return remember(static_cast<std::uint32_t>(memo_.size()));
    case 'h':
      return recall(bytes.number<std::uint8_t>("a place"));
    case 'j':
      return recall(bytes.number<std::uint32_t>("a place"));
    default:
      refuse(fmt::format("the instruction {:#04x} in a pickle", static_cast<unsigned char>(operation)));
  }
}

}  // namespace vernier
