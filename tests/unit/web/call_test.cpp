#include "weir/web/call.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "weir/web/probe.h"
#include "weir/web/refusal.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

struct Calls : ::testing::Test {
    Router router;
    Probe probe{router};

    /// What `of` finds in a request to /p/<parameter>?<query>.
    template <typename Of>
    std::string found(std::string_view target, Of of, const Probe::Fields& fields = {}) {
        Router own;
        own.get("/p/{value}", [of](const Call& call) { return text(of(call)); });
        return Probe{own}.get(target, fields).content;
    }
};

template <typename Value>
std::string shown(const std::optional<Value>& value) {
    if constexpr (std::is_arithmetic_v<Value>)
        return value ? std::to_string(*value) : "nothing";
    else
        return value ? std::string{*value} : "nothing";
}

TEST_F(Calls, ParametersAreNumbers) {
    const auto as_int = [](const Call& call) { return shown(call.parameter<int>("value")); };
    EXPECT_EQ(found("/p/42", as_int), "42");
    EXPECT_EQ(found("/p/-7", as_int), "-7");
    EXPECT_EQ(found("/p/%34%32", as_int), "42");
    for (const char* const target : {"/p/4x", "/p/x", "/p/99999999999", "/p/4.5", "/p/+4"})
        EXPECT_EQ(found(target, as_int), "nothing") << target;
    const auto as_byte = [](const Call& call) {
        return shown(call.parameter<std::uint8_t>("value"));
    };
    EXPECT_EQ(found("/p/255", as_byte), "255");
    EXPECT_EQ(found("/p/256", as_byte), "nothing");
    EXPECT_EQ(found("/p/-1", as_byte), "nothing");
    EXPECT_EQ(found("/p/2.5", [](const Call& c) { return shown(c.parameter<double>("value")); }),
              "2.500000");
    EXPECT_EQ(found("/p/true", [](const Call& c) { return shown(c.parameter<bool>("value")); }),
              "1");
    EXPECT_EQ(found("/p/yes", [](const Call& c) { return shown(c.parameter<bool>("value")); }),
              "nothing");
    EXPECT_EQ(found("/p/42", [](const Call& c) { return shown(c.query<int>("other")); }),
              "nothing");
}

