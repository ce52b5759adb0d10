#include "access/passwords.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <utility>

#include "base/bytes/base64.h"
#include "temporary_file.h"
#include "test_clock.h"
#include "weir/web/probe.h"

namespace weir::access {
namespace {

using Answer = web::Probe::Answer;

/// Has the form of a hash by SHA-512-crypt, and the password in it.
std::string hash_of(const std::string& password) {
    std::string text;
    for (const char c : password)
        text += static_cast<char>('a' + static_cast<unsigned char>(c) % 26);
    text.resize(86, '.');
    return "$6$salt$" + text;
}

std::string line_of(const std::string& user, const std::string& password) {
    return user + ':' + hash_of(password) + '\n';
}

std::string basic(const std::string& user, const std::string& password) {
    return "Basic " + base64_encoded(user + ':' + password);
}

/// The site behind it: says what was asked for, and reads content.
class Behind final : public http::Handler {
   public:
    http::Reply handle(const http::Request& request) override {
        if (request.content_pending()) return http::ReadContent{};
        http::Response response;
        response.content(std::string{request.path()} + '|' + std::string{request.content()});
        return response;
    }
};

struct Asked : ::testing::Test {
    TemporaryFile file, others;
    Behind behind;
    std::atomic<int> compared = 0;
    std::mutex busy;  // held: comparisons wait
    std::unique_ptr<Passwords> passwords;
    std::unique_ptr<web::Probe> probe;

    Asked() { test_time() = {.instant = test_time().instant + std::chrono::hours{1}}; }

