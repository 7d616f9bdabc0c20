#include "props/matrix/rows/members.hpp"
#include "props/matrix/rows/rows.hpp"

namespace vernier {
namespace {

MatrixMember sine_only(int width, const std::string& reading) {
  const auto d = std::to_string(width);
  return table_member(std::string("d = ") + d, std::string(R"({"scheme": "sine_only", "d_model": )") + d +
                                                   R"(, "reading": ")" + reading + R"("})");
}

MatrixMember family(const std::string& name, const std::string& rest) {
  return table_member(name, std::string(R"({"scheme": "frequency_family", "d_model": 64, )") + rest + "}");
}

}  // namespace

std::vector<MatrixRow> sine_rows() {
  return {
      {"sine-powers-of-two",
       "Sines only, sin(t 2^-i)",
       {table_member("d = 2", R"({"scheme": "sine_powers_of_two", "d_model": 2})"),
        table_member("d = 8", R"({"scheme": "sine_powers_of_two", "d_model": 8})")}},
      {"sine-only",
       "Sines only, 10000^(-i/(d-1))",
       {sine_only(2, "descending"), sine_only(8, "descending"), sine_only(64, "descending")}},
      {"sine-only-ascending-to-one",
       "Sines only, read literally: 10000^(i/d-1)",
       {sine_only(2, "ascending_to_one"), sine_only(8, "ascending_to_one")}},
      {"sine-only-ascending-from-one",
       "Sines only, read literally: 10000^(i/(d-1))",
       {sine_only(2, "ascending_from_one"), sine_only(8, "ascending_from_one"),
        sine_only(64, "ascending_from_one")}},
      {"sine-only-descending-to-one",
       "Sines only, read literally: 10000^(1-i/d)",
       {sine_only(2, "descending_to_one"), sine_only(8, "descending_to_one")}},
      {"exponential-family",
       "Frequencies c^-t",
       {family("c = 10000", R"("family": "exponential", "base": 10000)"),
        family("c = 1000", R"("family": "exponential", "base": 1000)")}},
      {"power-family",
       "Frequencies t^a",
       {family("a = 1", R"("family": "power", "exponent": 1)"),
        family("a = 2", R"("family": "power", "exponent": 2)"),
        family("a = 1/2", R"("family": "power", "exponent": 0.5)")}},
      {"trained-frequencies",
       "Frequencies of a list, as trained",
       {table_member("", R"({"scheme": "frequency_list", "frequencies": [1.03, 0.31, 0.09, 0.0123]})")}},
  };
}

}  // namespace vernier
