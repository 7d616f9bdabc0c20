// vernier_corpus FOLDER [--explain-all | --record]: judges FOLDER/cases/*.json as `vernier validate` does,
// and compares the verdicts with FOLDER/record.json. Leaves with 0 if all is as expected and as recorded; 1
// if an honest tensor is not accepted, a fault not refused, a name of the record lost, or the record
// different; 2 for bad usage. A fault that the record does not name is judged but not explained, as the
// search for an explanation tries everything there: with --explain-all it is explained, too. With --record
// all are, and the record is written, unless one of the first three is so. A name that is given up is taken
// out of the record by hand: its "is_named" becomes false.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "numerics/tensors/case_file.hpp"
#include "reference/json/json.hpp"
#include "reference/support/counted.hpp"
#include "reference/support/input_error.hpp"
#include "reports/verdict/validate.hpp"
#include "reports/words/file.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/program_end.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

/// Whether the pattern of a case matches what is said of it.
bool matches(const std::string& pattern, const std::string& said, const std::string& file) {
  try {
    return std::regex_search(said, std::regex(pattern, std::regex::ECMAScript | std::regex::icase));
  } catch (const std::regex_error& error) {
    throw InputError("{}: expect.says: found {}, expected an ECMAScript pattern ({})", file,
                     in_quotes(pattern), error.what());
  }
}

/// The entry of a record for a case; null where it has none.
OrderedJson entry_named(const OrderedJson& record, const OrderedJson& name) {
  const auto found =
      std::ranges::find_if(record, [&](const auto& entry) { return entry.at("name") == name; });
  return found == record.end() ? OrderedJson() : *found;
}

/// A case judged, as the record has it. \param record what it says of a fault that it does not name is kept;
/// empty: every fault is explained
OrderedJson entry_of(const fs::path& file, const OrderedJson& record) {
  const auto document = read_json(file);
  auto expect = ObjectReader(document, file.string(), "").object("expect");
  const auto expected = expect.string("verdict");
  const bool is_fault = expected != to_string(Conclusion::conforms);
  const auto subject = read_case(file);
  if (subject.name != file.stem()) {
    throw InputError("{}: name: found {}, expected that of the file", file.string(), in_quotes(subject.name));
  }
  const auto before = entry_named(record, subject.name);
  const bool stays_unnamed = is_fault && !before.is_null() && before.at("is_named") == false;
  const auto verdict = validate(subject, "", {.error_splits = false, .reasons = !stays_unnamed});
  const auto said = stays_unnamed ? before.at("said").get<std::string>() : sentence_of(verdict);
  const bool is_named = is_fault && !stays_unnamed && matches(expect.string("says"), said, file.string());
  OrderedJson entry{{"name", subject.name},
                    {"source", subject.producer},
                    {"kind", expect.string("kind")},
                    {"expected", expected},
                    {"fault", is_fault ? expect.string("fault") : ""},
                    {"verdict", to_string(outcome(verdict))},
                    {"said", said},
                    {"is_named", is_named}};
  if (const auto note = expect.optional_string("note")) {
    entry["note"] = *note;
  }
  return entry;
}

std::vector<fs::path> case_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code is_no_folder;
  for (const auto& entry : fs::directory_iterator(folder / "cases", is_no_folder)) {
    if (entry.path().extension() == ".json") {
      files.push_back(entry.path());
    }
  }
  if (files.empty()) {
    throw InputError("{}: found no cases, expected NAME.json", (folder / "cases").string());
  }
  std::ranges::sort(files);
  return files;
}

OrderedJson judge_all(const std::vector<fs::path>& files, const OrderedJson& record) {
  std::vector<OrderedJson> entries(files.size());
  oneapi::tbb::parallel_for(std::size_t{0}, files.size(), [&](std::size_t i) {
    // Verdicts are many, and one thread for each suffices. One that waits within a verdict begins no other:
    // it may hold the lock of intervals.
    oneapi::tbb::task_arena(1).execute([&] { entries[i] = entry_of(files[i], record); });
  });
  return entries;
}

