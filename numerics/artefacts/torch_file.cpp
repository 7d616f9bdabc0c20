#include "numerics/artefacts/torch_file.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "numerics/formats/byte_reader.hpp"
#include "numerics/formats/npz.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

constexpr std::string_view pickle_name = "data.pkl";
constexpr std::uint64_t longest_pickled_text = std::uint64_t{1} << 20;
constexpr std::size_t storage_words = 5;  ///< "storage", its class, its key, its device, its length

/// A word of a pickle: what its instructions push that is no collection.
struct PickledWord {
  enum class Kind { other, number, text, global, storage };
  Kind kind = Kind::other;
  std::int64_t number = 0;
  std::string text = {};  ///< of a class or a function: "torch._utils _rebuild_tensor_v2"
};

/// Lists the words of a pickle (protocols 2 to 5, Lib/pickletools.py) in their order. Nothing is built or
/// called: a tensor is known by the words around its storage.
class PickleScan {
 public:
  PickleScan(std::span<const std::byte> pickle, const std::string& source) : bytes_(pickle, source) {
    for (auto operation = bytes_.number<char>(what); operation != '.';
         operation = bytes_.number<char>(what)) {
      const bool is_word = push(operation);
      refuse_if(!is_word && !skip(operation),
                "{}: found the instruction {:#04x}, expected a pickle of tensors", source,
                static_cast<unsigned char>(operation));
      ends_in_word_ = is_word;
    }
  }

  std::vector<PickledWord> take() { return std::move(words_); }

 private:
  static constexpr std::string_view what = "an instruction of the pickle";

  template <class Number>
  Number argument() {
    return bytes_.number<Number>(what);
  }

  std::string line() {
    std::string text;
    for (auto c = argument<char>(); c != '\n'; c = argument<char>()) {
      text += c;
    }
    return text;
  }

  bool add(PickledWord word) {
    words_.push_back(std::move(word));
    return true;
  }
  bool add_number(std::int64_t number) { return add({.kind = PickledWord::Kind::number, .number = number}); }
  bool add_text(std::uint64_t length) {
    return add({.kind = PickledWord::Kind::text, .text = bytes_.text(length, longest_pickled_text, "text")});
  }

  /// \return whether the instruction pushes a word
  bool push(char operation) {
    switch (operation) {
      case 'J':
        return add_number(argument<std::int32_t>());
      case 'K':
        return add_number(argument<std::uint8_t>());
      case 'M':
        return add_number(argument<std::uint16_t>());
      case 'X':
        return add_text(argument<std::uint32_t>());
      case '\x8c':
        return add_text(argument<std::uint8_t>());
      case 'c': {
        auto name = line();
        name += ' ' + line();
        return add({.kind = PickledWord::Kind::global, .text = std::move(name)});
      }
      case '\x93': {  // the module and the name stand before it
        const auto count = words_.size();
        const auto name = count < 2 ? "" : words_[count - 2].text + ' ' + words_[count - 1].text;
        words_.resize(count < 2 ? 0 : count - 2);
        return add({.kind = PickledWord::Kind::global, .text = name});
      }
      case 'Q':
        return add({.kind = PickledWord::Kind::storage});
      case 'N':
      case '\x88':
      case '\x89':
        return add({});
      case 'h':
        return recall(argument<std::uint8_t>());
      case 'j':
        return recall(argument<std::uint32_t>());
      default:
        return false;
    }
  }

  /// \return whether the instruction is known: all that build collections or call are passed over
  bool skip(char operation) {
    constexpr std::string_view of_collections = "()]}tldaseu0Rb\x81\x85\x86\x87";
    switch (operation) {
      case '\x80':
        return skipped(1);
      case '\x95':
      case 'G':
        return skipped(8);
      case '\x8a':  // long integers, which sizes are not
        return skipped(argument<std::uint8_t>());
      case 'q':
        return remember(argument<std::uint8_t>());
      case 'r':
        return remember(argument<std::uint32_t>());
      case '\x94':
        return remember(static_cast<std::uint32_t>(memo_.size()));
      default:
        return of_collections.find(operation) != std::string_view::npos;
    }
  }

  bool skipped(std::uint64_t count) {
    bytes_.skip(count, what);
    return true;
  }
  /// A collection is remembered as no word.
  bool remember(std::uint32_t place) {
    memo_[place] = ends_in_word_ && !words_.empty() ? std::optional(words_.size() - 1) : std::nullopt;
    return true;
  }
  bool recall(std::uint32_t place) {
    const auto found = memo_.find(place);
    const bool is_word = found != memo_.end() && found->second && *found->second < words_.size();
    return add(is_word ? words_[*found->second] : PickledWord());
  }

  ByteReader bytes_;
  std::vector<PickledWord> words_;
  std::unordered_map<std::uint32_t, std::optional<std::size_t>> memo_;
  bool ends_in_word_ = false;
};

