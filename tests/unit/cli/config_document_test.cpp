#include "cli/config/document.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "unit/site/temporary_tree.h"

namespace weir::cli::config {
namespace {

std::string shown(const Table& table) {
    std::string text;
    for (const Entry& entry : table) {
        text += std::to_string(entry.place.line) + ':' + std::to_string(entry.place.column) + ' ' +
                entry.key + (entry.is_list ? " [" : " ");
        for (const Value& value : entry.values)
            text += std::to_string(static_cast<int>(value.kind)) + value.text + '@' +
                    std::to_string(value.place.line) + ':' + std::to_string(value.place.column) +
                    ' ';
    }
    return text;
}

std::string problem_in(std::string_view text) {
    const Document document = parse(text, "f");
    if (document.problems.empty()) return {};
    return document.at(document.problems.front().place) + ' ' + document.problems.front().text;
}

TEST(ConfigDocument, HasItsEntriesInTheOrderOfTheFile) {
    const Document document = parse("z = 1\na = [\"x\",\n  'y']\nm = true\n", "f");
    EXPECT_TRUE(document.problems.empty());
    EXPECT_EQ(shown(document.entries), "1:1 z 11@1:5 2:1 a [0x@2:6 0y@3:3 4:1 m 2true@4:5 ");
}

TEST(ConfigDocument, HasItsSites) {
    const Document document = parse("a = 1\n[[site]]\nroot = 'x'\n[[site]]\nroot = 'y'\n", "f");
    ASSERT_EQ(document.sites.size(), 2u);
    EXPECT_EQ(document.sites[0].place.line, 2u);
    EXPECT_EQ(shown(document.sites[1].entries), "5:1 root 0y@5:8 ");
}

TEST(ConfigDocument, NamesWhatNoOptionTakes) {
    const Document document =
        parse("a = 1.5\nb = {c = 1}\nd = [[1]]\ne = 2026-01-01\nf = 10:00:00\n", "f");
    EXPECT_EQ(shown(document.entries),
              "1:1 a 3a number with a fraction@1:5 2:1 b 3a table@2:5 3:1 d [3a list@3:6 "
              "4:1 e 3a date@4:5 5:1 f 3a time of day@5:5 ");
}

TEST(ConfigDocument, SaysWhereItIsWrong) {
    EXPECT_EQ(problem_in("a = 1\nb = \n").substr(0, 14), "f:2:5 not TOML");
    EXPECT_TRUE(problem_in("a = 1\na = 2\n").starts_with("f:2:"));
    EXPECT_TRUE(problem_in("a = \"\xff\"\n").starts_with("f:1:"));
    EXPECT_TRUE(problem_in("a = 1\xc3\xa4\n").starts_with("f:1:6 not TOML"));
    EXPECT_TRUE(problem_in("\xc3\xa4 = 1\n").starts_with("f:1:1 not TOML"));
    EXPECT_TRUE(problem_in("[:]\n").starts_with("f:1:2 not TOML"));
    EXPECT_EQ(problem_in("site = 1\n"), "f:1:1 site: a site is a table of its own: [[site]]");
    EXPECT_EQ(problem_in("[site]\nroot = 'x'\n"),
              "f:1:2 site: a site is a table of its own: [[site]]");
}

TEST(ConfigDocument, HasALimitOfSites) {
    std::string text;
    for (std::size_t count = 0; count < sites_max; ++count) text += "[[site]]\n";
    EXPECT_EQ(problem_in(text), "");
    EXPECT_TRUE(problem_in(text + "[[site]]\n").contains("more than 64 sites"));
}

std::string repeated(std::string_view part, std::size_t times) {
    std::string text;
    for (; times > 0; --times) text += part;
    return text;
}

TEST(ConfigDocument, HasALimitOfTablesInTables) {
    const std::string too_many = "more dots outside quotes than 1000; no key has one";
    EXPECT_EQ(problem_in("x" + repeated(".x", dots_max) + " = 1\n"), "");
    EXPECT_EQ(problem_in("\n\xc3\xa4" + repeated(".x", dots_max + 1)), "f:2:2002 " + too_many);
    EXPECT_EQ(problem_in("[x" + repeated(".x", 500'000) + "]\n"), "f:1:2003 " + too_many);
    EXPECT_TRUE(problem_in("''" + repeated(".''", 300'000) + " = 1\n").ends_with(too_many));
    EXPECT_TRUE(problem_in("a = {x" + repeated(".x", 500'000) + " = 1}").ends_with(too_many));
}

TEST(ConfigDocument, HasAnyNumberOfDotsInTextsAndComments) {
    const std::string dots(2 * dots_max, '.');
    for (const std::string quotes : {"\"", "'", "\"\"\"", "'''"}) {
        SCOPED_TRACE(quotes);
        EXPECT_EQ(problem_in("a = " + quotes + dots + quotes + '\n'), "");
    }
    EXPECT_EQ(problem_in("a = '\\' # '" + dots + "\nb = \"\\\"" + dots + "\" # " + dots), "");
    EXPECT_EQ(problem_in("a = '''\n''" + dots + "'''''\nb = \"\"\"\\\"\"\"" + dots + "\"\"\""), "");
}

TEST(ConfigDocument, FindsDotsBehindTexts) {
    const std::string dots = repeated(".x", dots_max + 1);
    for (const std::string text : {"''", "'\\'", R"("\\")", R"("\"")", "''''''", "''''a'''''",
                                   R"("""a"""")", R"("""\\"""")"}) {
        SCOPED_TRACE(text);
        EXPECT_TRUE(problem_in("a = {b = " + text + ", c" + dots + " = 1}").contains("more dots"));
        EXPECT_EQ(problem_in("a = {b = " + text + ", c = 1}"), "");
    }
}

TEST(ConfigDocument, HasALimitOfBytes) {
    const site::TemporaryTree tree;
    tree.write("f", std::string(bytes_max, '#'));
    EXPECT_TRUE(read(tree.at("f")).problems.empty());
    tree.write("f", std::string(bytes_max + 1, '#'));
    EXPECT_EQ(read(tree.at("f")).problems.front().text,
              "the file can't be read: it is larger than 1M");
}

TEST(ConfigDocument, ThatCanNotBeReadHasAProblem) {
    EXPECT_EQ(read("/nowhere/f").problems.size(), 1u);
    EXPECT_EQ(read("/").problems.front().text, "the file can't be read: Is a directory");
    EXPECT_EQ(read("/dev/zero").problems.front().text,
              "the file can't be read: it is not a regular file");
}

TEST(ConfigDocument, DoesNotWaitForTheWriterOfAFifo) {
    const site::TemporaryTree tree;
    ASSERT_EQ(::mkfifo(tree.at("fifo").c_str(), 0600), 0);
    EXPECT_EQ(read(tree.at("fifo")).problems.front().text,
              "the file can't be read: it is not a regular file");
}

}  // namespace
}  // namespace weir::cli::config
