#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "base/bytes/base64.h"
#include "base/bytes/sha256.h"
#include "unit/web/session_fixture.h"
#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;
using testing::MatchesRegex;

struct Sessions : SessionFixture {};

TEST_F(Sessions, OfReadersCostNothing) {
    use();
    EXPECT_EQ(read("user"), "nothing");
    EXPECT_EQ(get("/remove/user").field("Set-Cookie"), "");
    EXPECT_EQ(get("/renew").field("Set-Cookie"), "");
    EXPECT_EQ(get("/clear").field("Set-Cookie"), "");
    EXPECT_EQ(store->loads + store->inserts + store->updates + store->removes, 0);
}

TEST_F(Sessions, KeepValues) {
    use();
    const auto first = get("/set/user/ann");
    EXPECT_THAT(std::string{first.field("Set-Cookie")},
                MatchesRegex("session=[-_0-9A-Za-z]{22}; Path=/; HttpOnly; SameSite=Lax"));
    EXPECT_EQ(first.field("Cache-Control"), "no-store");
    const auto second = get("/read/user");
    EXPECT_EQ(second.content, "ann");
    EXPECT_EQ(second.field("Set-Cookie"), "");
    EXPECT_EQ(second.field("Cache-Control"), "");
    EXPECT_EQ(get("/set/theme/dark").field("Set-Cookie"), "");
    EXPECT_EQ(read("user") + read("theme"), "anndark");
    EXPECT_EQ(get("/remove/user").status, 200u);
    EXPECT_EQ(read("user") + read("theme"), "nothingdark");
    EXPECT_EQ(store->inserts, 1);
    EXPECT_EQ(store->updates, 2) << "requests that only read store nothing";
}

TEST_F(Sessions, TheStoreHasAHashOfTheCookie) {
    use();
    get("/set/user/ann");
    const Sha256 hash = sha256(cookie.substr(cookie.find('=') + 1));
    EXPECT_EQ(store->last_id, base64url_encoded(text_of(hash)));
}

TEST_F(Sessions, CookiesOverTlsAreForThisHostAlone) {
    use({.secure = true, .same_site = Cookie::SameSite::strict});
    EXPECT_THAT(std::string{get("/set/user/ann").field("Set-Cookie")},
                MatchesRegex("__Host-session=[-_0-9A-Za-z]{22}; Path=/; Secure; HttpOnly; "
                             "SameSite=Strict"));
    EXPECT_EQ(read("user"), "ann");
    cookie.erase(0, 7);  // "__Host-"
    EXPECT_EQ(read("user"), "nothing");
}

TEST_F(Sessions, OfUnknownIdsAreNewAndEmpty) {
    use();
    get("/set/user/ann");
    const std::string right = cookie;
    for (const std::string& malformed :
         {std::string{"session="}, std::string{"session=x"}, right + "A", right.substr(0, 29),
          "session=" + std::string(22, '.'), "session=" + std::string(22, 'B')}) {
        cookie = malformed;
        EXPECT_EQ(read("user"), "nothing") << malformed;
    }
    EXPECT_EQ(store->loads, 0) << "the store is not asked for a malformed id";
    cookie = right;
    cookie[10] = cookie[10] == 'A' ? 'B' : 'A';
    const std::string unknown = cookie;
    EXPECT_EQ(read("user"), "nothing");
    EXPECT_EQ(store->loads, 1);
    EXPECT_EQ(cookie, unknown) << "a request that only reads sends no cookie";
    get("/set/user/eve");
    EXPECT_NE(cookie, unknown) << "an id of the client's choice is not taken";
    EXPECT_EQ(read("user"), "eve");
    cookie = right;
    EXPECT_EQ(read("user"), "ann");
}

TEST_F(Sessions, AreRenewed) {
    use();
    get("/set/user/ann");
    const std::string old = cookie;
    get("/renew");
    EXPECT_NE(cookie, old);
    EXPECT_EQ(read("user"), "ann");
    cookie = old;
    EXPECT_EQ(read("user"), "nothing");
    EXPECT_EQ(store->removes, 1);
}

