#include "weir/web/ready_middleware.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "weir/web/await.h"
#include "weir/web/body.h"
#include "weir/web/error.h"
#include "weir/web/next.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

struct Ready : ::testing::Test {
    Router router;
    Probe probe{router};

    Ready() {
        router.get("/user", [](const Call& call) { return text(std::string{call.user()}); });
    }
    std::string user(const char* authorization) {
        const auto answer = probe.get("/user", {{"Authorization", authorization}});
        return answer.status == 200 ? answer.content : std::to_string(answer.status);
    }
    unsigned status_of(const char* first, const char* second) {
        return probe.get("/user", {{"Authorization", first}, {"Authorization", second}}).status;
    }
};

TEST_F(Ready, BasicAuthentication) {
    router.use(basic_auth("the realm", [](std::string_view name, std::string_view password) {
        return name == "Aladdin" && same_secret(password, "open sesame");
    }));
    EXPECT_EQ(user("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), "Aladdin");
    EXPECT_EQ(user("basic  QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), "Aladdin");
    for (const char* const wrong :
         {"Basic QWxhZGRpbjpvcGVuIHNlc2FtZTE=", "Basic QWxhZGRpbg==", "Basic", "Basic ",
          "Basic ???", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ",
          "Basic QWxhZGRpbjpvcGVuIHNlc2FtZR==", "Bearer abc", "BasicQWxhZGRpbjpvcGVuIHNlc2FtZQ=="})
        EXPECT_EQ(user(wrong), "401") << wrong;
    for (const char* const other :
         {"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZTE=", "Bearer a"}) {
        EXPECT_EQ(status_of("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", other), 401u) << other;
        EXPECT_EQ(status_of(other, "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), 401u) << other;
    }
    EXPECT_EQ(probe.get("/user").field("WWW-Authenticate"),
              "Basic realm=\"the realm\", charset=\"UTF-8\"");
    EXPECT_EQ(probe.get("/nowhere").status, 401u) << "strangers don't learn what there is";
    EXPECT_THROW(basic_auth("a\"b", {}), std::invalid_argument);
    EXPECT_THROW(basic_auth("a\nb", {}), std::invalid_argument);
}

TEST_F(Ready, BearerAuthentication) {
    router.use(bearer_auth("api", [](std::string_view token) -> std::optional<std::string> {
        if (token != "abc") return std::nullopt;
        return "alice";
    }));
    EXPECT_EQ(user("Bearer abc"), "alice");
    EXPECT_EQ(user("Bearer abcd"), "401");
    EXPECT_EQ(user("Bearer "), "401");
    EXPECT_EQ(status_of("Bearer abc", "Bearer abcd"), 401u);
    EXPECT_EQ(status_of("Bearer abcd", "Bearer abc"), 401u);
    EXPECT_EQ(probe.get("/user").field("WWW-Authenticate"), "Bearer realm=\"api\"");
}

TEST_F(Ready, SecretsAreCompared) {
    EXPECT_TRUE(same_secret("", ""));
    EXPECT_TRUE(same_secret("abc", "abc"));
    EXPECT_FALSE(same_secret("abc", "abd"));
    EXPECT_FALSE(same_secret("abc", ""));
    EXPECT_FALSE(same_secret("", "abc"));
    EXPECT_FALSE(same_secret("abcabc", "abc"));
    EXPECT_FALSE(same_secret("abc", "abcabc"));
}

TEST_F(Ready, CorsAnswersPreflights) {
    router.use(cors({.origins = {"https://a.example"},
                     .methods = {"GET", "PUT"},
                     .headers = {"Content-Type"},
                     .exposed = {"X-Own"},
                     .credentials = true}));
    const auto preflight = [this](const char* origin) {
        return probe.ask("OPTIONS", "/user",
                         {{"Origin", origin}, {"Access-Control-Request-Method", "PUT"}});
    };
    const auto allowed = preflight("https://a.example");
    EXPECT_EQ(allowed.status, 204u);
    EXPECT_EQ(allowed.field("Access-Control-Allow-Origin"), "https://a.example");
    EXPECT_EQ(allowed.field("Access-Control-Allow-Methods"), "GET, PUT");
    EXPECT_EQ(allowed.field("Access-Control-Allow-Headers"), "Content-Type");
    EXPECT_EQ(allowed.field("Access-Control-Allow-Credentials"), "true");
    EXPECT_EQ(allowed.field("Access-Control-Max-Age"), "600");
    const auto refused = preflight("https://b.example");
    EXPECT_EQ(refused.field("Access-Control-Allow-Origin"), "");
    EXPECT_EQ(refused.field("Access-Control-Allow-Methods"), "");
    EXPECT_EQ(refused.field("Vary"), "Origin");
    const auto plain = probe.get("/user", {{"Origin", "https://a.example"}});
    EXPECT_EQ(plain.field("Access-Control-Allow-Origin"), "https://a.example");
    EXPECT_EQ(plain.field("Access-Control-Expose-Headers"), "X-Own");
    EXPECT_EQ(probe.ask("OPTIONS", "/user").field("Allow"), "GET, HEAD, OPTIONS");
}

TEST_F(Ready, CorsLetsPagesSendJson) {
    router.use(cors({.origins = {"https://a.example"}}));
    const auto allowed = probe.ask("OPTIONS", "/user",
                                   {{"Origin", "https://a.example"},
                                    {"Access-Control-Request-Method", "POST"},
                                    {"Access-Control-Request-Headers", "content-type"}});
    EXPECT_EQ(allowed.field("Access-Control-Allow-Headers"), "Content-Type");
}

TEST_F(Ready, CorsForAllIsTheSameForEachOrigin) {
    router.use(cors({.origins = {"*"}, .exposed = {"X-Own", "ETag"}}));
    for (const auto& fields : {Probe::Fields{}, Probe::Fields{{"Origin", "https://a.example"}}}) {
        const auto answer = probe.get("/user", fields);
        EXPECT_EQ(answer.field("Access-Control-Allow-Origin"), "*");
        EXPECT_EQ(answer.field("Access-Control-Expose-Headers"), "X-Own, ETag");
        EXPECT_EQ(answer.field("Vary"), "");
    }
}

TEST_F(Ready, CorsForSomeExposesToAll) {
    router.use(cors({.origins = {"HTTPS://A.example:443"}, .exposed = {"X-Own"}}));
    for (const char* const origin : {"https://a.example", "https://b.example"}) {
        const auto answer = probe.get("/user", {{"Origin", origin}});
        EXPECT_EQ(answer.field("Access-Control-Expose-Headers"), "X-Own");
        EXPECT_EQ(answer.field("Vary"), "Origin");
    }
    EXPECT_EQ(probe.get("/user").field("Access-Control-Expose-Headers"), "X-Own");
    EXPECT_EQ(
        probe.get("/user", {{"Origin", "https://a.example"}}).field("Access-Control-Allow-Origin"),
        "https://a.example");
}

TEST_F(Ready, CorsRefusesWhatCannotBe) {
    EXPECT_THROW(cors({.origins = {"https://a.example/"}}), std::invalid_argument);
    EXPECT_THROW(cors({.origins = {"null"}}), std::invalid_argument);
    EXPECT_THROW(cors({.origins = {"*"}, .credentials = true}), std::invalid_argument);
    EXPECT_THROW(cors({.headers = {"a\nb"}}), std::invalid_argument);
}

TEST_F(Ready, RequestIds) {
    router.get("/ids", [](const Call& call) {
        return text(std::string{call.request_id()} + " " + call.traceparent());
    });
    router.get("/later",
               [](Call call) -> Task<Response> { co_return text(std::string{call.request_id()}); });
    router.use(request_ids());
    const auto answer = probe.get("/ids");
    EXPECT_EQ(answer.field("X-Request-Id").size(), 32u);
    EXPECT_TRUE(answer.content.starts_with(answer.field("X-Request-Id")));
    EXPECT_EQ(answer.content.size(), 32u + 1 + 55);
    EXPECT_NE(probe.get("/ids").content, answer.content);
    const auto given = probe.get(
        "/ids", {{"X-Request-Id", "my.id-1_2"},
                 {"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}});
    EXPECT_EQ(given.field("X-Request-Id"), "my.id-1_2");
    EXPECT_TRUE(given.content.starts_with("my.id-1_2 00-0af7651916cd43dd8448eb211c80319c-"));
    EXPECT_EQ(given.content.find("b7ad6b7169203331"), std::string::npos) << "a span of its own";
    EXPECT_EQ(probe.get("/later", {{"X-Request-Id", "x"}}).content, "x");
    EXPECT_EQ(probe.get("/ids", {{"X-Request-Id", "a b"}}).field("X-Request-Id").size(), 32u);
    for (const char* const parent :
         {"00-00000000000000000000000000000000-b7ad6b7169203331-01",
          "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
          "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
          "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-0af7"})
        EXPECT_EQ(probe.get("/ids", {{"traceparent", parent}}).content.find("0af7651916"),
                  std::string::npos)
            << parent;
    EXPECT_NE(probe
                  .get("/ids", {{"traceparent",
                                 "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x"}})
                  .content.find("0af7651916"),
              std::string::npos);
}

TEST_F(Ready, TimeLimits) {
    std::optional<Call> kept;
    int alive = 0;
    router.get("/callback", [&](Call call) { kept.emplace(std::move(call)); });
    router.get("/coroutine", [&](Call) -> Task<Response> {
        struct Local {
            int& count;
            ~Local() { --count; }
        } const local{++alive};
        co_await sleep_for(1h);
        co_return Response{};
    });
    router.use(time_limit(5s));
    auto callback = probe.open("GET", "/callback");
    auto coroutine = probe.open("GET", "/coroutine");
    probe.advance(4999ms);
    EXPECT_EQ(callback.answer().status, 0u);
    EXPECT_EQ(alive, 1);
    probe.advance(1ms);
    EXPECT_EQ(callback.answer().status, 503u);
    EXPECT_TRUE(kept->stop_token().stop_requested());
    kept->respond(text("late"));
    EXPECT_EQ(coroutine.answer().status, 503u);
    EXPECT_EQ(alive, 0);
}

/// One route in each form, below the prefix.
void add_readers(Routes routes, http::Handler& mounted) {
    routes.post("/function", [](const Call& call) { return text(std::string{call.content()}); });
    routes.post("/callback", [](Call call) { call.respond(text(std::string{call.content()})); });
    routes.post("/whole", [](Call call) -> Task<Response> {
        co_return text(std::string{co_await call.body().all()});
    });
    routes.post("/pieces", [](Call call) -> Task<Response> {
        std::string all;
        auto body = call.body();
        while (const auto piece = co_await body.next()) all += *piece;
        co_return text(all);
    });
    routes.mount("/mounted", mounted);
}

TEST_F(Ready, ContentLimits) {
    Router inner;
    inner.post("/", [](const Call& call) { return text(std::string{call.content()}); });
    add_readers(router.group("/small").use(content_limit(10)), inner);
    add_readers(router.group("/large").use(content_limit(2'000'000)), inner);
    router.on_error([](const Error& error) -> std::optional<Response> {
        return text(error.kind == Error::Kind::too_long ? "too long" : "other", error.status);
    });
    router.use([](Call, Next next) -> Task<Response> { co_return co_await next(); });
    for (const char* const form : {"/function", "/callback", "/whole", "/pieces", "/mounted/"}) {
        const std::string small = std::string{"/small"} + form,
                          large = std::string{"/large"} + form;
        EXPECT_EQ(probe.post(small, "0123456789").content, "0123456789") << form;
        EXPECT_EQ(probe.post(large, std::string(2'000'000, 'a')).content.size(), 2'000'000u)
            << form;
        const auto refused = probe.post(small, "0123456789a");
        EXPECT_EQ(refused.status, 413u) << form;
        EXPECT_EQ(refused.content, "too long") << form;
        const auto chunked = probe.ask("POST", small, {{"Transfer-Encoding", "chunked"}},
                                       "6\r\n012345\r\n5\r\n6789a\r\n0\r\n\r\n");
        EXPECT_EQ(chunked.status, 413u) << form;
    }
    EXPECT_THROW(content_limit(0), std::invalid_argument);
}

TEST_F(Ready, TheInnermostTimeLimitHolds) {
    const auto wait = [](Call) -> Task<Response> {
        co_await sleep_for(15s);
        co_return text("done");
    };
    router.use(time_limit(10s));
    router.group("/longer").use(time_limit(20s)).get("/", wait);
    router.group("/shorter").use(time_limit(5s)).get("/", wait);
    router.get("/", wait);
    auto longer = probe.open("GET", "/longer/");
    auto shorter = probe.open("GET", "/shorter/");
    auto plain = probe.open("GET", "/");
    probe.advance(5s);
    EXPECT_EQ(shorter.answer().status, 503u);
    EXPECT_EQ(plain.answer().status, 0u);
    probe.advance(5s);
    EXPECT_EQ(plain.answer().status, 503u);
    EXPECT_EQ(longer.answer().status, 0u);
    probe.advance(5s);
    EXPECT_EQ(longer.answer().content, "done");
    EXPECT_THROW(time_limit(0s), std::invalid_argument);
}

TEST_F(Ready, TheInnermostContentLimitHolds) {
    router.use(content_limit(10));
    auto inner = router.group("/inner").use(content_limit(20));
    inner.post("/20", [] { return text("taken"); });
    router.post("/10", [] { return text("taken"); });
    EXPECT_EQ(probe.post("/inner/20", std::string(20, 'a')).status, 200u);
    EXPECT_EQ(probe.post("/inner/20", std::string(21, 'a')).status, 413u);
    EXPECT_EQ(probe.post("/10", std::string(11, 'a')).status, 413u);
}

TEST_F(Ready, SecurityHeadersDoNotReplace) {
    router.get("/own", [] { return Response{}.add("x-frame-options", "SAMEORIGIN"); });
    router.use(security_headers({.opener_policy = "", .hsts = 3600s}));
    const auto answer = probe.get("/user");
    EXPECT_EQ(answer.field("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.field("X-Frame-Options"), "DENY");
    EXPECT_EQ(answer.field("Referrer-Policy"), "strict-origin-when-cross-origin");
    EXPECT_EQ(answer.field("Strict-Transport-Security"), "max-age=3600");
    EXPECT_EQ(answer.field("Cross-Origin-Opener-Policy"), "");
    EXPECT_EQ(answer.field("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_EQ(probe.get("/own").field("X-Frame-Options"), "SAMEORIGIN");
    EXPECT_EQ(probe.get("/nowhere").field("X-Frame-Options"), "DENY");
    EXPECT_THROW(security_headers({.frame_options = "a\nb"}), std::invalid_argument);
}

}  // namespace
}  // namespace weir::web