TEST_F(Calls, AnUnknownParameterIsAFault) {
    const auto fault = [](const Call& call) -> std::string {
        try {
            return std::string{call.parameter("vlaue")};
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
    };
    EXPECT_EQ(found("/p/42", fault), R"(the pattern "GET /p/{value}" has no parameter "vlaue")");
    router.get("/p/{value}",
               [](const Call& call) { return text(std::string{call.parameter("")}); });
    router.get("/number/{value}", [](Call call) -> Task<Response> {
        co_return text(std::to_string(call.parameter<int>("valeu").value_or(0)));
    });
    EXPECT_EQ(probe.get("/p/42").status, 500u);
    EXPECT_EQ(probe.get("/number/42").status, 500u);
}

TEST_F(Calls, OneOfSeveralRoutesMayHaveAParameter) {
    struct Marks final : Middleware {
        void after(const Call& call, Response& response) override {
            response.add("X-Has", call.has_parameter("value") ? call.parameter("value") : "none");
        }
    };
    struct Asks final : Middleware {
        void after(const Call& call, Response& response) override {
            response.add("X-Is", call.parameter("value"));
        }
    };
    router.get("/p/{value}", [] { return Response{}; }).get("/q", [] { return Response{}; });
    router.use(std::make_shared<Marks>()).group("/p").use(std::make_shared<Asks>());
    EXPECT_EQ(probe.get("/p/42").field("X-Has"), "42");
    EXPECT_EQ(probe.get("/p/42").field("X-Is"), "42");
    EXPECT_EQ(probe.get("/q").field("X-Has"), "none");
    EXPECT_EQ(probe.get("/p/42/none").status, 404u) << "there is no pattern";
}

TEST_F(Calls, QueriesAreDecoded) {
    const auto q = [](const Call& call) { return shown(call.query("q")); };
    EXPECT_EQ(found("/p/x?q=a+b%26c", q), "a b&c");
    EXPECT_EQ(found("/p/x?a=1&q=2&q=3", q), "2");
    EXPECT_EQ(found("/p/x?%71=2", q), "2");
    EXPECT_EQ(found("/p/x?q", q), "");
    EXPECT_EQ(found("/p/x?q=100%", q), "100%");
    EXPECT_EQ(found("/p/x?qq=1&&", q), "nothing");
    EXPECT_EQ(found("/p/x?q=12", [](const Call& c) { return shown(c.query<int>("q")); }), "12");
    EXPECT_EQ(found("/p/x?q=1a", [](const Call& c) { return shown(c.query<int>("q")); }),
              "nothing");
}

TEST_F(Calls, CookiesAreFound) {
    const auto c = [](const Call& call) { return shown(call.cookie("c")); };
    EXPECT_EQ(found("/p/x", c, {{"Cookie", "a=1; c=2;  d=3"}}), "2");
    EXPECT_EQ(found("/p/x", c, {{"Cookie", "a=1"}, {"Cookie", "c=\"2=3\""}}), "2=3");
    EXPECT_EQ(found("/p/x", c, {{"Cookie", "cc=1; C=2; c"}}), "nothing");
    EXPECT_EQ(found("/p/x", c), "nothing");
}

TEST_F(Calls, ContentTypesHaveNoParameters) {
    const auto type = [](const Call& call) { return call.content_type(); };
    EXPECT_EQ(found("/p/x", type, {{"Content-Type", "Text/HTML ; charset=utf-8"}}), "text/html");
    EXPECT_EQ(found("/p/x", type), "");
}

TEST_F(Calls, AFunctionIsCalledWithTheContent) {
    int calls = 0;
    router.post("/{id}", [&](const Call& call) {
        ++calls;
        return text(std::string{call.parameter("id")} + ":" + std::string{call.content()});
    });
    EXPECT_EQ(probe.post("/%61b", "hello").content, "ab:hello");
    EXPECT_EQ(probe.post("/x", "").content, "x:");
    EXPECT_EQ(calls, 2);
}

TEST_F(Calls, ContentThatIsTooLongIs413) {
    Probe small{router, {.content_bytes_max = 3}};
    router.post("/", [](const Call& call) { return text(std::string{call.content()}); });
    EXPECT_EQ(small.post("/", "abc").content, "abc");
    EXPECT_EQ(small.post("/", "abcd").status, 413u);
}

TEST_F(Calls, AFunctionAtTheHeadDecidesOnTheContent) {
    router.post("/", [](const Call& call) -> http::Reply {
        if (call.field("X-Key") != "secret") return Response{Status::forbidden};
        if (call.request().content_pending()) return http::ReadContent{};
        return text(std::string{call.content()});
    });
    EXPECT_EQ(probe.open("POST", "/", {{"Content-Length", "1000000"}}).wait().status, 403u);
    EXPECT_EQ(probe.ask("POST", "/", {{"X-Key", "secret"}}, "abc").content, "abc");
}

TEST_F(Calls, AnExceptionIsA500) {
    router.get("/", [](const Call&) -> Response { throw std::runtime_error{"no"}; });
    EXPECT_EQ(probe.get("/").status, 500u);
}

TEST_F(Calls, ARefusalIsItsAnswer) {
    router.get("/function", [](const Call&) -> Response {
        throw Refusal{Status::conflict, "It is <there> already"};
    });
    router.get("/coroutine", [](Call) -> Task<Response> {
        throw Refusal{Status::gone, "It was there"};
        co_return Response{};
    });
    const auto answer = probe.get("/function");
    EXPECT_EQ(answer.status, 409u);
    EXPECT_NE(answer.content.find("It is &lt;there&gt; already."), std::string::npos);
    EXPECT_EQ(probe.get("/coroutine").status, 410u);
}

TEST_F(Calls, KnowsThePeer) {
    EXPECT_EQ(found("/p/x", [](const Call& call) { return call.peer_address(); }), "192.0.2.7");
}

}  // namespace
}  // namespace weir::web
