#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "numerics/artefacts/byte_reader.hpp"

namespace vernier {

/// What a pickle (protocols 2 to 5, Lib/pickletools.py) says that Python should make, as data: nothing is
/// called and no module is loaded. Objects refer to one another by number, so that no depth of nesting in the
/// file is one of this program.
class Pickle {
 public:
  struct Object {
    enum class Kind {
      other,   ///< None, truth values, bytes, and what opens no dictionary
      number,  ///< an integer
      text,
      sequence,   ///< a tuple or a list: `items`
      mapping,    ///< a dictionary: keys and values in turn
      global,     ///< a class or a function, "torch._utils _rebuild_tensor_v2": `text`
      call,       ///< what a function makes of arguments, and its state if it has one: `items`
      persistent  ///< what the file calls something outside of it: `items` has the one name
    };
    Kind kind = Kind::other;
    std::int64_t number = 0;
    std::string text = {};
    std::vector<std::size_t> items = {};
  };

  /// \throws InputError for an instruction that is unknown or has nothing to work on
  Pickle(std::span<const std::byte> bytes, const std::string& source);

  const Object& root() const { return objects_[root_]; }
  const Object& at(std::size_t number) const { return objects_[number]; }

 private:
  void step(char operation, ByteReader& bytes);
  bool push_literal(char operation, ByteReader& bytes);
  bool build(char operation);
  void push(Object object);
  void push_text(std::uint64_t length, ByteReader& bytes);
  void push_sequence(std::size_t count);
  void remember(std::uint32_t place);
  void recall(std::uint32_t place);
  std::size_t pop();
  std::size_t since_mark();
  /// Moves what stands above a place of the stack into the object below it.
  void add_items(std::size_t count);
  [[noreturn]] void refuse(std::string_view what) const;

  std::string source_;
  std::vector<Object> objects_;
  std::vector<std::size_t> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint32_t, std::size_t> memo_;
  std::size_t root_ = 0;
};

}  // namespace vernier
