#include "weir/web/error.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/web/await.h"
#include "weir/web/body.h"
#include "weir/web/probe.h"
#include "weir/web/ready_middleware.h"
#include "weir/web/refusal.h"
#include "weir/web/resource.h"
#include "weir/web/router.h"
#include "weir/web/websocket.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

std::string kind_name(Error::Kind kind) {
    switch (kind) {
        case Error::Kind::refused: return "refused";
        case Error::Kind::threw: return "threw";
        case Error::Kind::no_route: return "no_route";
        case Error::Kind::unknown: return "unknown";
        case Error::Kind::limited: return "limited";
        case Error::Kind::unanswered: return "unanswered";
        case Error::Kind::too_long: return "too_long";
        case Error::Kind::too_slow: return "too_slow";
        case Error::Kind::malformed: return "malformed";
        case Error::Kind::timed_out: return "timed_out";
    }
    return "?";
}

/// Adds a field to each response.
struct Marked final : Middleware {
    void after(const Call&, Response& response) override { response.add("X-Marked", "yes"); }
};

/// Each path ends in another way.
struct Errors : ::testing::Test {
    Router router;
    std::vector<Call> kept;
    Probe probe{router, {.content_bytes_max = 10}, {.handler = 20s}};

    Errors() {
        router.get("/function", []() -> Response { throw std::runtime_error{"no luck"}; });
        router.get("/callback", [](Call) { throw std::runtime_error{"no luck"}; });
        router.get("/coroutine", [](Call) -> Task<Response> {
            co_await sleep_for(0ms);
            throw std::runtime_error{"no luck"};
        });
        router.get("/later", [](Call) -> Task<Response> {
            co_await sleep_for(1s);
            throw std::runtime_error{"no luck"};
        });
        router.get("/head",
                   [](const Call&) -> http::Reply { throw std::runtime_error{"no luck"}; });
        router.get("/id/{id}", [] { return text("id"); });
        router.get("/kept", [this](Call call) { kept.push_back(std::move(call)); });
        router.post("/content", [](const Call& call) { return std::string{call.content()}; });
        router.post("/body", [](Call call) -> Task<Response> {
            co_return text(std::string{co_await call.body().all()});
        });
        router.get("/slow", [](Call) -> Task<Response> {
            co_await sleep_for(1h);
            co_return Response{};
        });
    }

    /// Each response names its error.
    void name_errors() {
        router.on_error([](const Error& error) {
            Response response =
                text(kind_name(error.kind) + ": " + std::string{error.detail}, error.status);
            response.add("X-Path", error.call.path());
            return response;
        });
    }
    Probe::Answer wait_for(std::string_view target, std::chrono::milliseconds time) {
        auto exchange = probe.open("GET", target);
        probe.advance(time);
        return exchange.wait();
    }
};

TEST_F(Errors, ExceptionsOfEveryFormAreOne) {
    name_errors();
    router.use(std::make_shared<Marked>());
    for (const char* path : {"/function", "/callback", "/coroutine", "/head", "/later"}) {
        const auto answer = wait_for(path, 2s);
        EXPECT_EQ(answer.status, 500u) << path;
        EXPECT_EQ(answer.content, "threw: ") << path;
        EXPECT_EQ(answer.field("X-Path"), path);
        EXPECT_EQ(answer.field("X-Marked"), "yes") << path;
        ASSERT_FALSE(probe.failures().empty()) << path;
        EXPECT_EQ(probe.failures().back(),
                  std::string{"the handler threw an exception for GET "} + path + ": no luck");
    }
    EXPECT_EQ(probe.failures().size(), 5u);
}

TEST_F(Errors, AreTheSameWithoutMiddleware) {
    name_errors();
    for (const char* path : {"/function", "/callback", "/coroutine", "/head"})
        EXPECT_EQ(probe.get(path).content, "threw: ") << path;
    EXPECT_EQ(probe.failures().size(), 4u);
}

