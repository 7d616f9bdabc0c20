// The reader against files that are right, wrong in every way we know, and wrong in every single byte.

#include "numerics/formats/npy.hpp"

#include <csignal>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Tensor tensor_of_npy(const std::string& bytes) {
  const auto file = std::make_shared<const std::string>(bytes);
  return parse_npy(std::as_bytes(std::span(*file)), file, "x.npy");
}

std::string npy_refusal(const std::string& bytes) {
  return refusal_of([&] { tensor_of_npy(bytes); });
}

std::string valid_file() {
  return npy_bytes(tensor_of(Format::binary32, {2, 2}, std::vector{0.0, 1.0, -0.5, 0.25}));
}

TEST(Npy, ReadsEveryTypeItKnows) {
  for (const auto& one : element_types()) {
    const Tensor tensor(one.type, {3, 1}, std::vector<std::byte>(3 * one.bytes, std::byte{0x3c}));
    const auto back = tensor_of_npy(npy_bytes(tensor));
    EXPECT_EQ(back.shape(), (Shape{3, 1}));
    EXPECT_EQ(back.type(), one.type == ElementType::bfloat16 ? ElementType::uint16
                           : one.format && one.bytes == 1    ? ElementType::uint8
                                                             : one.type);
    EXPECT_TRUE(std::ranges::equal(back.bytes(), tensor.bytes()));
  }
}

std::string bytes_of(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
}

TEST(Npy, ReadsFortranOrderAsCOrder) {
  const auto tensor = tensor_of_npy(npy_bytes("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3, 2)}",
                                              bytes_of({0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11})));
  EXPECT_EQ(tensor.shape(), (Shape{2, 3, 2}));
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(tensor.number(i), static_cast<double>(i));
  }
}

TEST(Npy, ReadsComplexNumbersAsTheirParts) {
  const auto plain = tensor_of_npy(npy_bytes(npy_header("<c8", "(2, 1)"), bytes_of({1, 2, 3, 4})));
  EXPECT_EQ(plain.shape(), (Shape{2, 1, 2}));
  EXPECT_EQ(plain.number(2), 3);
  const auto fortran = tensor_of_npy(npy_bytes("{'descr': '<c8', 'fortran_order': True, 'shape': (2, 2)}",
                                               bytes_of({0, 1, 4, 5, 2, 3, 6, 7})));
  EXPECT_EQ(fortran.shape(), (Shape{2, 2, 2}));
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(fortran.number(i), static_cast<double>(i));
  }
}

TEST(Npy, ReadsVersions2And3AndScalars) {
  const auto header = npy_header("<f4", "()");
  for (const char version : {'\x02', '\x03'}) {
    std::string file = std::string("\x93NUMPY") + version + '\0';
    file += static_cast<char>(header.size());
    file += std::string(3, '\0') + header + std::string("\0\0\x80\x3f", 4);
    const auto tensor = tensor_of_npy(file);
    EXPECT_EQ(tensor.shape(), Shape{});
    EXPECT_EQ(tensor.number(0), 1.0);
  }
}

TEST(Npy, ReadsHeadersInAnyOrderAndPadding) {
  const auto file = npy_bytes("{\"shape\" :(2 , ),'descr':'|u1','fortran_order':False}      \n", "\x01\x02");
  EXPECT_EQ(tensor_of_npy(file).integer(1), 2);
}

struct HostileNpy {
  std::string what;
  std::string bytes;
  std::string found;  ///< what the sentence must name
};

