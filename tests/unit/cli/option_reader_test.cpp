#include "cli/options/option_reader.h"

#include <gtest/gtest.h>

#include "cli/help/help.h"
#include "variable.h"

namespace weir::cli {
namespace {

using Texts = std::vector<std::string>;

/// One option of each kind, and the values that they got.
struct Kinds {
    Kinds() {
        reader.group("Kinds");
        reader.value("PATH", "", path, parse_text, "A positional");
        reader.values("-m,--many", "NAME", many, parse_text, "Can be repeated");
        reader.optional_values("--cors", "ORIGIN", origins, parse_text, "*", "May have a value");
        reader.flag("-f,--flag", flag, "Has none");
        reader.help_flag();
    }

    /// Returns the text of the error, or an empty string.
    std::string read(const Texts& arguments) {
        const auto read = reader.read(arguments, [] {});
        return read ? "" : read.error().text;
    }

    std::string path;
    Texts many;
    Texts origins;
    bool flag = false;
    OptionReader reader{{.command = "kinds",
                         .summary = "try options",
                         .usage = "[PATH] [option...]",
                         .description = "Tries options.",
                         .is_server = true}};
};

TEST(OptionReader, TakesAValueThatMayBeLeftOut) {
    const std::string one = "https://a.example";
    const std::vector<std::pair<Texts, Texts>> cases{
        {{"--cors"}, {"*"}},
        {{"--cors=" + one}, {one}},
        {{"--cors=null="}, {"null="}},
        {{"--cors", one}, {one}},
        {{"--cors", "*", "site"}, {"*"}},
        {{"--cors", one, "--cors", "null"}, {one, "null"}},
        {{"--cors", "site"}, {"*"}},  // "site" is a PATH
        {{"--cors", "-f"}, {"*"}},
        {{"--cors=0"}, {}},
    };
    for (const auto& [arguments, origins] : cases) {
        Kinds kinds;
        EXPECT_EQ(kinds.read(arguments), "");
        EXPECT_EQ(kinds.origins, origins) << testing::PrintToString(arguments);
        EXPECT_EQ(kinds.path, arguments.back() == "site" ? "site" : "");
    }
}

TEST(OptionReader, ReadsSuchAVariable) {
    const std::vector<std::pair<std::string, Texts>> cases{
        {"1", {"*"}}, {"0", {}}, {"a://b\nc://d", {"a://b", "c://d"}}};
    for (const auto& [text, origins] : cases) {
        const Variable variable{"WEIR_CORS", text};
        Kinds kinds;
        EXPECT_EQ(kinds.read({}), "");
        EXPECT_EQ(kinds.origins, origins) << text;
    }
}

TEST(OptionReader, TakesShortOptionsTogether) {
    Kinds kinds;
    EXPECT_EQ(kinds.read({"-fma", "-m", "b", "--many=c", "-f"}), "");
    EXPECT_TRUE(kinds.flag);
    EXPECT_EQ(kinds.many, (Texts{"a", "b", "c"}));
}

TEST(OptionReader, ExplainsEachKind) {
    const std::string text = Kinds{}.read({"-h"});
    EXPECT_EQ(text, help(Kinds{}.reader.page()));
    for (const char* line : {"\nusage: weir kinds [PATH] [option...]\n", "\nKinds:\n",
                             "\n  -m, --many NAME               Can be repeated\n",
                             "\n      --cors[=ORIGIN]           May have a value\n",
                             "\n  -f, --flag                    Has none\n"})
        EXPECT_TRUE(text.contains(line)) << text << " lacks " << line;
}

}  // namespace
}  // namespace weir::cli