TEST_F(Errors, RefusalsOfEveryFormAreOne) {
    router.get("/f", []() -> Response { throw Refusal{Status::conflict, "It is taken"}; });
    router.get("/c", [](Call) { throw Refusal{Status::conflict, "It is taken"}; });
    router.get("/co", [](Call) -> Task<Response> {
        co_await sleep_for(1s);
        throw Refusal{Status::conflict, "It is taken"};
    });
    for (const char* path : {"/f", "/c", "/co"}) {
        const auto answer = wait_for(path, 2s);
        EXPECT_EQ(answer.status, 409u) << path;
        EXPECT_NE(answer.content.find("<p>It is taken.</p>"), std::string::npos) << path;
    }
    name_errors();
    for (const char* path : {"/f", "/c", "/co"})
        EXPECT_EQ(wait_for(path, 2s).content, "refused: It is taken") << path;
    EXPECT_TRUE(probe.failures().empty()) << "a refusal is no failure of the server";
}

TEST_F(Errors, MiddlewareMayRefuseAndThrow) {
    struct Strict final : Middleware {
        std::optional<Response> before(const Call& call) override {
            if (call.query("refuse")) throw Refusal{Status::forbidden, "Not you"};
            if (call.query("throw")) throw std::runtime_error{"no luck"};
            return std::nullopt;
        }
        void after(const Call& call, Response&) override {
            if (call.query("late")) throw std::runtime_error{"no luck after"};
        }
    };
    router.get("/", [] { return Response{}; });
    router.use(std::make_shared<Marked>()).use(std::make_shared<Strict>());
    name_errors();
    for (const auto& [target, status, content] :
         std::vector<std::tuple<const char*, unsigned, const char*>>{
             {"/?refuse", 403, "refused: Not you"},
             {"/?throw", 500, "threw: "},
             {"/?late", 500, "threw: "},
             {"/none?refuse", 403, "refused: Not you"},
             {"/none?late", 500, ""},
             {"/function?late", 500, ""}}) {
        const auto answer = probe.get(target);
        EXPECT_EQ(answer.status, status) << target;
        EXPECT_EQ(answer.field("X-Marked"), "yes") << target;
        if (*content != '\0') {
            EXPECT_EQ(answer.content, content) << target;
        }
    }
    EXPECT_EQ(probe.failures().size(), 4u);
    EXPECT_EQ(probe.failures().back(),
              "the handler threw an exception for GET /function?late: no luck after");
}

TEST_F(Errors, AddressesWithoutARoute) {
    name_errors();
    EXPECT_EQ(probe.get("/none").content, "no_route: ");
    EXPECT_EQ(probe.get("/none").status, 404u);
    const auto method = probe.ask("DELETE", "/content");
    EXPECT_EQ(method.status, 405u);
    EXPECT_EQ(method.content, "no_route: ");
    EXPECT_EQ(method.field("Allow"), "POST, OPTIONS");
    EXPECT_EQ(probe.get("/id/%zz").status, 400u);
    EXPECT_EQ(probe.get("/id/%zz").content, "no_route: The path of the request is malformed");
    EXPECT_TRUE(probe.failures().empty());
}

TEST_F(Errors, OfReadyMiddleware) {
    name_errors();
    router.use(std::make_shared<Marked>());
    router.group("/secret").use(basic_auth("a", [](auto, auto) { return false; }));
    router.group("/token").use(bearer_auth("a", [](auto) { return std::optional<std::string>{}; }));
    router.group("/often").use(rate_limit({.per_second = 1, .burst = 1}));
    for (const char* path : {"/secret/", "/token/"}) {
        const auto answer = probe.get(path);
        EXPECT_EQ(answer.status, 401u) << path;
        EXPECT_EQ(answer.content, "unknown: ") << path;
        EXPECT_NE(answer.field("WWW-Authenticate"), "") << path;
        EXPECT_EQ(answer.field("X-Marked"), "yes") << path;
    }
    EXPECT_EQ(probe.get("/often/").content, "no_route: ");
    const auto limited = probe.get("/often/");
    EXPECT_EQ(limited.status, 429u);
    EXPECT_EQ(limited.content, "limited: ");
    EXPECT_EQ(limited.field("Retry-After"), "1");
}

TEST_F(Errors, ADestroyedCall) {
    name_errors();
    auto exchange = probe.open("GET", "/kept");
    kept.clear();
    const auto answer = exchange.wait();
    EXPECT_EQ(answer.status, 500u);
    EXPECT_EQ(answer.content, "unanswered: ");
    EXPECT_EQ(probe.failures(),
              std::vector<std::string>{
                  "the handler destroyed its Call without a response for GET /kept"});
}

