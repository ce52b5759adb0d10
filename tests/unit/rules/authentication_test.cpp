#include "rules/auth/authentication.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "rules/auth/crypt.h"
#include "seen.h"
#include "temporary_file.h"
#include "web/middleware/base64.h"
#include "weir/web/probe.h"

namespace weir::rules {
namespace {

using Answer = web::Probe::Answer;

std::string line_of(const std::string& user, const std::string& password) {
    return user + ':' + *hash_of(password, "yescrypt") + '\n';
}

std::string basic(const std::string& user, const std::string& password) {
    return "Basic " + web::base64_encoded(user + ':' + password);
}

struct Authenticated : ::testing::Test {
    TemporaryFile file;
    Seen site;
    std::unique_ptr<Authentication> rule;
    std::unique_ptr<web::Probe> probe;

    Authenticated() { test_time() += std::chrono::hours{1}; }

    void begin(std::string_view users, std::string_view paths = {}, std::uint32_t tries = 10) {
        file.write(users);
        std::vector<ProtectedPaths> all;
        all.push_back({Paths{paths}, *UserFile::open(file.path(), {}, test_clock)});
        begin(std::move(all), tries);
    }
    void begin(std::vector<ProtectedPaths> all, std::uint32_t tries = 10) {
        rule = std::make_unique<Authentication>(
            std::move(all),
            Authentication::Options{.realm = "the realm", .tries = tries, .clock = test_clock},
            site);
        probe = std::make_unique<web::Probe>(*rule);
    }
    Answer as(const std::string& user, const std::string& password, std::string_view target = "/") {
        return probe->get(target, {{"Authorization", basic(user, password)}});
    }
};

TEST_F(Authenticated, AStrangerIsAsked) {
    begin(line_of("ada", "secret"));
    const Answer answer = probe->get("/");
    EXPECT_EQ(answer.status, 401u);
    EXPECT_EQ(answer.field("WWW-Authenticate"), "Basic realm=\"the realm\", charset=\"UTF-8\"");
    EXPECT_EQ(probe->get("/", {{"Authorization", "Basic ???"}}).status, 401u);
    EXPECT_EQ(probe->get("/", {{"Authorization", "Bearer x"}}).status, 401u);
    EXPECT_EQ(probe->post("/", "content").status, 401u);
}

TEST_F(Authenticated, AUserSeesTheSiteAndTheSiteTheUser) {
    begin(line_of("ada", "secret") + line_of("b\xc3\xb6", "se:cret"));
    EXPECT_EQ(as("ada", "secret", "/a?b").content, "|/a|b|ada");
    EXPECT_EQ(as("ada", "secret", "/a?b").content, "|/a|b|ada") << "that is remembered";
    EXPECT_EQ(as("b\xc3\xb6", "se:cret").content, "|/||b\xc3\xb6");
    EXPECT_EQ(as("ada", "secre").status, 401u);
    EXPECT_EQ(as("ada", "se:cret").status, 401u);
    EXPECT_EQ(as("eve", "secret").status, 401u);
    EXPECT_EQ(as("", "").status, 401u);
    EXPECT_EQ(as("ada", std::string{"secret\0", 7}).status, 401u);
    EXPECT_EQ(probe->get("/", {{"Authorization", "Basic " + web::base64_encoded("ada")}}).status,
              401u);
}

TEST_F(Authenticated, PathsThatAreNotProtectedAreFree) {
    begin(line_of("ada", "secret"), "/private/**");
    EXPECT_EQ(probe->get("/public").content, "|/public||");
    for (const char* const path : {"/private", "/private/x", "//private/x", "/%70rivate/x",
                                   "/a/../private/x", "/private%2fx", "/%zz"})
        EXPECT_EQ(probe->get(path).status, 401u) << path;
    EXPECT_EQ(as("ada", "secret", "/private/x").status, 200u);
}

TEST_F(Authenticated, TheMoreSpecialRuleDecides) {
    TemporaryFile others;
    file.write(line_of("ada", "secret"));
    others.write(line_of("bob", "secret"));
    std::vector<ProtectedPaths> all;
    all.push_back({Paths{"/admin/**"}, *UserFile::open(others.path(), {}, test_clock)});
    all.push_back({Paths{}, *UserFile::open(file.path(), {}, test_clock)});
    begin(std::move(all));
    EXPECT_EQ(as("ada", "secret", "/x").status, 200u);
    EXPECT_EQ(as("bob", "secret", "/x").status, 401u);
    EXPECT_EQ(as("ada", "secret", "/admin/x").status, 401u) << "what is remembered is of one file";
    EXPECT_EQ(as("bob", "secret", "/admin/x").status, 200u);
}

TEST_F(Authenticated, WhoeverIsRemovedFromTheFileIsOut) {
    begin(line_of("ada", "secret"));
    EXPECT_EQ(as("ada", "secret").status, 200u);
    file.write(line_of("bob", "secret"));
    test_time() += look_pause;
    EXPECT_EQ(as("ada", "secret").status, 401u);
    EXPECT_EQ(as("bob", "secret").status, 200u);
}

TEST_F(Authenticated, TriesAreLimited) {
    begin(line_of("ada", "secret"), {}, 3);
    EXPECT_EQ(as("ada", "secret").status, 200u);
    for (const char* const wrong : {"a", "b", "c"}) EXPECT_EQ(as("ada", wrong).status, 401u);
    const Answer answer = as("ada", "d");
    EXPECT_EQ(answer.status, 429u);
    EXPECT_EQ(answer.field("Retry-After"), "60");
    EXPECT_EQ(as("ada", "secret").status, 200u) << "a password that is remembered is no try";
    EXPECT_EQ(probe->get("/").status, 401u) << "to ask without one is no try";
    test_time() += Tries::span;
    EXPECT_EQ(as("ada", "e").status, 401u);
}

TEST_F(Authenticated, RightPasswordsAreNoFailedTries) {
    begin(line_of("ada", "secret"), {}, 1);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(as("ada", "secret").status, 200u);
        test_time() += KnownDigests::time;
    }
}

TEST_F(Authenticated, ManyAtOnceAreComparedOnce) {
    begin(line_of("ada", "secret"), {}, 1);
    std::vector<web::Probe::Exchange> exchanges;
    for (int i = 0; i < 20; ++i)
        exchanges.push_back(probe->open("GET", "/", {{"Authorization", basic("ada", "secret")}}));
    for (auto& exchange : exchanges) EXPECT_EQ(exchange.wait().status, 200u);
}

TEST_F(Authenticated, APeerMayLeaveMeanwhile) {
    begin(line_of("ada", "secret"));
    for (int i = 0; i < 20; ++i) {
        auto exchange =
            probe->open("GET", "/", {{"Authorization", basic("ada", "x" + std::to_string(i))}});
        exchange.leave();
    }
}

/// Reads the content, waits, and answers.
class Slow final : public http::Handler {
   public:
    http::Reply handle(const http::Request& request) override {
        if (request.content_pending()) return http::ReadContent{};
        return http::Later{
            std::make_unique<AfterAWhile>(std::string{request.content()}, request.waker())};
    }

