#include <gmock/gmock.h>

#include <string>

#include "uploading.h"

namespace weir::upload {
namespace {

using testing::HasSubstr;

/// A form with files, each with a name and a content.
struct Forms : Uploading {
    static std::string form(std::initializer_list<std::pair<std::string, std::string>> files) {
        std::string text = "--x\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n";
        for (const auto& [name, content] : files)
            text += "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name +
                    "\"\r\n\r\n" + content + "\r\n";
        return text + "--x--\r\n";
    }
    web::Probe::Answer post(std::string_view target, const std::string& text,
                            const web::Probe::Fields& fields = {}) {
        return probe().post(target, text, "multipart/form-data; boundary=x", fields);
    }
    static web::Probe::Fields json() { return {{"Accept", "application/json"}}; }
};

TEST_F(Forms, PutTheirFilesIntoTheFolder) {
    tree.directory("a");
    const std::string large(500'000, 'l');
    const auto answer = post("/a/", form({{"one.txt", "1"}, {"l\xc3\xa4rge", large}}));
    EXPECT_EQ(answer.status, 303u);
    EXPECT_EQ(answer.field("Location"), "./");
    EXPECT_EQ(content("a/one.txt"), "1");
    EXPECT_EQ(content("a/l\xc3\xa4rge"), large);
    EXPECT_EQ(names(), 3);
}

TEST_F(Forms, SayWhatBecameOfEachFile) {
    tree.write("taken", "old");
    const auto answer =
        post("/", form({{"a", "1"}, {"taken", "2"}, {"../up", "3"}, {"b\\\"c", "4"}}), json());
    EXPECT_EQ(answer.status, 409u);
    EXPECT_EQ(answer.field("Content-Type"), "application/json");
    EXPECT_EQ(answer.content,
              "{\"files\":[\n"
              "{\"name\":\"a\",\"status\":201},\n"
              "{\"name\":\"taken\",\"status\":409,\"error\":\"The folder has a file of this "
              "name\"},\n"
              "{\"name\":\"../up\",\"status\":400,\"error\":\"A name has no slash: the folders of "
              "a file are not made\"},\n"
              "{\"name\":\"b\\\"c\",\"status\":201}\n]}\n");
    EXPECT_EQ(content("taken"), "old");
    EXPECT_EQ(names(), 3);
    const auto page = post("/", form({{"d", "1"}, {"taken", "2"}}));
    EXPECT_EQ(page.status, 409u);
    EXPECT_THAT(page.content,
                HasSubstr("taken: The folder has a file of this name (1 of 2 files were taken)"));
}

TEST_F(Forms, AllTakenIsASuccess) {
    const auto answer = post("/", form({{"a", "1"}}), json());
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.content, "{\"files\":[\n{\"name\":\"a\",\"status\":201}\n]}\n");
}

/// As the script of listings sends it, so that a browser asks for a password before a long file.
TEST_F(Forms, WithoutAFileAreAnEmptyListForAScript) {
    for (const std::string& empty : {std::string{"--x--\r\n"}, form({})}) {
        const auto answer = post("/", empty, json());
        EXPECT_EQ(answer.status, 200u);
        EXPECT_EQ(answer.content, "{\"files\":[\n]}\n");
    }
}

TEST_F(Forms, GoOnBehindAFileThatIsTooLarge) {
    uploads.file_bytes_max = 100'000;
    const auto answer =
        post("/", form({{"b", std::string(150'000, 'x')}, {"a", "1"}, {"c", "3"}}), json());
    EXPECT_EQ(answer.status, 413u);
    EXPECT_EQ(answer.content,
              "{\"files\":[\n"
              "{\"name\":\"b\",\"status\":413,\"error\":\"A file may have 100 KB at most\"},\n"
              "{\"name\":\"a\",\"status\":201},\n"
              "{\"name\":\"c\",\"status\":201}\n]}\n");
    EXPECT_EQ(names(), 2);
}

TEST_F(Forms, EndWhereAFileIsMuchTooLarge) {
    uploads.file_bytes_max = 10;
    const std::string text = form({{"a", "1"}, {"b", std::string(2'000, 'x')}, {"c", "3"}});
    const std::size_t half = text.size() / 2;
    for (const bool is_for_script : {true, false}) {
        web::Probe::Fields fields{{"Content-Type", "multipart/form-data; boundary=x"},
                                  {"Content-Length", std::to_string(text.size())}};
        if (is_for_script) fields.emplace_back("Accept", "application/json");
        auto exchange = probe().open("POST", "/", fields, text.substr(0, half));
        exchange.send(text.substr(half));
        const auto answer = exchange.wait();
        EXPECT_EQ(answer.status, is_for_script ? 413u : 409u);
        EXPECT_THAT(answer.content, HasSubstr(is_for_script ? "\n],\"complete\":false}\n"
                                                            : "the rest of the form was not read"));
        EXPECT_EQ(names(), 1);
    }
}

TEST_F(Forms, WithoutAFileOrMalformedAreRefused) {
    EXPECT_EQ(post("/", form({})).status, 400u);
    EXPECT_EQ(post("/", form({{"", "no name"}})).status, 400u);
    EXPECT_EQ(post("/", "--x--\r\n").status, 400u);
    EXPECT_EQ(post("/", "no form").status, 400u);
    EXPECT_EQ(probe().post("/", "a=b").status, 415u);
    const std::string whole = form({{"a", "12345"}});
    EXPECT_EQ(post("/", whole.substr(0, whole.size() - 10)).status, 400u);
    for (const std::string end : {"\r\n--x", "\r\n--x-", "\r\n--xy\r\n", "\r\n--x\r"})
        EXPECT_EQ(post("/", whole.substr(0, whole.rfind("\r\n--x--")) + end).status, 400u) << end;
    EXPECT_EQ(names(), 0);
}

TEST_F(Forms, MayHaveFilesWithTheBeginningOfTheBoundary) {
    const std::string text = "first line\r\n--xyz no delimiter\r\nsecond line";
    EXPECT_EQ(post("/", form({{"a", text}})).status, 303u);
    EXPECT_EQ(content("a"), text);
}

TEST_F(Forms, PutNothingThatHasRulesOfItsOwn) {
    tree.directory("a");
    options.leaves_out = [](const site::Candidate& one) {
        EXPECT_EQ(one.folder, "a");
        EXPECT_EQ(one.asked, "/a/");
        return one.path == "a/secret";
    };
    EXPECT_EQ(post("/a/", form({{"secret", "x"}})).status, 403u);
    EXPECT_EQ(post("/a/", form({{"open", "x"}})).status, 303u);
    EXPECT_EQ(put("/a/secret", "by its own address").status, 201u);
}

TEST_F(Forms, OfPagesOfOtherOriginsAreRefused) {
    EXPECT_EQ(post("/", form({{"a", "1"}}), {{"Origin", "http://evil.example"}}).status, 403u);
    EXPECT_EQ(names(), 0);
}

}  // namespace
}  // namespace weir::upload