/// The member with the pickle; empty if there is none.
std::string pickle_member(const ZipArchive& archive) {
  const auto found = std::ranges::find_if(archive.members(), [](const auto& named) {
    return named.first == pickle_name || named.first.ends_with(fmt::format("/{}", pickle_name));
  });
  return found == archive.members().end() ? "" : found->first;
}

bool are_dense(const Shape& shape, std::span<const PickledWord> strides) {
  std::size_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0; expected *= shape[i]) {
    if (shape[i] != 1 && strides[i].number != static_cast<std::int64_t>(expected)) {
      return false;
    }
  }
  return true;
}

/// The tensor of the storage at a place: before it stand its name, the functions that rebuild it and the
/// words of the storage, behind it the offset, the size and the strides.
StoredTensor tensor_at(std::span<const PickledWord> words, std::size_t storage, const ZipArchive& archive,
                       const std::string& folder, const std::shared_ptr<const void>& owner) {
  using Kind = PickledWord::Kind;
  StoredTensor stored{.name = "?", .type = words[storage - 4].text};
  std::size_t before = storage - storage_words;
  while (before > 0 && words[before - 1].kind == Kind::global) {
    --before;
  }
  if (before > 0 && words[before - 1].kind == Kind::text) {
    stored.name = words[before - 1].text;
  }
  auto numbers = words.subspan(storage + 1);
  const auto end = std::ranges::find_if(numbers, [](const auto& word) { return word.kind != Kind::number; });
  numbers = numbers.first(static_cast<std::size_t>(end - numbers.begin()));
  const auto rank = numbers.size() / 2;
  if (numbers.size() % 2 == 0 || rank > greatest_rank) {
    return stored;
  }
  stored.shape = mapped(numbers.subspan(1, rank), [&](const auto& size) {
    return static_cast<std::size_t>(std::max<std::int64_t>(0, size.number));
  });
  const auto type = element_type_by(&ElementTraits::torch, std::string_view(stored.type));
  const auto member = folder + "data/" + words[storage - 3].text;
  const auto size = type ? size_in_bytes(*type, stored.shape) : std::nullopt;
  const auto offset = static_cast<std::uint64_t>(numbers[0].number) * (type ? traits(*type).bytes : 1);
  const bool is_there = size && *size > 0 && are_dense(stored.shape, numbers.subspan(1 + rank)) &&
                        archive.members().contains(member);
  const auto bytes = is_there ? archive.bytes(member) : std::nullopt;
  if (bytes && offset <= bytes->size() && *size <= bytes->size() - offset) {
    stored.tensor = Tensor(*type, stored.shape, bytes->subspan(offset, *size), owner);
    stored.type = traits(*type).name;
  }
  return stored;
}

}  // namespace

bool is_torch_archive(const ZipArchive& archive) {
  return !pickle_member(archive).empty();
}

std::string torch_export_sentence(const std::string& source, const std::string& found) {
  return fmt::format(
      "{}: found {}, expected an archive of tensors that torch.save() wrote; this exports them: python3 -c "
      "\"import torch, safetensors.torch; safetensors.torch.save_file(torch.load('{}', weights_only=True), "
      "'exported.safetensors')\"",
      source, found, source);
}

std::vector<StoredTensor> torch_tensors(const ZipArchive& archive, const std::shared_ptr<const void>& owner,
                                        const std::string& source) {
  const auto member = pickle_member(archive);
  const auto bytes = archive.bytes(member);
  std::vector<PickledWord> words;
  try {
    words = bytes ? PickleScan(*bytes, source).take() : words;
  } catch (const InputError&) {
    throw InputError(torch_export_sentence(source, "a pickle that is not one of tensors"));
  }
  std::vector<StoredTensor> tensors;
  const auto folder = member.substr(0, member.size() - pickle_name.size());
  for (std::size_t i = storage_words; i < words.size(); ++i) {
    if (words[i].kind == PickledWord::Kind::storage) {
      tensors.push_back(tensor_at(words, i, archive, folder, owner));
    }
  }
  if (tensors.empty()) {
    throw InputError(torch_export_sentence(source, "no tensors in the pickle"));
  }
  return tensors;
}

std::vector<StoredTensor> npz_tensors(const ZipArchive& archive, const std::shared_ptr<const void>& owner,
                                      const std::string& source) {
  std::vector<StoredTensor> tensors;
  for (const auto& name : npz_names(archive)) {
    StoredTensor stored{
        .name = name, .type = "compressed", .tensor = npz_array(archive, name, owner, source)};
    if (stored.tensor) {
      stored.type = traits(stored.tensor->type()).name;
      stored.shape = stored.tensor->shape();
    } else {
      stored.obstacle = npz_obstacle;
    }
    tensors.push_back(std::move(stored));
  }
  return tensors;
}

}  // namespace vernier
