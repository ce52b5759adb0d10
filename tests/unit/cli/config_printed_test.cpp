#include "cli/config/printed.h"

#include <gtest/gtest.h>

#include <utility>

#include "cli/options/serve_options.h"

namespace weir::cli {
namespace {

using Lines = std::vector<std::string>;

std::string printed(Lines arguments, bool everything = false) {
    return normal_form({.arguments = std::move(arguments), .has_variables = false}, everything)
        .value_or("nothing");
}

TEST(ConfigPrinted, HasOnlyWhatDiffersFromTheDefaults) {
    EXPECT_EQ(printed({}), "");
    EXPECT_EQ(printed({"-p", "8000", "--spa=0", "--index", "index.html"}), "");
    EXPECT_EQ(printed({"/a", "-p", "081", "--cors", "-b", "::1", "-b", "unix:/s"}),
              "root = \"/a\"\ncors = [true]\nport = 81\nbind = [\n    \"::1\",\n    "
              "\"unix:/s\",\n]\n");
}

TEST(ConfigPrinted, QuotesWhatTomlWouldMisread) {
    EXPECT_EQ(printed({"-r", "/a\"b\\c\n\x7f\xc3\xa4"}),
              "root = \"/a\\\"b\\\\c\\u000a\\u007f\xc3\xa4\"\n");
    const auto bad = normal_form({.arguments = {"-r", "/\xff"}, .has_variables = false});
    ASSERT_FALSE(bad.has_value());
    EXPECT_TRUE(bad.error().text.contains("--root: the text is not UTF-8")) << bad.error().text;
}

TEST(ConfigPrinted, ExplainsEverythingInComments) {
    const std::string text = printed({"-p", "1", "--spa"}, true);
    for (const char* line :
         {"\n# --- When it starts ---\n", "\nport = 1\n", "\nspa = true\n", "\n#listing = false\n",
          "\n#head-timeout = \"10s\"\n", "\n#transmit-rate = 240\n", "\n#workers = ...\n"})
        EXPECT_TRUE(text.contains(line)) << line;
    EXPECT_FALSE(text.contains("config"));
    const auto document = config::parse(text, "f");
    EXPECT_EQ(normal_form({.arguments = {}, .has_variables = false, .document = &document}),
              printed({"-p", "1", "--spa"}));
}

TEST(ConfigPrinted, KeepsWhatASiteHasOfItsOwn) {
    const char* const text =
        "spa = true\n\n[[site]]\nname = [\"a\", \"*.a\"]\nroot = \"/a\"\nspa = false\n\n"
        "[[site]]\ndefault = true\nroot = \"/b\"\n";
    const auto document = config::parse(text, "f");
    EXPECT_EQ(normal_form({.arguments = {}, .has_variables = false, .document = &document}), text);
    EXPECT_EQ(
        normal_form({.arguments = {"--spa=0"}, .has_variables = false, .document = &document}),
        "[[site]]\nname = [\"a\", \"*.a\"]\nroot = \"/a\"\n\n[[site]]\ndefault = true\nroot = "
        "\"/b\"\n");
}

}  // namespace
}  // namespace weir::cli
