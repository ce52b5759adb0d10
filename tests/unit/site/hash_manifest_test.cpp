#include "site/fields/hash_manifest.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::site {
namespace {

const std::string md5(32, 'a');
const std::string sha256(64, 'b');
const std::string sha512(128, 'c');

bool names(const std::string& text, const std::string& path, const std::string& folder = {}) {
    const HashManifest manifest{text, folder};
    return manifest.find(path).has_value();
}

TEST(HashManifest, HasTheLinesOfCoreutils) {
    const HashManifest manifest{sha256 + "  a.iso\n" + sha256 + " *b/c d.iso\n" + sha512 +
                                    "  ./e.iso\n\n# a remark\n" + md5 + "  f.iso",
                                ""};
    EXPECT_TRUE(manifest.faults().empty());
    ASSERT_TRUE(manifest.find("a.iso"));
    EXPECT_EQ(manifest.find("a.iso"), manifest.find("b/c d.iso")) << "the same hash";
    ASSERT_TRUE(manifest.find("e.iso"));
    EXPECT_NE(manifest.find("a.iso"), manifest.find("e.iso"));
    EXPECT_TRUE(manifest.find("f.iso"));
    EXPECT_FALSE(manifest.find("c d.iso"));
    EXPECT_FALSE(manifest.find(""));
}

TEST(HashManifest, HasNothingIfItIsEmpty) {
    EXPECT_FALSE(HashManifest{}.find("a"));
    EXPECT_FALSE(names("", "a"));
    EXPECT_FALSE(names("\n\n", "a"));
}

TEST(HashManifest, TakesDigitsOfEitherCase) {
    const HashManifest manifest{std::string(64, 'B') + "  a\n" + sha256 + "  b\n", ""};
    EXPECT_EQ(manifest.find("a"), manifest.find("b"));
}

TEST(HashManifest, PathsBeginAtItsFolder) {
    const std::string line = sha256 + "  c/d.iso\n";
    EXPECT_TRUE(names(line, "a/b/c/d.iso", "a/b"));
    EXPECT_FALSE(names(line, "c/d.iso", "a/b"));
}

TEST(HashManifest, HasEscapesOnlyWhereTheLineSaysSo) {
    EXPECT_TRUE(names('\\' + sha256 + "  a\\nb\\rc\\\\d\n", "a\nb\rc\\d"));
    EXPECT_TRUE(names(sha256 + "  a\\nb\n", "a\\nb"));
}

TEST(HashManifest, LinesMayEndAsOnWindows) { EXPECT_TRUE(names(sha256 + "  a\r\n", "a")); }

TEST(HashManifest, TheLastLineForAPathHolds) {
    const HashManifest manifest{
        md5 + "  a\n" + sha512 + "  b\n" + sha256 + "  a\n" + sha256 + "  c\n", ""};
    EXPECT_EQ(manifest.find("a"), manifest.find("c"));
}

TEST(HashManifest, NamesWrongLinesAndTakesTheOthers) {
    const std::string wrong = std::string(31, 'a') + "  a\n" +                  // 1
                              sha256 + " a\n" +                                 // 2
                              sha256 + "  \n" +                                 // 3
                              sha256 + "  /a\n" +                               // 4
                              sha256 + "  b/../a\n" +                           // 5
                              sha256 + "  b/\n" +                               // 6
                              '\\' + sha256 + "  \\t\n" +                       // 7
                              '\\' + sha256 + "  a\\\n" +                       // 8
                              sha256 + "  " + std::string(8192, 'n') + "\n" +   // 9
                              "SHA256 (a) = " + sha256 + "\n" + sha256 + "\n";  // 10, 11
    const HashManifest manifest{wrong + sha256 + "  good\n", ""};
    ASSERT_EQ(manifest.faults().size(), 11u);
    for (std::size_t i = 0; i < 11; ++i) {
        EXPECT_EQ(manifest.faults()[i].line, i + 1);
        EXPECT_FALSE(manifest.faults()[i].text.empty());
    }
    EXPECT_EQ(manifest.faults()[8].text, "it is longer than 8 KB");
    EXPECT_TRUE(manifest.find("good"));
    EXPECT_FALSE(manifest.find("a"));
}

TEST(HashManifest, CountsFaultsPastTheFirst) {
    std::string wrong;
    for (int i = 0; i < 25; ++i) wrong += "wrong\n";
    const HashManifest manifest{wrong, ""};
    EXPECT_EQ(manifest.faults().size(), HashManifest::faults_max);
    EXPECT_EQ(manifest.further_faults(), 5u);
}

TEST(HashManifest, HasNoPathThatIsTooLong) {
    std::string longest = "a";
    while (longest.size() < HashManifest::path_bytes_max) longest += "/n";
    ASSERT_EQ(longest.size(), HashManifest::path_bytes_max);
    EXPECT_TRUE(names(sha256 + "  " + longest + '\n', longest));
    const HashManifest manifest{sha256 + "  " + longest + "n\n", ""};
    EXPECT_FALSE(manifest.find(longest + "n"));
    ASSERT_EQ(manifest.faults().size(), 1u);
    EXPECT_EQ(manifest.faults()[0].text, "its path is longer than 4,095 bytes");
}

TEST(HashManifest, HasSoManyFilesOrNone) {
    std::string text;
    for (std::size_t i = 0; i < HashManifest::entries_max; ++i)
        text += md5 + "  " + std::to_string(i) + '\n';
    const HashManifest most{text + "# a remark\nwrong\n", ""};
    EXPECT_FALSE(most.is_too_long());
    EXPECT_EQ(most.faults().size(), 1u);
    EXPECT_TRUE(most.find("249999"));
    const HashManifest more{text + sha256 + "  1\n", ""};
    EXPECT_TRUE(more.is_too_long());
    EXPECT_FALSE(more.find("1"));
}

TEST(HashManifest, APathBelowHasOnlyNames) {
    for (const auto* const path : {"a", "a/b", ".a", "..a/...", "a\nb"})
        EXPECT_TRUE(is_path_below(path)) << path;
    for (const auto* const path : {"", "/", "/a", "a/", "a//b", ".", "./a", "a/.", "..", "a/../b"})
        EXPECT_FALSE(is_path_below(path)) << path;
}

}  // namespace
}  // namespace weir::site
