// What documents say of keys is what the keys say of themselves: the manual's page and the JSON schema.
// VERNIER_WRITE_DOCUMENTS=1 writes both anew.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_document.hpp"
#include "reference/specs/key_list.hpp"

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

/// A key in backquotes, or in a spec that a page shows.
TEST(KeyDocuments, TheManualHasEveryKey) {
  std::string manual;
  for (const auto& page : std::filesystem::directory_iterator(reports_folder / "manual")) {
    std::ostringstream text;
    text << std::ifstream(page.path()).rdbuf();
    manual += text.str();
  }
  for (const auto& scheme : schemes()) {
    for (const auto& key : keys_of(scheme)) {
      const auto path = generic_path(key.key.path);
      const auto name = path.substr(path.rfind('.') + 1);
      const auto word = name.substr(0, name.find('['));
      EXPECT_TRUE(manual.find("`" + word + "`") != std::string::npos ||
                  manual.find("\"" + word + "\"") != std::string::npos)
          << scheme.name << ": " << path;
    }
  }
}

}  // namespace
}  // namespace vernier
