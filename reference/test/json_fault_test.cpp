#include "reference/json/json_fault.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

namespace vernier {
namespace {

struct Faulty {
  std::string_view text;
  std::size_t line;
  std::size_t column;
  std::string_view found;
  std::string_view expected;
};

TEST(JsonFault, IsTheFirstPieceThatIsNotExpected) {
  const std::vector<Faulty> all{
      {"", 1, 1, "the end", "a JSON document"},
      {"  \n", 1, 1, "the end", "a JSON document"},
      {"\x93NUMPY", 1, 1, "\"\\ufffdNUMPY\"", "a JSON document"},
      {"{\n", 1, 2, "the end", "a key in double quotes or a closing brace"},
      {"{\"a\": 1,\n}", 2, 1, "\"}\"", "a key in double quotes after the comma"},
      {"{\"a\": 1\n \"b\": 2}", 2, 2, "the string \"b\"", "a comma or a closing brace"},
      {"{\"a\" 1}", 1, 6, "\"1\"", "a colon"},
      {"{a: 1}", 1, 2, "\"a\"", "a key in double quotes or a closing brace"},
      {"{'a': 1}", 1, 2, "\"'a'\"", "a key in double quotes or a closing brace"},
      {"{\"a\": }", 1, 7, "\"}\"", "a value"},
      {"{\"a\": NaN}", 1, 7, "\"NaN\"", "a value"},
      {"{\"a\": True}", 1, 7, "\"True\"", "a value"},
      {"{\"a\": 01}", 1, 7, "\"01\"", "a value"},
      {"{\"a\": 1.}", 1, 7, "\"1.\"", "a value"},
      {"[1,\r\n 2,\r\n]", 3, 1, "\"]\"", "a value after the comma"},
      {"[1 2]", 1, 4, "\"2\"", "a comma or a closing bracket"},
      {"[1}", 1, 3, "\"}\"", "a comma or a closing bracket"},
      {"[1", 1, 3, "the end", "a comma or a closing bracket"},
      {"[,1]", 1, 2, "\",\"", "a value or a closing bracket"},
      {"[1] 2", 1, 5, "\"2\"", "nothing more"},
      {"1 // one", 1, 3, "\"//\"", "nothing more"},
      {"[\"a, 1]\n", 1, 2, "the string \"a, 1]\"", "a double quote that closes it in its line"},
      {"[\"a\\\"\n", 1, 2, "the string \"a\\\\\\\"\"", "a double quote that closes it in its line"},
      {"[\"a\\\n\"]", 1, 2, "the string \"a\\\\\"", "a double quote that closes it in its line"},
      {"[\"a\\", 1, 2, "the string \"a\\\\\"", "a double quote that closes it in its line"},
      {"[\"a\tb\"]", 1, 2, "the string \"a\\tb\"", "no control character in it; a tab is written \\t"},
      {"[\"C:\\dir\"]", 1, 2, "the string \"C:\\\\dir\"",
       "UTF-8, and no escapes but JSON's, such as \\n, \\\\ and \\u00e9"},
      {"[\"\xff\"]", 1, 2, "the string \"\\ufffd\"", "UTF-8"},
      {"[\"\xc3\xa9\xe2\x82\xac\" 1]", 1, 7, "\"1\"", "a comma or a closing bracket"},
      {"\xEF\xBB\xBF[}", 1, 2, "\"}\"", "a value or a closing bracket"},
  };
  for (const auto& [text, line, column, found, expected] : all) {
    SCOPED_TRACE(text);
    const auto fault = json_fault(text);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->place.line, line);
    EXPECT_EQ(fault->place.column, column);
    EXPECT_EQ(fault->found, found);
    EXPECT_EQ(fault->expected, expected);
  }
}

/// Every sequence of these, most of which are no JSON: a fault is told of exactly those that the parser
/// refuses, and where a beginning of the text is all right up to it.
RC_GTEST_PROP(JsonFault, IsToldOfWhatTheParserRefuses, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("{", "}", "[", "]", ":", ",", " ", "\n", "\"a\"", "\"", "\\", "1",
                                    "-0.5e3", "-", "true", "nul", "\t", "\xc3\xa9"));
  std::string text;
  for (const auto& piece : pieces) {
    text += piece;
  }
  RC_ASSERT(json_fault(text).has_value() != nlohmann::json::accept(text));
}

/// The same of documents, which random pieces seldom are, with one character replaced.
RC_GTEST_PROP(JsonFault, IsToldOfWhatTheParserRefusesOfADocument, ()) {
  std::string text =
      "{\"a\": [1, 2.5e-3, true, null], \"b\\n\": {\"c\": \"\xc3\xa9\", \"d\": {}, \"e\": []}}";
  RC_ASSERT(!json_fault(text));
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text[at] = *rc::gen::elementOf(std::string("{}[]:,\" \n\\1-e.tx\xff"));
  const auto fault = json_fault(text);
  RC_ASSERT(fault.has_value() != nlohmann::json::accept(text));
}

}  // namespace
}  // namespace vernier
