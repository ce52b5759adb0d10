#include "weir/web/extract.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "weir/web/body.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {

namespace {
enum class Colour : unsigned char { red, green };
struct Note {
    std::string title;
};
}  // namespace

template <>
struct FromText<Colour> {
    static std::optional<Colour> from(std::string_view text) {
        if (text == "red") return Colour::red;
        if (text == "green") return Colour::green;
        return std::nullopt;
    }
    static constexpr std::string_view kind = "red or green";
};

/// As a library would: {"title"} is a note.
template <>
struct Json<Note> {
    static Note read(std::string_view text) {
        if (!text.starts_with('{') || !text.ends_with('}'))
            throw std::runtime_error{"no object at \"" + std::string{text} + "\"\n\xff"};
        return {std::string{text.substr(1, text.size() - 2)}};
    }
    static std::string write(const Note& note) { return "{" + note.title + "}"; }
};

namespace {

struct Parts : ::testing::Test {
    Router router;
    Probe probe{router};

    /// The sentence of a problem.
    std::string detail_of(std::string_view target, unsigned status = 400) {
        const auto answer = probe.get(target, {{"Accept", "application/json"}});
        EXPECT_EQ(answer.status, status) << target;
        const std::string begin = "\"detail\": \"";
        const std::size_t at = answer.content.find(begin);
        if (at == std::string::npos) return answer.content;
        const std::size_t from = at + begin.size();
        return answer.content.substr(from, answer.content.find('"', from) - from);
    }
};

TEST_F(Parts, OfThePath) {
    router.get("/number/{id}",
               [](const Call& call) { return std::to_string(path_as<std::uint8_t>(call, "id")); });
    router.get("/colour/{name}", [](const Call& call) {
        return path_as<Colour>(call, "name") == Colour::red ? "0" : "1";
    });
    router.get("/text/{name}", [](const Call& call) { return path_as<std::string>(call, "name"); });
    EXPECT_EQ(probe.get("/number/255").content, "255");
    EXPECT_EQ(probe.get("/colour/green").content, "1");
    EXPECT_EQ(probe.get("/text/a%20b").content, "a b");
    EXPECT_EQ(detail_of("/number/256"), "The path's id must be a whole number from 0 on");
    EXPECT_EQ(detail_of("/number/-1"), "The path's id must be a whole number from 0 on");
    EXPECT_EQ(detail_of("/colour/blue"), "The path's name must be red or green");
}

TEST_F(Parts, OfTheQuery) {
    router.get("/", [](const Call& call) {
        const int page = query_as<int>(call, "page", 1);
        const auto size = query_as<std::optional<double>>(call, "size");
        const bool all = query_as<bool>(call, "all");
        return std::to_string(page) + (size ? " sized" : "") + (all ? " all" : "");
    });
    EXPECT_EQ(probe.get("/?all=true").content, "1 all");
    EXPECT_EQ(probe.get("/?all=0&page=-7&size=1.5").content, "-7 sized");
    EXPECT_EQ(detail_of("/"), "The query's all is missing");
    EXPECT_EQ(detail_of("/?all=maybe"), "The query's all must be true or false");
    EXPECT_EQ(detail_of("/?all=1&page=two"), "The query's page must be a whole number");
    EXPECT_EQ(detail_of("/?all=1&page="), "The query's page must be a whole number");
    EXPECT_EQ(detail_of("/?all=1&size=big"), "The query's size must be a number");
}

TEST_F(Parts, OfFieldsAndForms) {
    router.get("/field",
               [](const Call& call) { return std::to_string(field_as<int>(call, "X-Tenant")); });
    router.post("/form", [](const Call& call) {
        return std::to_string(form_as<int>(Form::of(call), "stars"));
    });
    EXPECT_EQ(probe.get("/field", {{"x-tenant", "7"}}).content, "7");
    EXPECT_EQ(detail_of("/field"), "The request's X-Tenant is missing");
    EXPECT_EQ(probe.post("/form", "stars=5").content, "5");
    EXPECT_EQ(probe.post("/form", "stars=many").status, 400u);
    EXPECT_EQ(probe.post("/form", "other=5").status, 400u);
}

TEST_F(Parts, OfJson) {
    router.post("/function", [](const Call& call) { return json_from(json_as<Note>(call)); });
    router.post("/coroutine", [](Call call) -> Task<Response> {
        const auto content = co_await call.body().all();
        co_return json_from(json_as<Note>(call, content), Status::created);
    });
    for (const char* path : {"/function", "/coroutine"}) {
        for (const char* type :
             {"application/json", "Application/JSON; charset=utf-8", "application/ld+json"})
            EXPECT_EQ(probe.post(path, "{milk}", type).content, "{milk}") << type;
        EXPECT_EQ(probe.post(path, "{milk}", "text/plain").status, 415u);
        EXPECT_EQ(probe.post(path, "{milk}", "application/jsonp").status, 415u);
        const auto wrong =
            probe.post(path, "milk", "application/json", {{"Accept", "application/problem+json"}});
        EXPECT_EQ(wrong.status, 400u);
        EXPECT_NE(wrong.content.find("The content is not the JSON that is expected: no object at "
                                     "\\\"milk\\\"??\""),
                  std::string::npos)
            << wrong.content;
    }
    EXPECT_EQ(probe.post("/function", "{a}", "application/json").field("Content-Type"),
              "application/json");
    EXPECT_EQ(probe.post("/coroutine", "{a}", "application/json").status, 201u);
    EXPECT_TRUE(probe.failures().empty());
}

TEST_F(Parts, AreCheckedTogether) {
    router.get("/", [](const Call& call) {
        Checks checks;
        checks.check(call.query("title").has_value(), "title", "must not be empty");
        checks.check(query_as<int>(call, "stars") <= 5, "stars", "must be at most 5");
        checks.done();
        return text("right");
    });
    EXPECT_EQ(probe.get("/?title=a&stars=5").content, "right");
    const auto problem = probe.get("/?stars=6", {{"Accept", "application/json"}});
    EXPECT_EQ(problem.status, 422u);
    EXPECT_EQ(
        problem.content,
        "{\"status\": 422, \"title\": \"Unprocessable Content\", \"detail\": \"title must not "
        "be empty, and stars must be at most 5\", \"errors\": [{\"name\": \"title\", "
        "\"message\": \"must not be empty\"}, {\"name\": \"stars\", \"message\": \"must be at "
        "most 5\"}]}\n");
    const auto page = probe.get("/?title=a&stars=6");
    EXPECT_NE(page.content.find("<p>stars must be at most 5.</p>"), std::string::npos);
}

TEST_F(Parts, ThatAreWrongReachOnError) {
    std::vector<std::string> names;
    router.on_error([&](const Error& error) -> std::optional<Response> {
        for (const Violation& one : error.violations) names.push_back(one.name);
        return std::nullopt;
    });
    router.get("/", []() -> Response {
        Checks checks;
        EXPECT_TRUE(checks.check(true, "a", "is right"));
        EXPECT_FALSE(checks.check(false, "b", "is wrong"));
        checks.done();
        return Response{};
    });
    EXPECT_EQ(probe.get("/").status, 422u);
    EXPECT_EQ(names, std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace weir::web