TEST_F(Errors, ContentBeyondItsLimit) {
    name_errors();
    router.use(std::make_shared<Marked>());
    for (const char* path : {"/content", "/body"}) {
        EXPECT_EQ(probe.post(path, "short").content, "short");
        const auto answer = probe.post(path, "longer than ten");
        EXPECT_EQ(answer.status, 413u) << path;
        EXPECT_EQ(answer.content, "too_long: The content is too long") << path;
        EXPECT_EQ(answer.field("X-Marked"), "yes") << path;
        const auto chunked = probe.ask("POST", path, {{"Transfer-Encoding", "chunked"}},
                                       "14\r\n01234567890123456789");
        EXPECT_EQ(chunked.status, 413u) << path;
        EXPECT_EQ(chunked.content, "too_long: The content is too long") << path;
    }
    EXPECT_TRUE(probe.failures().empty());
}

TEST_F(Errors, ContentThatIsTooSlow) {
    name_errors();
    for (const char* path : {"/content", "/body"}) {
        auto exchange = probe.open("POST", path, {{"Content-Length", "9"}}, "part");
        probe.advance(1h);
        EXPECT_EQ(exchange.answer().status, 408u) << path;
        EXPECT_EQ(exchange.answer().content, "too_slow: The content took too long to arrive");
    }
}

TEST_F(Errors, TimeOfTheHandler) {
    name_errors();
    router.use(std::make_shared<Marked>());
    const auto core = wait_for("/slow", 21s);
    EXPECT_EQ(core.status, 503u);
    EXPECT_EQ(core.content, "timed_out: The server took too long to answer");
    EXPECT_EQ(core.field("X-Marked"), "yes");
    router.use(time_limit(1s));
    const auto own = wait_for("/slow", 2s);
    EXPECT_EQ(own.content, "timed_out: The server took too long to answer this request");
    EXPECT_EQ(probe.failures(),
              (std::vector<std::string>{"the handler took too long for GET /slow",
                                        "the handler took too long for GET /slow"}));
}

TEST_F(Errors, FunctionMayLeaveTheUsualResponse) {
    router.on_error([](const Error& error) -> std::optional<Response> {
        if (error.status == Status::not_found) return text("nothing here", error.status);
        return std::nullopt;
    });
    EXPECT_EQ(probe.get("/none").content, "nothing here");
    EXPECT_NE(probe.get("/function").content.find("500 Internal Server Error"), std::string::npos);
}

TEST_F(Errors, FunctionThatThrows) {
    router.on_error(
        [](const Error&) -> std::optional<Response> { throw std::runtime_error{"in on_error()"}; });
    router.use(std::make_shared<Marked>());
    const auto answer = probe.get("/none");
    EXPECT_EQ(answer.status, 500u);
    EXPECT_EQ(answer.field("X-Marked"), "yes");
    EXPECT_EQ(probe.failures(), std::vector<std::string>{
                                    "the handler threw an exception for GET /none: in on_error()"});
}

TEST_F(Errors, RefusalsWithoutAnExceptionAreOnesToo) {
    router.get("/resource", [](const Call& call) {
        return resource(call, "text/plain", {.entity_tag = "\"a\""}, "content");
    });
    router.get("/missing", [](const Call& call) {
        return resource_file(call, "text/plain", "/none/such/file");
    });
    router.get("/socket", [](const Call& call) {
        return websocket(call, [](WebSocket) -> Task<> { co_return; });
    });
    const auto content = [&](std::string_view path, std::string_view name, std::string_view value) {
        return probe.get(path, {{std::string{name}, std::string{value}}});
    };
    EXPECT_EQ(content("/resource", "Accept", "application/json").content, "content");
    const auto problem = probe.get("/missing", {{"Accept", "application/json"}});
    EXPECT_EQ(problem.field("Content-Type"), "application/problem+json");
    name_errors();
    const auto unmet = content("/resource", "If-Match", "\"b\"");
    EXPECT_EQ(unmet.status, 412u);
    EXPECT_EQ(unmet.content, "refused: ");
    const auto beyond = content("/resource", "Range", "bytes=9-");
    EXPECT_EQ(beyond.status, 416u);
    EXPECT_EQ(beyond.content, "refused: ");
    EXPECT_EQ(beyond.field("Content-Range"), "bytes */7");
    EXPECT_EQ(content("/missing", "Accept", "*/*").content, "refused: ");
    const auto socket = content("/socket", "Accept", "*/*");
    EXPECT_EQ(socket.status, 426u);
    EXPECT_EQ(socket.content, "refused: This address speaks WebSocket, and nothing else");
    EXPECT_EQ(socket.field("Sec-WebSocket-Version"), "13");
}

