#include "numerics/searches/catalogued_rotations.hpp"

#include <algorithm>

#include "numerics/program/declared.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/schemes/joint_table.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {

TrigTable table_of_recipes(const Encoding& encoding) {
  const auto* rotation = encoding.rotation();
  refuse_if(rotation == nullptr && !encoding.has_plain_tables(),
            "nothing of the scheme {} turns with one position", encoding.scheme());
  auto table = rotation == nullptr ? joint_table(encoding) : rotation->table;
  refuse_if(!table.positions.is_plain(),
            "recipes are for whole positions, and those of this encoding are scaled");
  program::required_progression(table.frequencies, "a recipe");
  return table;
}

CataloguedRotations catalogued_rotations() {
  CataloguedRotations result;
  for (const auto& model : catalogue()) {
    for (const auto& layer_spec : model.layer_specs) {
      const auto encoding = model.encoding(layer_spec);
      if (encoding->rotation() == nullptr) {
        continue;
      }
      const auto name = layer_spec.layers == "all" ? model.id : model.id + ", " + layer_spec.layers;
      try {
        auto table = table_of_recipes(*encoding);
        auto found = std::ranges::find_if(result.rotations, [&](const NamedRotation& other) {
          return other.table.amplitude == table.amplitude && other.table.frequencies == table.frequencies;
        });
        if (found == result.rotations.end()) {
          found = result.rotations.insert(found, {std::move(table), encoding->summary(), {}});
        }
        found->models.push_back(name);
      } catch (const InputError& error) {
        result.left_out.push_back({name, error.what()});
      }
    }
  }
  return result;
}

}  // namespace vernier
