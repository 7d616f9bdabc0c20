// What documents say of keys is what the keys say of themselves: the manual's page and the JSON schema.
// VERNIER_WRITE_DOCUMENTS=1 writes both anew.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_document.hpp"

namespace vernier {
namespace {

void expect_document(const std::filesystem::path& file, const std::string& text) {
  if (std::getenv("VERNIER_WRITE_DOCUMENTS") != nullptr) {
    std::ofstream(file) << text;
  }
  std::ostringstream found;
  found << std::ifstream(file).rdbuf();
  EXPECT_EQ(found.str(), text) << file
                               << " is not what the keys say; VERNIER_WRITE_DOCUMENTS=1 writes it anew";
}

const std::filesystem::path reports_folder = VERNIER_REPORTS_FOLDER;

TEST(KeyDocuments, TheManualsPageOfKeys) {
  std::string text =
      "# Keys of specs\n\nThe program writes this page from the keys themselves; `vernier explain SCHEME` "
      "shows one scheme.\n"
      "[Specs](../../manual/specs.md) says what schemes are for.\n";
  for (const auto& scheme : schemes()) {
    text += "\n## " + std::string(scheme.name) + "\n\n" + std::string(scheme.description) + "\n\n" +
            keys_table(scheme);
  }
  expect_document(reports_folder / "words" / "specs" / "keys.md", text);
}

TEST(KeyDocuments, TheSchemaOfSpecs) {
  expect_document(reports_folder / "words" / "specs" / "spec.schema.json", spec_schema().dump(2) + "\n");
}

}  // namespace
}  // namespace vernier