   private:
    class AfterAWhile final : public http::Continuation {
       public:
        AfterAWhile(std::string content, http::Waker waker)
            : content_{std::move(content)}, waker_{std::move(waker)} {}
        http::Reply resume() override {
            if (!std::exchange(has_waited_, true)) {
                waker_.wake();
                return http::Later{};
            }
            http::Response response;
            response.content(content_);
            return response;
        }

       private:
        std::string content_;
        http::Waker waker_;
        bool has_waited_ = false;
    };
};

TEST_F(Authenticated, TheHandlerBehindMayReadAndWait) {
    file.write(line_of("ada", "secret"));
    Slow slow;
    std::vector<ProtectedPaths> all;
    all.push_back({Paths{}, *UserFile::open(file.path(), {}, test_clock)});
    Authentication around{std::move(all), {.clock = test_clock}, slow};
    web::Probe asks{around};
    for (int i = 0; i < 2; ++i)  // once compared, once remembered
        EXPECT_EQ(
            asks.post("/", "the content", "text/plain", {{"Authorization", basic("ada", "secret")}})
                .content,
            "the content");
}

TEST_F(Authenticated, ARealmThatCannotBeSentIsRefused) {
    EXPECT_THROW((Authentication{{}, {.realm = "a\"b"}, site}), std::invalid_argument);
}

}  // namespace
}  // namespace weir::rules
