#include "cli/config/printed.h"

#include <gtest/gtest.h>

#include <utility>

#include "cli/serve/serve_options.h"

namespace weir::cli {
namespace {

using Lines = std::vector<std::string>;

std::expected<ServeOptions, NoOptions> read(Lines arguments,
                                            const config::Document* document = nullptr) {
    return serve_options_from({.arguments = std::move(arguments), .document = document});
}

std::string printed(Lines arguments, const config::Document* document = nullptr) {
    arguments.emplace_back("--print-config");
    const auto options = read(std::move(arguments), document);
    return options ? options->printed.value_or("nothing") : options.error().text;
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
    const auto bad = read({"-r", "/\xff", "--print-config"});
    ASSERT_FALSE(bad.has_value());
    EXPECT_TRUE(bad.error().text.contains("--root: the text is not UTF-8")) << bad.error().text;
}

TEST(ConfigPrinted, ExplainsEverythingInComments) {
    const auto all = read({"-p", "1", "--spa", "--print-config=all"});
    ASSERT_TRUE(all) << all.error().text;
    const std::string text = all->printed.value_or("");
    for (const char* line :
         {"\n# --- When it starts ---\n", "\nport = 1\n", "\nspa = true\n", "\n#listing = false\n",
          "\n#head-timeout = \"10s\"\n", "\n#transmit-rate = 240\n", "\n#workers = ...\n"})
        EXPECT_TRUE(text.contains(line)) << line;
    EXPECT_FALSE(text.contains("config"));
    const auto document = config::parse(text, "f");
    EXPECT_EQ(printed({}, &document), printed({"-p", "1", "--spa"}));
}

TEST(ConfigPrinted, KeepsWhatASiteHasOfItsOwn) {
    const char* const text =
        "spa = true\n\n[[site]]\nhost = [\"a\", \"*.a\"]\nroot = \"/a\"\nspa = false\n\n"
        "[[site]]\ndefault = true\nroot = \"/b\"\n";
    const auto document = config::parse(text, "f");
    EXPECT_EQ(printed({}, &document), text);
    EXPECT_EQ(
        printed({"--spa=0"}, &document),
        "[[site]]\nhost = [\"a\", \"*.a\"]\nroot = \"/a\"\n\n[[site]]\ndefault = true\nroot = "
        "\"/b\"\n");
}

TEST(ConfigPrinted, HasPlaceholdersForHashes) {
    const std::string hash = "$2b$05$CCCCCCCCCCCCCCCCCCCCC.pIKrLVkBX9/OvQMSygY1pWEVn72t6na";
    const std::string text =
        "admin = \"127.0.0.1:1\"\n\n[[site]]\nhost = [\"a\"]\nroot = \"/a\"\n"
        "auth-user = [\"ada:" +
        hash + "\"]\n";
    const auto document = config::parse(text, "f");
    const auto options = read({}, &document);
    ASSERT_TRUE(options) << options.error().text;
    const std::string shown =
        "# Put a hash in place of each (hash not shown); `weir password NAME` makes one.\n\n"
        "admin = \"127.0.0.1:1\"\n\n[[site]]\nhost = [\"a\"]\nroot = \"/a\"\n"
        "auth-user = [\"ada:(hash not shown)\"]\n";
    EXPECT_EQ(options->admin_settings, shown);
    EXPECT_EQ(printed({}, &document), shown);
    const auto again = config::parse(shown, "f");
    EXPECT_TRUE(printed({}, &again).contains("f:8:14: auth-user: the text has")) << shown;
    const std::string user = "ada:" + hash;
    for (const char* option : {"--print-config", "--print-config=all"}) {
        const auto read_one = read({"--auth-user", user, option});
        ASSERT_TRUE(read_one) << read_one.error().text;
        const std::string one = read_one->printed.value_or("");
        EXPECT_FALSE(one.contains(hash)) << one;
        EXPECT_TRUE(one.contains("\nauth-user = [\"ada:(hash not shown)\"]\n")) << one;
    }
    const auto no_text = read({"--admin", "127.0.0.1:1", "-r", "/\xff"});
    ASSERT_TRUE(no_text) << no_text.error().text;
    EXPECT_TRUE(no_text->admin_settings.starts_with("# no configuration file can have"));
    EXPECT_EQ(read({})->admin_settings, "");
}

}  // namespace
}  // namespace weir::cli