std::vector<HostileNpy> hostile_npy_files() {
  const std::string four(4, '\0');
  const std::string huge_header("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12);
  std::string forty_dimensions = "(";
  for (int i = 0; i < 40; ++i) {
    forty_dimensions += "1,";
  }
  return {
      {"empty file", "", "found 0 bytes"},
      {"text", "hello world, this is no tensor", "\\x93NUMPY"},
      {"version 9", std::string("\x93NUMPY\x09\x00\x01\x00", 10), "version 9.0"},
      {"version 1.1", std::string("\x93NUMPY\x01\x01\x01\x00", 10), "version 1.1"},
      {"header longer than the file", std::string("\x93NUMPY\x01\x00\xff\xff{}", 12), "the header"},
      {"header of 2 GiB", huge_header, "header of 2147483647 bytes"},
      {"no header", npy_bytes("", ""), "end of the header"},
      {"a list", npy_bytes("[1, 2]", ""), "[1, 2]"},
      {"unknown key", npy_bytes("{'order': 1}", ""), "'order'"},
      {"missing key", npy_bytes("{'descr': '<f4', 'shape': (1,)}", four), "not one whole dictionary"},
      {"repeated key", npy_bytes("{'descr': '<f4', 'descr': '<f8', 'shape': (1,)}", four), "a key twice"},
      {"text after the header", npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", four),
       "dictionary"},
      {"unclosed string", npy_bytes("{'descr: ", four), "without an end"},
      {"Fortran order, too short",
       npy_bytes("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", four),
       "4 bytes of data, expected 24"},
      {"order unknown", npy_bytes("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", four),
       "True or False"},
      {"big-endian", npy_bytes(npy_header(">f4", "(1,)"), four), "'>f4' (big-endian)"},
      {"booleans", npy_bytes(npy_header("|b1", "(4,)"), four), "'|b1' (booleans)"},
      {"objects", npy_bytes(npy_header("|O", "(1,)"), four), "'|O' (pickled Python objects)"},
      {"complex, too short", npy_bytes(npy_header("<c8", "(1,)"), four), "4 bytes of data, expected 8"},
      {"complex of 32 bytes", npy_bytes(npy_header("<c32", "(1,)"), four), "'<c32'"},
      {"long double", npy_bytes(npy_header("<f16", "(1,)"), four), "'<f16'"},
      {"no byte order", npy_bytes(npy_header("f4", "(1,)"), four), "'f4'"},
      {"native order", npy_bytes(npy_header("=f4", "(1,)"), four), "'=f4'"},
      {"empty type", npy_bytes(npy_header("", "(1,)"), four), "''"},
      {"structured", npy_bytes("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", four),
       "structured"},
      {"control characters", npy_bytes(npy_header("\x1b[31m\n", "(1,)"), four), "'?[31m?'"},
      {"negative dimension", npy_bytes(npy_header("<f4", "(-1,)"), four), "\"-1\""},
      {"dimension beyond 64 bits", npy_bytes(npy_header("<f4", "(99999999999999999999,)"), four),
       "99999999999999999999"},
      {"fractional dimension", npy_bytes(npy_header("<f4", "(1.5,)"), four), "\".5,"},
      {"size beyond 64 bits", npy_bytes(npy_header("<f4", "(4294967296, 4294967296)"), four),
       "found 4 bytes of data"},
      {"a terabyte", npy_bytes(npy_header("<f4", "(274877906944,)"), four), "expected 1099511627776"},
      {"40 dimensions", npy_bytes(npy_header("<f4", forty_dimensions + ")"), four),
       "more than 32 dimensions"},
      {"no rows", npy_bytes(npy_header("<f4", "(0, 64)"), ""), "[0, 64]"},
      {"no elements, overflow", npy_bytes(npy_header("<f4", "(18446744073709551615, 0)"), ""),
       "at least one element"},
      {"data missing", npy_bytes(npy_header("<f4", "(2,)"), four), "found 4 bytes of data, expected 8"},
      {"data left over", npy_bytes(npy_header("<f4", "(1,)"), four + "x"),
       "found 5 bytes of data, expected 4"},
  };
}

TEST(Npy, RefusesHostileFilesInOneSentenceThatNamesFileAndFinding) {
  for (const auto& hostile : hostile_npy_files()) {
    const auto sentence = npy_refusal(hostile.bytes);
    EXPECT_THAT(sentence, AllOf(StartsWith("x.npy: found"), HasSubstr(hostile.found), HasSubstr("expected")))
        << hostile.what;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << hostile.what;
  }
}

TEST(Npy, RefusesEveryTruncation) {
  const auto file = valid_file();
  ASSERT_EQ(npy_refusal(file), "");
  for (std::size_t length = 0; length < file.size(); ++length) {
    EXPECT_NE(npy_refusal(file.substr(0, length)), "") << length;
  }
}

TEST(Npy, SurvivesEveryChangeOfOneByte) {
  const auto file = valid_file();
  const auto header = file.size() - 16;
  for (std::size_t i = 0; i < header; ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      auto changed = file;
      changed[i] = static_cast<char>(byte);
      if (npy_refusal(changed).empty()) {
        EXPECT_EQ(tensor_of_npy(changed).bytes().size(), 16U);
      }
    }
  }
}

TEST(Npy, RefusesWhatIsNoFile) {
  EXPECT_THROW(read_npy(std::filesystem::temp_directory_path()), InputError);
  EXPECT_THROW(read_npy("/nonexistent/x.npy"), InputError);
}

TEST(Npy, RefusesAnEmptyFile) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_npy(folder.write("x.npy", "")), InputError);
}

TEST(Npy, KeepsTheFileOfATensorAndItsCopies) {
  const TemporaryFolder folder;
  const auto copy = [&] {
    const auto tensor = read_npy(folder.write("x.npy", valid_file()));
    return Tensor(tensor).without_leading_ones(1);
  }();
  std::filesystem::remove(folder.path() / "x.npy");
  EXPECT_EQ(copy.number(3), 0.25);
}

Tensor large_tensor(const std::filesystem::path& file) {
  const std::size_t elements = 1 << 20;
  std::ofstream(file, std::ios::binary)
      << npy_bytes(Tensor(ElementType::float64, {elements}, std::vector<std::byte>(8 * elements)));
  return read_npy(file);
}

TEST(NpyDeathTest, SaysThatTheFileShrankAndExitsWith2) {
  const TemporaryFolder folder;
  const auto shrink_and_look = [&] {
    const auto gone = large_tensor(folder.path() / "gone.npy");
    const auto other = large_tensor(folder.path() / "other.npy");
    std::filesystem::resize_file(folder.path() / "gone.npy", 4096);
    std::exit(other.number(other.elements() - 1) == 0 && gone.number(gone.elements() - 1) == 0 ? 0 : 1);
  };
  EXPECT_EXIT(
      shrink_and_look(), ::testing::ExitedWithCode(2),
      "^vernier: .*/gone.npy: the file shrank while it was being read, expected it to stay as it was\n$");
}

TEST(NpyDeathTest, LeavesOtherBusErrorsAlone) {
  const TemporaryFolder folder;
  const auto killed_as_before = [](int status) {
    return status != 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 2);
  };
  const auto raise_bus_error = [&] {
    const auto tensor = large_tensor(folder.path() / "x.npy");
    std::raise(SIGBUS);
    std::exit(tensor.number(0) == 0 ? 0 : 1);
  };
  EXPECT_EXIT(raise_bus_error(), killed_as_before, "");
}

}  // namespace
}  // namespace vernier
