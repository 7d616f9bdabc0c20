#include "numerics/artefacts/torch_file.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "numerics/artefacts/pickle.hpp"
#include "numerics/formats/npy.hpp"
#include "reference/json/json.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

constexpr std::string_view pickle_name = "data.pkl";

std::optional<ElementType> storage_type(std::string_view global) {
  constexpr std::array<std::pair<std::string_view, ElementType>, 9> types{
      {{"torch DoubleStorage", ElementType::float64},
       {"torch FloatStorage", ElementType::float32},
       {"torch HalfStorage", ElementType::float16},
       {"torch BFloat16Storage", ElementType::bfloat16},
       {"torch CharStorage", ElementType::int8},
       {"torch ShortStorage", ElementType::int16},
       {"torch IntStorage", ElementType::int32},
       {"torch LongStorage", ElementType::int64},
       {"torch ByteStorage", ElementType::uint8}}};
  const auto found = std::ranges::find(types, global, &std::pair<std::string_view, ElementType>::first);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

/// The member with the pickle; empty if there is none.
std::string pickle_member(const ZipArchive& archive) {
  for (const auto& [name, member] : archive.members()) {
    if (name == pickle_name || name.ends_with("/" + std::string(pickle_name))) {
      return name;
    }
  }
  return "";
}

/// Walks through what the pickle holds, each object once.
class TensorWalk {
 public:
  TensorWalk(const Pickle& pickle, const ZipArchive& archive, std::string folder,
             const std::shared_ptr<const void>& owner)
      : pickle_(pickle), archive_(archive), folder_(std::move(folder)), owner_(owner) {}

  void visit(const Pickle::Object& object, const std::string& name, int depth) {
    if (depth > deepest || !seen_.insert(&object).second) {
      return;
    }
    const auto below = [&](const std::string& key) { return name.empty() ? key : name + "." + key; };
    const auto& items = object.items;
    if (object.kind == Pickle::Object::Kind::mapping) {
      for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        const auto& key = pickle_.at(items[i]);
        visit(pickle_.at(items[i + 1]), below(key.kind == Pickle::Object::Kind::text ? key.text : "?"),
              depth + 1);
      }
    } else if (object.kind == Pickle::Object::Kind::sequence) {
      for (std::size_t i = 0; i < items.size(); ++i) {
        visit(pickle_.at(items[i]), below(std::to_string(i)), depth + 1);
      }
    } else if (object.kind == Pickle::Object::Kind::call) {
      visit_call(object, name, depth);
    }
  }

  std::vector<StoredTensor> take() { return std::move(tensors_); }

 private:
  static constexpr int deepest = 16;

  void visit_call(const Pickle::Object& call, const std::string& name, int depth) {
    const auto& arguments = pickle_.at(call.items[1]).items;
    if (call.text == "torch._utils _rebuild_tensor_v2" && arguments.size() >= 4) {
      add(arguments, name);
    } else if (call.text.ends_with("_rebuild_parameter") && !arguments.empty()) {
      visit(pickle_.at(arguments[0]), name, depth + 1);
    } else if (call.items.size() == 3) {
      visit(pickle_.at(call.items[2]), name, depth + 1);
    }
  }

  /// \param arguments the storage, the offset, the size and the strides
  void add(const std::vector<std::size_t>& arguments, const std::string& name) {
    const auto& storage = pickle_.at(arguments[0]);
    const bool is_stored =
        storage.kind == Pickle::Object::Kind::persistent && pickle_.at(storage.items[0]).items.size() >= 3;
    StoredTensor stored{.name = name, .type = "a storage of an unknown kind"};
    for (const auto item : pickle_.at(arguments[2]).items) {
      stored.shape.push_back(static_cast<std::size_t>(std::max<std::int64_t>(0, pickle_.at(item).number)));
    }
    if (is_stored) {
      const auto& description = pickle_.at(storage.items[0]).items;
      stored.type = pickle_.at(description[1]).text;
      stored.tensor = elements(stored, pickle_.at(description[2]).text, pickle_.at(arguments[1]).number,
                               pickle_.at(arguments[3]).items);
      stored.type = stored.tensor ? std::string(traits(stored.tensor->type()).name) : stored.type;
    }
    tensors_.push_back(std::move(stored));
  }

  /// Nothing where they are not dense, or the archive has them not.
  std::optional<Tensor> elements(const StoredTensor& stored, const std::string& key, std::int64_t offset,
                                 const std::vector<std::size_t>& strides) const {
    const auto type = storage_type(stored.type);
    const auto member = folder_ + "data/" + key;
    const auto size = type ? size_in_bytes(*type, stored.shape) : std::nullopt;
    if (!size || *size == 0 || offset < 0 || stored.shape.size() > greatest_rank ||
        !archive_.members().contains(member) || !are_dense(stored.shape, strides)) {
      return std::nullopt;
    }
    const auto bytes = archive_.bytes(member);
    const auto width = traits(*type).bytes;
    if (!bytes || static_cast<std::uint64_t>(offset) > bytes->size() / width ||
        *size > bytes->size() - static_cast<std::size_t>(offset) * width) {
      return std::nullopt;
    }
    return Tensor(*type, stored.shape,
                  bytes->subspan(static_cast<std::size_t>(offset) * width, static_cast<std::size_t>(*size)),
                  owner_);
  }

  bool are_dense(const Shape& shape, const std::vector<std::size_t>& strides) const {
    if (strides.size() != shape.size()) {
      return false;
    }
    std::size_t expected = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
      if (shape[i] != 1 && pickle_.at(strides[i]).number != static_cast<std::int64_t>(expected)) {
        return false;
      }
      expected *= shape[i];
    }
    return true;
  }

  const Pickle& pickle_;
  const ZipArchive& archive_;
  std::string folder_;
  std::shared_ptr<const void> owner_;
  std::set<const Pickle::Object*> seen_;
  std::vector<StoredTensor> tensors_;
};

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
  if (!bytes) {
    throw InputError(torch_export_sentence(source, "a compressed pickle"));
  }
  std::optional<Pickle> pickle;
  try {
    pickle.emplace(*bytes, source);
  } catch (const InputError&) {
    throw InputError(torch_export_sentence(source, "a pickle that does more than hold tensors"));
  }
  TensorWalk walk(*pickle, archive, member.substr(0, member.size() - pickle_name.size()), owner);
  walk.visit(pickle->root(), "", 0);
  return walk.take();
}

std::vector<StoredTensor> npz_tensors(const ZipArchive& archive, const std::shared_ptr<const void>& owner,
                                      const std::string& source) {
  constexpr std::string_view extension = ".npy";
  std::vector<StoredTensor> tensors;
  for (const auto& [member, entry] : archive.members()) {
    if (!member.ends_with(extension)) {
      continue;
    }
    StoredTensor stored{.name = member.substr(0, member.size() - extension.size()), .type = "compressed"};
    if (const auto bytes = archive.bytes(member)) {
      stored.tensor = parse_npy(*bytes, owner, fmt::format("{}: {}", source, in_quotes(member)));
      stored.type = traits(stored.tensor->type()).name;
      stored.shape = stored.tensor->shape();
    }
    tensors.push_back(std::move(stored));
  }
  return tensors;
}

}  // namespace vernier