TEST_F(Sessions, AreCleared) {
    use();
    router.get("/again", [](const Call& call) {
        Session::of(call).clear();
        Session::of(call).set("user", "bob");
        return "again";
    });
    get("/set/user/ann");
    get("/set/theme/dark");
    const std::string old = cookie;
    EXPECT_EQ(get("/clear").field("Set-Cookie"),
              "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    EXPECT_EQ(cookie, "");
    cookie = old;
    EXPECT_EQ(read("user"), "nothing");
    cookie.clear();
    get("/set/theme/dark");
    const std::string second = cookie;
    get("/again");
    EXPECT_NE(cookie, second);
    EXPECT_EQ(read("user") + read("theme"), "bobnothing");
    cookie = second;
    EXPECT_EQ(read("theme"), "nothing");
}

TEST_F(Sessions, ExpireUnlessUsed) {
    use({.idle = 100s, .lifetime = 250s});
    get("/set/user/ann");
    now += 9s;
    EXPECT_EQ(read("user"), "ann");
    EXPECT_EQ(store->updates, 0) << "not each request is stored";
    now += 1s;
    EXPECT_EQ(read("user"), "ann");
    EXPECT_EQ(store->updates, 1) << "after a tenth of the time, one is";
    now += 99s;
    EXPECT_EQ(read("user"), "ann");
    now += 100s;
    EXPECT_EQ(read("user"), "nothing");
    EXPECT_EQ(get("/set/user/bob").field("Set-Cookie").empty(), false);
}

TEST_F(Sessions, ExpireAtTheirAge) {
    use({.idle = 100s, .lifetime = 250s});
    get("/set/user/ann");
    for (int i = 0; i < 4; ++i) {
        now += 60s;
        EXPECT_EQ(read("user"), "ann") << i;
    }
    now += 9s;
    EXPECT_EQ(read("user"), "ann");
    now += 1s;
    EXPECT_EQ(read("user"), "nothing");
    get("/set/user/ann");
    now += 90s;
    get("/renew");
    for (int i = 0; i < 4; ++i) {
        now += 60s;
        EXPECT_EQ(read("user"), "ann") << "renewed " << i;
    }
}

TEST_F(Sessions, CookiesMayOutliveTheBrowser) {
    use({.outlives_browser = true, .idle = 100s, .lifetime = 250s});
    const auto age = [this](std::string_view target) {
        const auto answer = get(target);
        const std::string_view line = answer.field("Set-Cookie");
        const std::size_t at = line.find("Max-Age=");
        return at == line.npos ? "none" : std::string{line.substr(at, line.find(';', at) - at)};
    };
    EXPECT_EQ(age("/set/user/ann"), "Max-Age=100");
    EXPECT_EQ(age("/read/user"), "none");
    now += 90s;
    EXPECT_EQ(age("/read/user"), "Max-Age=100");
    now += 90s;
    EXPECT_EQ(age("/read/user"), "Max-Age=70");
    now += 5s;
    EXPECT_EQ(age("/read/user"), "none");
    EXPECT_EQ(age("/set/user/bob"), "Max-Age=65");
}

TEST_F(Sessions, OfFailedRequestsStayAsTheyWere) {
    use();
    router.get("/throw", [](const Call& call) -> Response {
        Session::of(call).set("user", "eve");
        throw std::runtime_error{"no luck"};
    });
    router.get("/refuse", [](const Call& call) -> Response {
        Session::of(call).set("tries", "1");
        throw Refusal{Status::unauthorized, "Wrong password"};
    });
    EXPECT_EQ(get("/throw").field("Set-Cookie"), "");
    EXPECT_EQ(store->inserts, 0);
    get("/set/user/ann");
    EXPECT_EQ(get("/throw").status, 500u);
    EXPECT_EQ(read("user"), "ann");
    EXPECT_EQ(get("/refuse").status, 401u);
    EXPECT_EQ(read("tries"), "1");
}

TEST_F(Sessions, AreLimited) {
    use({.bytes_max = 20});
    router.get("/fill", [](const Call& call) {
        Session& session = Session::of(call);
        session.set("a", std::string(19, 'x'));
        EXPECT_THROW(session.set("b", ""), std::length_error);
        EXPECT_THROW(session.set("a", std::string(20, 'x')), std::length_error);
        EXPECT_EQ(session.get("a"), std::string(19, 'x'));
        session.set("a", "y");
        session.set("b", std::string(17, 'x'));
        session.remove("a");
        session.set("c", "z");
        EXPECT_THROW(session.set("d", "z"), std::length_error);
        return "filled";
    });
    EXPECT_EQ(get("/fill").status, 200u);
    EXPECT_EQ(get("/set/d/z").status, 500u) << "the values of the store count";
    EXPECT_EQ(read("c"), "z");
}

TEST_F(Sessions, AreForHandlersOfEveryForm) {
    use();
    store->is_slow = true;
    router.get("/coroutine", [](Call call) -> Task<Response> {
        Session::of(call).set("form", "coroutine");
        co_await sleep_for(0ms);
        co_return Response{};
    });
    router.get("/callback", [](Call call) {
        std::thread{[call = std::move(call)]() mutable {
            Session::of(call).set("form", "callback");
            call.respond(Response{});
        }}.join();
    });
    get("/set/form/function");
    EXPECT_EQ(read("form"), "function");
    for (const std::string form : {"coroutine", "callback"}) {
        get("/" + form);
        EXPECT_EQ(read("form"), form);
    }
}

TEST_F(Sessions, FailWithTheirStore) {
    use();
    get("/set/user/ann");
    store->is_broken = true;
    EXPECT_EQ(get("/read/user").status, 500u);
    EXPECT_EQ(get("/renew").status, 500u);
    const std::string known = cookie;
    cookie.clear();
    const auto answer = get("/set/user/bob");
    EXPECT_EQ(answer.status, 500u);
    EXPECT_EQ(answer.field("Set-Cookie"), "");
    ASSERT_EQ(probe.failures().size(), 3u);
    EXPECT_EQ(probe.failures()[0],
              "the handler threw an exception for GET /read/user: no database");
    store->is_broken = false;
    cookie = known;
    EXPECT_EQ(read("user"), "ann");
}

TEST_F(Sessions, TheOutermostCounts) {
    use();
    use();
    get("/set/user/ann");
    EXPECT_EQ(read("user"), "ann");
    EXPECT_EQ(store->inserts, 1);
    EXPECT_EQ(store->loads, 1);
}

TEST_F(Sessions, AreNoneWithoutMiddleware) {
    EXPECT_EQ(get("/read/user").status, 500u);
    ASSERT_EQ(probe.failures().size(), 1u);
    EXPECT_THAT(probe.failures()[0], testing::HasSubstr("no sessions() is around the handler"));
}

TEST_F(Sessions, OptionsAreChecked) {
    EXPECT_THROW(sessions(nullptr), std::invalid_argument);
    EXPECT_THROW(sessions(store, {.cookie = "a b"}), std::invalid_argument);
    EXPECT_THROW(sessions(store, {.idle = 0s}), std::invalid_argument);
    EXPECT_THROW(sessions(store, {.lifetime = -1s}), std::invalid_argument);
    EXPECT_THROW(sessions(store, {.idle = std::chrono::years{101}}), std::invalid_argument);
    EXPECT_THROW(sessions(store, {.same_site = Cookie::SameSite::none}), std::invalid_argument);
    EXPECT_NO_THROW(sessions(store, {.secure = true, .same_site = Cookie::SameSite::none}));
}

}  // namespace
}  // namespace weir::web
