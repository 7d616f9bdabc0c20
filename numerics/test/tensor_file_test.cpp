// Which tensor of which file a place means.

#include "numerics/formats/tensor_file.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_artefacts.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class NpzPlaces : public ::testing::Test {
 protected:
  NpzPlaces() {
    const std::vector<float> half{0.5F};
    const std::vector<float> two{2.0F, 3.0F};
    folder_.write("a:b.npz",
                  zip_bytes({{"cos.npy", npy_bytes(npy_header("<f4", "(1,)"), float_bytes(half))},
                             {"x:y/sin.npy", npy_bytes(npy_header("<f4", "(2,)"), float_bytes(two))},
                             {"notes.txt", "no array"},
                             {"objects.npy", npy_bytes(npy_header("|O", "(1,)"), "....")}}));
    folder_.write("deflated.npz", compressed_npz());
    folder_.write("bzipped.npz", zip_bytes({{"a.npy", "xyz"}}, 12));
    folder_.write("empty.npz", zip_bytes({{"notes.txt", "no array"}}));
    folder_.write("table.npz", npy_bytes(npy_header("<f4", "(1,)"), float_bytes(half)));
  }

  std::string path(const std::string& place) const { return (folder_.path() / place).string(); }
  Tensor read(const std::string& place, const std::string& role = "cos") const {
    return read_tensor_file(path(place), role);
  }
  std::string refusal(const std::string& place, const std::string& role = "cos") const {
    return refusal_of([&] { read(place, role); });
  }

  TemporaryFolder folder_;
};

TEST_F(NpzPlaces, MeanAnArray) {
  EXPECT_EQ(read("a:b.npz:cos").number(0), 0.5);
  EXPECT_EQ(read("a:b.npz:x:y/sin").number(1), 3);
  EXPECT_EQ(read("deflated.npz:inv_freq").shape(), (Shape{64, 4}));
  EXPECT_EQ(read("deflated.npz:inv_freq").number(255), 0.125);
  EXPECT_EQ(file_of_place(path("a:b.npz:x:y/sin")), path("a:b.npz"));
  EXPECT_TRUE(names_archive("a:b.npz:x:y/sin") && names_archive("b.npz") && !names_archive("b.npz.npy"));
}

TEST_F(NpzPlaces, MeanTheRoleOrTheOnlyArrayWithoutAName) {
  EXPECT_EQ(read("a:b.npz", "cos").number(0), 0.5);
  EXPECT_EQ(read("deflated.npz", "cos").number(255), 0.125);
  EXPECT_EQ(refusal("a:b.npz", "sin"),
            path("a:b.npz") + R"(: found the tensors "cos", "objects", "x:y/sin", expected one named "sin")");
}

TEST_F(NpzPlaces, AreRefusedInOneSentence) {
  EXPECT_EQ(
      refusal("a:b.npz:none"),
      path("a:b.npz") + R"(: found the tensors "cos", "objects", "x:y/sin", expected one named "none")");
  EXPECT_EQ(refusal("empty.npz:cos"), path("empty.npz") + R"(: found no tensors, expected one named "cos")");
  EXPECT_EQ(refusal("bzipped.npz:a"),
            path("bzipped.npz") +
                ": \"a\": found that it is packed in a way other than deflate, or has more "
                "than 2^30 bytes, expected an array that numpy.savez wrote");
  EXPECT_THAT(refusal("a:b.npz:objects"), AllOf(HasSubstr("a:b.npz: \"objects.npy\": found the dtype '|O'"),
                                                HasSubstr("expected little-endian numbers")));
  EXPECT_THAT(refusal("table.npz:cos"), HasSubstr("table.npz: found no list of members at its end, expected "
                                                  "that of a whole zip archive"));
  EXPECT_THAT(refusal("a:b.npz:"), HasSubstr("a:b.npz:: found no name after the colon"));
  EXPECT_THAT(refusal("none.npz:cos"), HasSubstr("none.npz: no such file"));
}

}  // namespace
}  // namespace vernier
