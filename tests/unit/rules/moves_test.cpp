#include "rules/moves/moves.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "site/path/target_path.h"

namespace weir::rules {
namespace {

Move redirect(std::string_view text) {
    auto move = Move::parse_redirect(text);
    if (!move) throw std::invalid_argument{move.error()};
    return std::move(*move);
}

struct Request {
    std::string_view target;
    std::string_view host = "example.org";
    std::string_view method = "GET";
    std::string_view origin = "http://example.org";
};

/// Where a request is sent; empty: nowhere.
std::string sent(const std::vector<Move>& moves, const Request& request) {
    const std::size_t question = std::min(request.target.find('?'), request.target.size());
    const auto path = site::decoded_path(request.target.substr(0, question));
    const auto query = request.target.substr(std::min(question + 1, request.target.size()));
    const auto found = find_destination(moves,
                                        {.method = request.method,
                                         .host = request.host,
                                         .path = path ? std::string_view{*path} : "",
                                         .query = query},
                                        request.origin);
    return found ? found->target : "";
}
std::string sent(std::string_view move, const Request& request) {
    std::vector<Move> moves;
    moves.push_back(redirect(move));
    return sent(moves, request);
}

TEST(Moves, PutWhatWildcardsMatchInTheTarget) {
    EXPECT_EQ(sent("/old/{page}: /new/{page}", {"/old/a"}), "/new/a");
    EXPECT_EQ(sent("/old/{page}: /new/{page}", {"/old/a/b"}), "");
    EXPECT_EQ(sent("/old/{page}: /new/{page}", {"/old/"}), "");
    EXPECT_EQ(
        sent("/{year}/{month}/{rest...}: /archive/{rest...}/{month}-{year}", {"/2026/11/a/b"}),
        "/archive/a/b/11-2026");
    EXPECT_EQ(sent("/{rest...}: https://new.example.org/{rest}", {"/a/b/"}),
              "https://new.example.org/a/b/");
    EXPECT_EQ(sent("/search/{word}: /find?q={word}#top", {"/search/a"}), "/find?q=a#top");
}

TEST(Moves, ASlashIsJustASlash) {
    EXPECT_EQ(sent("/: /home", {"/"}), "/home");
    EXPECT_EQ(sent("/: /home", {"/a"}), "");
    EXPECT_EQ(sent("/a/: /b", {"/a/"}), "/b");
    EXPECT_EQ(sent("/a/: /b", {"/a"}), "");
    EXPECT_EQ(sent("/a: /b", {"/a/"}), "");
}

TEST(Moves, KeepTheQuery) {
    EXPECT_EQ(sent("/a: /b", {"/a?x=1&y"}), "/b?x=1&y");
    EXPECT_EQ(sent("/a: /b?z", {"/a?x=1"}), "/b?z&x=1");
    EXPECT_EQ(sent("/a: /b#c", {"/a?x=1"}), "/b?x=1#c");
}

TEST(Moves, NothingThatIsCapturedLeavesItsPlace) {
    EXPECT_EQ(sent("/{rest...}: /{rest...}", {"//evil.com/x"}), "") << "it is there already";
    EXPECT_EQ(sent("/go/{rest...}: /{rest...}", {"/go//evil.com"}), "/evil.com");
    EXPECT_EQ(sent("/go/{a}/{rest...}: /{rest...}/{a}", {"/go/evil.com/"}), "/evil.com");
    EXPECT_EQ(sent("/go/{rest...}: /{rest...}", {"/go/%5Cevil.com"}), "/%5Cevil.com");
    EXPECT_EQ(sent("/go/{rest...}: /{rest...}", {"/go/%2e%2e/x"}), "");
    EXPECT_EQ(sent("/go/{a}: /x/{a}", {"/go/%0d%0aSet-Cookie:%20a"}), "/x/%0D%0ASet-Cookie:%20a");
    EXPECT_EQ(sent("/go/{a}: /x/{a}", {"/go/%3Fq%23f%25"}), "/x/%3Fq%23f%25");
    EXPECT_EQ(sent("/go/{a}: /x?q={a}", {"/go/a%26b=c%23d+e"}), "/x?q=a%26b%3Dc%23d%2Be");
    EXPECT_EQ(sent("/go/{a}: https://example.com/{a}", {"/go/@evil.com"}),
              "https://example.com/@evil.com");
}

TEST(Moves, MatchHowEverAPathIsSpelled) {
    EXPECT_EQ(sent("/\xc3\xbc/{a}: /u/{a}", {"/%C3%BC/%61"}), "/u/a");
    EXPECT_EQ(sent("/a/b: /c", {"/a//x/../b"}), "/c");
}

TEST(Moves, AskForMethodAndHost) {
    EXPECT_EQ(sent("GET /a: /b", {.target = "/a", .method = "HEAD"}), "/b");
    EXPECT_EQ(sent("GET /a: /b", {.target = "/a", .method = "POST"}), "");
    EXPECT_EQ(sent("www.example.org/{rest...}: https://example.org/{rest...}",
                   {.target = "/a", .host = "www.example.org"}),
              "https://example.org/a");
    EXPECT_EQ(sent("www.example.org/a: /b", {"/a"}), "");
}

TEST(Moves, TheFirstThatMatchesWins) {
    std::vector<Move> moves;
    moves.push_back(redirect("/a/b: /first"));
    moves.push_back(redirect("/a/{x}: 308 /second/{x}"));
    EXPECT_EQ(sent(moves, {"/a/b"}), "/first");
    EXPECT_EQ(sent(moves, {"/a/c"}), "/second/c");
    EXPECT_EQ(http::code(moves[0].status), 302u);
    EXPECT_EQ(http::code(moves[1].status), 308u);
}

TEST(Moves, NobodyIsSentToWhereHeIs) {
    const char* const canonical = "/{rest...}: https://Example.org:443/{rest...}";
    EXPECT_EQ(sent(canonical, {"/a?b"}), "https://example.org/a?b");
    EXPECT_EQ(sent(canonical, {.target = "/a?b", .origin = "https://example.org"}), "");
    EXPECT_EQ(sent("/{rest...}: /a", {"/a"}), "");
}

TEST(Moves, WithoutAnEndAreFound) {
    const auto endless = [](const std::vector<const char*>& texts) {
        std::vector<Move> moves;
        for (const char* const text : texts) moves.push_back(redirect(text));
        return find_endless(moves);
    };
    EXPECT_EQ(endless({"/a: /b", "/b: /a"}), "/a");
    EXPECT_EQ(endless({"/x: /y", "/{rest...}: /z/{rest...}"}), "/x");
    EXPECT_EQ(endless({"/a: /a?b=c"}), "/a");
    EXPECT_EQ(endless({"/{x...}: /{x}{x}{x}{x}{x}{x}{x}"}), "/{x...}") << "it grows";
    EXPECT_EQ(endless({"/a: /b", "/b: /c", "/{rest...}: /c"}), "");
    EXPECT_EQ(endless({"/old/{page}: /new/{page}", "/: /home"}), "");
    EXPECT_EQ(endless({"/{rest...}: https://example.com/{rest...}"}), "");
}

TEST(Moves, WhatIsWrongIsSaid) {
    for (const char* const text : {"",
                                   "/a",
                                   "/a /b",
                                   "a: /b",
                                   "/a: b",
                                   "/a: //b",
                                   "/a: 200 /b",
                                   "/a: 301",
                                   "/a: 3020 /b",
                                   "/{a: /b",
                                   "/{a}: /{b}",
                                   "/{a}: /{a",
                                   "/{a}: /a}",
                                   "/{a}: /{}",
                                   "/a: http://",
                                   "/a: http://a b/",
                                   "/{a}: http://{a}/",
                                   "/{a}: http://h{a}/",
                                   "/{rest...}/a: /b",
                                   "/a: /b\r\nX: y",
                                   "/a: ftp://h/",
                                   "/a: /\x7f"})
        EXPECT_FALSE(Move::parse_redirect(text).has_value()) << text;
    EXPECT_FALSE(Move::parse_rewrite("/a: https://example.org/b").has_value());
    EXPECT_FALSE(Move::parse_rewrite("/a: /b#c").has_value());
    EXPECT_FALSE(Move::parse_rewrite("/a: 301 /b").has_value());
    EXPECT_EQ(Move::parse_redirect("/{a}: /{b}").error(),
              "the target '/{b}' uses {b}, which the pattern does not have");
}

}  // namespace
}  // namespace weir::rules