OrderedJson read_record(const fs::path& file) {
  return is_there(file) ? OrderedJson::parse(std::ifstream(file)) : OrderedJson::array();
}

std::string text_at(const OrderedJson& entry, std::string_view key) {
  return entry.at(key).get<std::string>();
}

/// What no record may hold: a wrong verdict, or a name less than before.
std::vector<std::string> regressions(const OrderedJson& now, const OrderedJson& record) {
  std::vector<std::string> sentences;
  for (const auto& entry : now) {
    const auto name = text_at(entry, "name");
    const auto fault = text_at(entry, "fault");
    if (entry.at("verdict") != entry.at("expected")) {
      sentences.push_back(
          fmt::format("{}: {}: found the verdict {}, expected {} ({})", name,
                      fault.empty() ? "an honest tensor is not accepted" : "a fault is not refused",
                      text_at(entry, "verdict"), text_at(entry, "expected"),
                      fault.empty() ? text_at(entry, "said") : fault));
    }
  }
  for (const auto& before : record) {
    const auto entry = entry_named(now, before.at("name"));
    if (before.at("is_named") == true && (entry.is_null() || entry.at("is_named") == false)) {
      sentences.push_back(fmt::format("{}: a name is lost: found {}, expected {}", text_at(before, "name"),
                                      entry.is_null() ? "no case" : in_quotes(text_at(entry, "said")),
                                      in_quotes(text_at(before, "said"))));
    }
  }
  return sentences;
}

/// Cases of which the record and the verdicts do not say the same.
std::vector<std::string> differences(const OrderedJson& now, const OrderedJson& record) {
  std::vector<std::string> sentences;
  for (const auto& entry : now) {
    const auto before = entry_named(record, entry.at("name"));
    if (before != entry) {
      sentences.push_back(fmt::format("{}: the record {}", text_at(entry, "name"),
                                      before.is_null() ? "does not have it" : "is different"));
    }
  }
  for (const auto& before : record) {
    if (entry_named(now, before.at("name")).is_null()) {
      sentences.push_back(text_at(before, "name") + ": the record has it, the cases do not");
    }
  }
  return sentences;
}

/// \return the exit code
int tell(const std::vector<std::string>& sentences, std::string_view advice) {
  for (const auto& sentence : sentences) {
    std::cout << sentence << "\n";
  }
  std::cout << counted(sentences.size(), "problem", "problems") << "; " << advice << "\n";
  return 1;
}

int run(std::span<const char* const> arguments) {
  const std::string_view option = arguments.size() == 3 ? arguments[2] : "";
  const bool records = option == "--record";
  const bool explains_all = records || option == "--explain-all";
  if (arguments.size() != 2 && !explains_all) {
    throw InputError("usage: vernier_corpus FOLDER [--explain-all | --record]");
  }
  const fs::path folder = arguments[1];
  const auto file = folder / "record.json";
  const auto record = read_record(file);
  const auto now = judge_all(case_files(folder), explains_all ? OrderedJson::array() : record);
  if (const auto sentences = regressions(now, record); !sentences.empty()) {
    return tell(sentences, "no record is written while there are such");
  }
  const auto different = differences(now, record);
  if (records) {
    write_file(file.string(), document_text(now), std::cout);
  } else if (!different.empty()) {
    return tell(different, fmt::format("look at each, then run vernier_corpus {} --record", folder.string()));
  }
  const auto count = [&](std::string_view key, const auto& value) {
    return std::ranges::count_if(now, [&](const auto& entry) { return entry.at(key) == value; });
  };
  const auto faults = count("expected", to_string(Conclusion::does_not_conform));
  std::cout << fmt::format("faults refused: {}, named: {}; honest tensors accepted: {}{}\n", faults,
                           count("is_named", true), std::ssize(now) - faults,
                           records ? fmt::format("; entries that are new: {}", different.size()) : "");
  return 0;
}

}  // namespace
}  // namespace vernier

int main(int argument_count, char** arguments) {
  const auto work = [&] { return vernier::run({arguments, static_cast<std::size_t>(argument_count)}); };
  return vernier::exit_code_of(work, "vernier_corpus", std::cerr);
}