    PasswordOptions options(std::uint32_t tries) {
        return {.realm = "the realm",
                .tries_per_minute = tries,
                .crypt = [this](const std::string& password, const std::string&) {
                    ++compared;
                    const std::scoped_lock lock{busy};
                    return hash_of(password);
                }};
    }
    static Passwords::Rule rule(std::string_view glob, const std::string& path) {
        return {.paths = Paths{glob}, .users = *UserFile::open(path, {}, {}, test_clock)};
    }
    void begin(std::vector<Passwords::Rule> rules, std::uint32_t tries = 10) {
        passwords = std::make_unique<Passwords>(behind, Addresses{{}}, std::move(rules),
                                                options(tries), test_clock);
        probe = std::make_unique<web::Probe>(*passwords);
    }
    void begin(std::string_view users, std::string_view glob = {}, std::uint32_t tries = 10) {
        file.write(users);
        std::vector<Passwords::Rule> rules;
        rules.push_back(rule(glob, file.path()));
        begin(std::move(rules), tries);
    }
    /// Each rule has a user of its own.
    void begin_for_two(std::string_view glob_of_ada, std::string_view glob_of_bob) {
        others.write(line_of("bob", "secret"));
        file.write(line_of("ada", "secret"));
        std::vector<Passwords::Rule> rules;
        rules.push_back(rule(glob_of_bob, others.path()));
        rules.push_back(rule(glob_of_ada, file.path()));
        begin(std::move(rules));
    }
    Answer as(const std::string& user, const std::string& password, std::string_view target = "/") {
        return probe->get(target, {{"Authorization", basic(user, password)}});
    }
};

TEST_F(Asked, AStrangerIs) {
    begin(line_of("ada", "secret"));
    const Answer answer = probe->get("/");
    EXPECT_EQ(answer.status, 401u);
    EXPECT_EQ(answer.field("WWW-Authenticate"), "Basic realm=\"the realm\", charset=\"UTF-8\"");
    for (const char* const field : {"Basic ???", "Basic", "Basic ", "Bearer x", "basic"})
        EXPECT_EQ(probe->get("/", {{"Authorization", field}}).status, 401u) << field;
    EXPECT_EQ(probe->post("/", "content").status, 401u);
    EXPECT_EQ(compared, 0);
}

/// A field that is no list comes once (RFC 9110 5.3). A proxy in front may have read another one.
TEST_F(Asked, TwoFieldsNameNoUser) {
    begin(line_of("ada", "secret"));
    for (const auto& [first, second] :
         {std::pair{"secret", "wrong"}, {"wrong", "secret"}, {"secret", "secret"}}) {
        const Answer answer = probe->get(
            "/", {{"Authorization", basic("ada", first)}, {"Authorization", basic("ada", second)}});
        EXPECT_EQ(answer.status, 401u) << first << ' ' << second;
        EXPECT_NE(answer.field("WWW-Authenticate"), "");
    }
    EXPECT_EQ(compared, 0);
}

TEST_F(Asked, AUserSeesTheSite) {
    begin(line_of("ada", "secret") + line_of("b\xc3\xb6", "se:cret"));
    EXPECT_EQ(as("ada", "secret", "/a").content, "/a|");
    EXPECT_EQ(as("b\xc3\xb6", "se:cret").status, 200u);
    for (const auto& [user, password] :
         {std::pair{"ada", "secre"}, {"ada", "secret "}, {"ada", ""}, {"eve", "secret"}, {"", ""}})
        EXPECT_EQ(as(user, password).status, 401u) << user << ' ' << password;
    EXPECT_EQ(probe->get("/", {{"Authorization", "Basic " + base64_encoded("ada")}}).status, 401u);
}

TEST_F(Asked, WhoAsksIsKnown) {
    begin(line_of("ada", "secret"), "/private");
    std::string user;
    /// Asks the handler, as a log does.
    class Asks final : public http::Handler {
       public:
        Asks(Passwords& passwords, std::string& user) : passwords_{passwords}, user_{user} {}
        http::Reply handle(const http::Request& request) override {
            user_ = passwords_.user_of(request);
            return http::Response{};
        }

       private:
        Passwords& passwords_;
        std::string& user_;
    } asks{*passwords, user};
    web::Probe log{asks};
    const auto known = [&](std::string_view path, const std::string& password) {
        static_cast<void>(log.get(path, {{"Authorization", basic("ada", password)}}));
        return user;
    };
    EXPECT_EQ(known("/private", "secret"), "") << "it was not compared yet";
    EXPECT_EQ(as("ada", "secret", "/private").status, 200u);
    EXPECT_EQ(as("ada", "wrong", "/private").status, 401u);
    EXPECT_EQ(known("/private", "secret"), "ada");
    EXPECT_EQ(known("/private", "wrong"), "");
    EXPECT_EQ(known("/public", "secret"), "") << "nobody was asked";
    test_time().instant += std::chrono::hours{1};
    EXPECT_EQ(known("/private", "secret"), "ada") << "the answer took long";
}

TEST_F(Asked, WhatIsBehindMayReadContent) {
    begin(line_of("ada", "secret"));
    for (int i = 0; i < 2; ++i)  // once compared, once remembered
        EXPECT_EQ(
            probe->post("/", "text", "text/plain", {{"Authorization", basic("ada", "secret")}})
                .content,
            "/|text");
}

TEST_F(Asked, PasswordsThatWereRightAreRemembered) {
    begin(line_of("ada", "secret"));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(as("ada", "secret").status, 200u);
    EXPECT_EQ(compared, 1);
    test_time().instant += Verified::time;
    EXPECT_EQ(as("ada", "secret").status, 200u);
    EXPECT_EQ(compared, 2);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(as("ada", "wrong").status, 401u);
    EXPECT_EQ(compared, 5);
}

TEST_F(Asked, AnUnknownUserIsComparedEachTimeToo) {
    begin(line_of("ada", "secret"));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(as("eve", "secret").status, 401u);
    EXPECT_EQ(compared, 3);
}

TEST_F(Asked, WhatIsRememberedIsForgottenWithTheUser) {
    begin(line_of("ada", "secret") + line_of("bob", "secret"));
    EXPECT_EQ(as("ada", "secret").status, 200u);
    EXPECT_EQ(as("bob", "secret").status, 200u);
    file.write(line_of("ada", "other") + line_of("eve", "secret"));
    test_time().instant += UserFile::look_pause;
    EXPECT_EQ(as("ada", "secret").status, 401u);
    EXPECT_EQ(as("bob", "secret").status, 401u);
    EXPECT_EQ(as("ada", "other").status, 200u);
}

TEST_F(Asked, OtherPathsAreFree) {
    begin(line_of("ada", "secret"), "/private");
    EXPECT_EQ(probe->get("/public").content, "/public|");
    for (const char* const path : {"/private", "/private/x", "//private/x", "/%70rivate/x",
                                   "/a/../private/x", "/private%2fx", "/%zz"})
        EXPECT_EQ(probe->get(path).status, 401u) << path;
    EXPECT_EQ(as("ada", "secret", "/private/x").status, 200u);
}

TEST_F(Asked, TheMoreSpecialRuleDecides) {
    begin_for_two("", "/admin");
    EXPECT_EQ(as("ada", "secret", "/x").status, 200u);
    EXPECT_EQ(as("bob", "secret", "/x").status, 401u);
    EXPECT_EQ(as("ada", "secret", "/admin/x").status, 401u) << "what is remembered is of one rule";
    EXPECT_EQ(as("bob", "secret", "/admin/x").status, 200u);
}

TEST_F(Asked, APathWithSeveralReadingsIsRefusedIfTheirRulesDiffer) {
    begin_for_two("/admin", "/admin/*.css");
    EXPECT_EQ(as("bob", "secret", "/admin/x.css").status, 200u);
    for (const char* const path : {"/admin/x;.css", "/admin/x%3B.css", "/admin/x;%2f.css"})
        EXPECT_EQ(as("bob", "secret", path).status, 400u) << path;
    for (const char* const path : {"/admin;a/x", "/admin%2Fx", "/admin%2fx;y", "/a/..;b/admin"})
        EXPECT_EQ(as("ada", "secret", path).status, 200u) << path;
    EXPECT_EQ(as("bob", "secret", "/admin;a/x").status, 401u);
}

TEST_F(Asked, TriesAreLimited) {
    begin(line_of("ada", "secret"), {}, 3);
    EXPECT_EQ(as("ada", "secret").status, 200u);
    for (const char* const wrong : {"a", "b", "c"}) EXPECT_EQ(as("ada", wrong).status, 401u);
    const Answer answer = as("ada", "d");
    EXPECT_EQ(answer.status, 429u);
    EXPECT_EQ(answer.field("Retry-After"), "20");
    EXPECT_EQ(compared, 4);
    EXPECT_EQ(as("ada", "secret").status, 200u) << "a password that is remembered is no try";
    EXPECT_EQ(probe->get("/").status, 401u) << "to ask without one is no try";
    test_time().instant += std::chrono::seconds{20};
    EXPECT_EQ(as("ada", "e").status, 401u);
    EXPECT_EQ(as("ada", "f").status, 429u);
}

TEST_F(Asked, RightPasswordsAreNoFailedTries) {
    begin(line_of("ada", "secret"), {}, 1);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(as("ada", "secret").status, 200u);
        test_time().instant += Verified::time;
    }
    EXPECT_EQ(compared, 3);
}

TEST_F(Asked, TheSameAtOnceIsComparedOnce) {
    begin(line_of("ada", "secret"), {}, 1);
    std::unique_lock held{busy};
    std::vector<web::Probe::Exchange> exchanges;
    for (int i = 0; i < 20; ++i)
        exchanges.push_back(probe->open("GET", "/", {{"Authorization", basic("ada", "secret")}}));
    held.unlock();
    for (auto& exchange : exchanges) EXPECT_EQ(exchange.wait().status, 200u);
    EXPECT_EQ(compared, 1);
}

TEST_F(Asked, AFloodOfComparisonsIsRefused) {
    begin(line_of("ada", "secret"), {}, 0);
    std::unique_lock held{busy};
    std::vector<web::Probe::Exchange> exchanges;
    for (std::size_t i = 0; i < Leases::at_once_max; ++i)
        exchanges.push_back(
            probe->open("GET", "/", {{"Authorization", basic("ada", "x" + std::to_string(i))}}));
    const Answer refused = as("ada", "one more");
    EXPECT_EQ(refused.status, 503u);
    EXPECT_EQ(refused.field("Retry-After"), "1");
    held.unlock();
    for (auto& exchange : exchanges) EXPECT_EQ(exchange.wait().status, 401u);
    EXPECT_EQ(as("ada", "secret").status, 200u);
}

TEST_F(Asked, APeerMayLeaveMeanwhile) {
    begin(line_of("ada", "secret"), {}, 0);
    const std::unique_lock held{busy};
    for (int i = 0; i < 20; ++i) {
        auto exchange =
            probe->open("GET", "/", {{"Authorization", basic("ada", "x" + std::to_string(i))}});
        exchange.leave();
    }
}

struct Refused : Asked {
    std::string refusal(PasswordOptions options) {
        const auto made = ask_passwords(behind, {}, std::move(options));
        return made ? "" : made.error();
    }
};

TEST_F(Refused, WhatCannotBeUsed) {
    const auto with = [this](PasswordRule rule) {
        PasswordOptions some = options(1);
        some.rules = {std::move(rule)};
        return some;
    };
    EXPECT_EQ(refusal(with({.users = {"ada:" + hash_of("a")}})), "");
    EXPECT_NE(refusal(options(1)), "") << "no rule";
    EXPECT_NE(refusal(with({.glob = "a/b", .users = {"ada:" + hash_of("a")}})), "");
    EXPECT_NE(refusal(with({.file = file.path()})), "");
    EXPECT_TRUE(refusal(with({.users = {"ada:secret"}})).starts_with("the user 'ada' has a plain"));
    PasswordOptions quoted = with({.users = {"ada:" + hash_of("a")}});
    quoted.realm = "a\"b";
    EXPECT_EQ(refusal(quoted), "a realm must not have a quote or a backslash");
}

}  // namespace
}  // namespace weir::access
