#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/json/json.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/support/mapped.hpp"
#include "reference/tables/position_map.hpp"
#include "reference/tables/tensor_definition.hpp"

namespace vernier {

class KeyVisitor;
template <class Spec>
class EncodingOf;  // keys/encoding_of.hpp

/// One positional encoding, fully specified: what a spec says, made mathematics.
class Encoding {
 public:
  Encoding() = default;
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;
  virtual ~Encoding() = default;

  /// The scheme's name in specs: "sinusoidal", "rope", "alibi".
  virtual std::string_view scheme() const = 0;
  /// The encoding in a few words, every parameter that matters in it: "RoPE, head_dim 128, base 10000, half
  /// layout".
  virtual std::string summary() const = 0;
  /// The spec with all its defaults written out; parsing it gives the same encoding.
  const OrderedJson& spec() const {
    std::call_once(is_written_, [&] { spec_ = written(); });
    return spec_;
  }
  /// The same keys, one after another, for whoever does not fill them. \param visit does not fill
  virtual void visit_keys(KeyVisitor& visit) const = 0;
  /// Every tensor that implementations make of the encoding, one for each shape in which they lay it out:
  /// several may share a role. Behind them what is the gradient of a rotation.
  const std::vector<TensorDefinition>& tensors() const {
    std::call_once(are_defined_, [&] { tensors_ = with_gradients(define_tensors()); });
    return tensors_;
  }
  /// The length of sequence that its frequencies belong to, where they depend on one: positions from it on
  /// have no meaning.
  virtual std::optional<std::int64_t> sequence_length() const { return std::nullopt; }
  /// From the integers that positions are given as to the places that tables have their rows at.
  /// \param axis along which a token has the position, 0 where it has one
  virtual const PositionMap& positions_along(std::size_t axis) const;
  /// The same of the only axis, or of the first.
  const PositionMap& positions() const { return positions_along(0); }
  /// The positions of the rows where a case gives none, as they are given.
  virtual PositionRange default_positions(std::int64_t rows) const { return {0, 1, rows}; }

  /// \name Those of one kind with a property, in their order: `all<TurnedTable>(&TurnedTable::axes)`
  /// @{
  template <class Definition, class Property = bool (*)(const Definition&)>
  std::vector<Definition> all(const Property& has = any<Definition>) const;
  /// The first of them; null if there is none.
  template <class Definition, class Property = bool (*)(const Definition&)>
  const Definition* first(const Property& has = any<Definition>) const;
  /// @}
  /// Tables of sines and cosines of one position and without a scale, in their order.
  std::vector<TrigTable> plain_tables() const;
  bool has_plain_tables() const { return first<TurnedTable>(&TurnedTable::is_plain) != nullptr; }
  bool has_scaled_tables() const { return first<TurnedTable>(&TurnedTable::scale) != nullptr; }
  /// The axes along each of which a token has a position; null where tokens have one position.
  const PositionAxes* axes() const {
    const auto* table = first<TurnedTable>(&TurnedTable::axes);
    return table == nullptr ? nullptr : &table->axes->positions;
  }
  /// Whether a token that is said to have one position has it along all axes that anything turns by.
  bool turns_by_one_position() const {
    const auto* table = first<TurnedTable>(&TurnedTable::axes);
    return table == nullptr || table->turns_by_one_position();
  }
  /// The rotation of queries, or of keys if the encoding tells them apart; null where no vectors rotate.
  const HeadRotation* rotation(bool of_keys = false) const {
    const auto* of_these = first<HeadRotation>(
        [&](const HeadRotation& one) { return one.is_of_keys == of_keys && !one.is_gradient; });
    return of_these == nullptr ? first<HeadRotation>() : of_these;
  }
  /// The bucket of each relative position; null where positions are no relative ones.
  const BucketRule* bucket_rule() const {
    const auto* table = first<BucketTable>();
    return table == nullptr ? nullptr : &table->rule;
  }
  /// A table without a row at a place; null where all have one.
  const ExactTable* undefined_at(std::int64_t place) const {
    return first<ExactTable>([&](const ExactTable& table) { return !table.defined(place); });
  }
  /// Where tables end, if they do.
  std::optional<std::int64_t> last_place() const {
    const auto* table = first<ExactTable>(&ExactTable::last_position);
    return table == nullptr ? std::nullopt : table->last_position;
  }
  /// \name A sentence on the code of the model that has it, where that is not known; else empty
  /// @{
  const std::string& as_written() const { return as_written_; }
  void set_as_written(std::string sentence) { as_written_ = std::move(sentence); }
  /// @}

 private:
  /// Called once, as edges of buckets and frequencies take exact arithmetic.
  virtual std::vector<TensorDefinition> define_tensors() const = 0;
  /// The spec, written out. Called once, as numbers of long lists take exact decimals.
  virtual OrderedJson written() const = 0;
  template <class Definition>
  static bool any(const Definition& /*definition*/) {
    return true;
  }

  std::string as_written_;
  mutable std::once_flag is_written_;
  mutable OrderedJson spec_;
  mutable std::once_flag are_defined_;
  mutable std::vector<TensorDefinition> tensors_;
};

inline const PositionMap& Encoding::positions_along(std::size_t /*axis*/) const {
  static const PositionMap plain;
  return plain;
}

template <class Definition, class Property>
std::vector<Definition> Encoding::all(const Property& has) const {
  std::vector<Definition> result;
  for (const auto& tensor : tensors()) {
    if (const auto* one = std::get_if<Definition>(&tensor); one != nullptr && std::invoke(has, *one)) {
      result.push_back(*one);
    }
  }
  return result;
}

template <class Definition, class Property>
const Definition* Encoding::first(const Property& has) const {
  for (const auto& tensor : tensors()) {
    if (const auto* one = std::get_if<Definition>(&tensor); one != nullptr && std::invoke(has, *one)) {
      return one;
    }
  }
  return nullptr;
}

inline std::vector<TrigTable> Encoding::plain_tables() const {
  return mapped(all<TurnedTable>(&TurnedTable::is_plain),
                [&](auto& table) { return std::move(table.sines); });
}

/// One way to write specs of a scheme: a list of keys.
struct SpecForm {
  /// The key that tells it from other forms; empty of the form of all other specs.
  std::string_view marker;
  /// The encoding of the keys. \param visit fills them
  std::unique_ptr<Encoding> (*fill)(KeyVisitor& visit);
};

/// A scheme Vernier knows, and how its specs are written: its words stand in schemes/schemes.json.
struct Scheme {
  std::string_view name;
  std::string_view description;
  /// Small specs of it, at least one. Tests make, store and judge the tensors of each; the matrix of
  /// properties judges them where no row of its own does.
  std::vector<std::string_view> examples;
  /// At least one. The first form whose marker a spec has reads it.
  std::vector<SpecForm> forms;
};

}  // namespace vernier