TEST_F(Errors, SeesTheException) {
    std::string seen;
    router.on_error([&](const Error& error) -> std::optional<Response> {
        try {
            std::rethrow_exception(error.exception);
        } catch (const std::runtime_error& thrown) {
            seen = thrown.what();
        }
        return std::nullopt;
    });
    EXPECT_EQ(probe.get("/function").status, 500u);
    EXPECT_EQ(seen, "no luck");
}

TEST_F(Errors, AreProblemsWhereAcceptPrefersJson) {
    for (const char* accept :
         {"application/json", "application/problem+json", "text/html;q=0.5, application/json",
          "application/json, */*;q=0.1"}) {
        const auto answer = probe.get("/none", {{"Accept", accept}});
        EXPECT_EQ(answer.status, 404u);
        EXPECT_EQ(answer.field("Content-Type"), "application/problem+json") << accept;
        EXPECT_EQ(answer.field("Vary"), "Accept");
        EXPECT_EQ(answer.content, "{\"status\": 404, \"title\": \"Not Found\"}\n");
    }
    for (const char* accept : {"*/*", "text/html", "text/html, application/json", "image/png"})
        EXPECT_EQ(probe.get("/none", {{"Accept", accept}}).field("Content-Type"),
                  "text/html; charset=utf-8")
            << accept;
    const auto threw = probe.get("/function", {{"Accept", "application/json"}});
    EXPECT_EQ(threw.content, "{\"status\": 500, \"title\": \"Internal Server Error\"}\n");
}

TEST_F(Errors, MemoryThatRunsOutIsNoError) {
    bool is_asked = false;
    router.on_error([&](const Error&) -> std::optional<Response> {
        is_asked = true;
        return std::nullopt;
    });
    router.get("/full", []() -> Response { throw std::bad_alloc{}; });
    EXPECT_EQ(probe.get("/full").status, 503u);
    EXPECT_FALSE(is_asked);
}

TEST_F(Errors, OfAMountedHandlerAreThoseOfTheRouter) {
    struct Throws final : http::Handler {
        http::Reply handle(const http::Request&) override { throw std::runtime_error{"no luck"}; }
    };
    router.mount("/below", std::make_unique<Throws>());
    name_errors();
    const auto answer = probe.get("/below/a");
    EXPECT_EQ(answer.content, "threw: ");
    EXPECT_EQ(answer.field("X-Path"), "/below/a") << "as the outer router sees it";
}

TEST_F(Errors, OfAMountedRouterAreItsOwn) {
    name_errors();
    Router outer;
    outer.mount("/api", router);
    outer.use(std::make_shared<Marked>());
    outer.on_error([](const Error&) { return text("of the outer one"); });
    Probe from_outside{outer};
    for (const char* path : {"/api/none", "/api/function", "/api/coroutine"}) {
        const auto answer = from_outside.get(path);
        EXPECT_NE(answer.content, "of the outer one") << path;
        EXPECT_EQ(answer.field("X-Marked"), "yes") << path;
    }
    EXPECT_EQ(from_outside.failures().size(), 2u);
    EXPECT_EQ(from_outside.get("/none").content, "of the outer one");
    outer.use([](const Call& call, Response&) {
        if (call.query("late")) throw std::runtime_error{"no luck after"};
    });
    const auto both = from_outside.get("/api/function?late");
    EXPECT_EQ(both.status, 500u);
    EXPECT_EQ(both.field("X-Marked"), "yes");
}

}  // namespace
}  // namespace weir::web
