#include <gtest/gtest.h>

#include <algorithm>

#include "cli/serve/serve_options.h"

namespace weir::cli {
namespace {

using Arguments = std::vector<std::string>;

const std::string user = "ada:$6$salt$" + std::string(86, 'a');

std::string refusal(const Arguments& arguments) {
    const auto options = parse_serve_options(arguments);
    if (options) return "none";
    EXPECT_EQ(options.error().exit_code, 2);
    return options.error().text;
}

AccessOptions access_of(const Arguments& arguments) {
    auto options = parse_serve_options(arguments);
    EXPECT_TRUE(options.has_value()) << options.error().text;
    return options ? std::move(options->access) : AccessOptions{};
}

TEST(AccessOptions, AreOffByDefault) { EXPECT_TRUE(access_of({}).passwords.rules.empty()); }

TEST(AccessOptions, APasswordIsForSomeFilesOrForAll) {
    const auto rules =
        access_of({"--auth", "/private: /dev/null", "--auth", "/dev/null", "--auth-user", user})
            .passwords.rules;
    ASSERT_EQ(rules.size(), 2u);
    EXPECT_EQ(rules[0].glob, "/private");
    EXPECT_EQ(rules[0].file, "/dev/null");
    EXPECT_EQ(rules[1].glob, "");
    EXPECT_EQ(rules[1].users, Arguments{user});
    const auto alone = access_of({"--auth-user", user, "--auth-tries", "3"}).passwords;
    ASSERT_EQ(alone.rules.size(), 1u);
    EXPECT_EQ(alone.rules[0].glob + alone.rules[0].file, "");
    EXPECT_EQ(alone.tries_per_minute, 3u);
}

TEST(AccessOptions, ANetworkIsForSomeFilesOrForAll) {
    const auto rules =
        access_of({"--allow", "2001:db8::/32", "--deny", "/admin: ::1", "--allow", "*.pdf: unix"})
            .networks;
    std::string text;
    for (const auto& rule : rules)
        text += rule.glob + '|' + rule.network + (rule.allows ? "|yes " : "|no ");
    EXPECT_EQ(text, "|2001:db8::/32|yes *.pdf|unix|yes /admin|::1|no ");
}

TEST(AccessOptions, ARateHasABurst) {
    const auto rates =
        access_of({"--rate", "/api: 10/s", "--rate", "30/m", "--rate", "1000/h burst 50"}).rates;
    std::string text;
    for (const auto& rate : rates)
        text += rate.glob + '|' + std::to_string(rate.interval.count()) + '|' +
                std::to_string(rate.burst) + ' ';
    EXPECT_EQ(text, "/api|100000|10 |2000000|1 |3600000|50 ");
}

TEST(AccessOptions, WhatIsWrongIsSaid) {
    const std::vector<std::pair<std::string, Arguments>> wrong{
        {"--auth: there is no file 'none'", {"--auth", "none"}},
        {"--auth: there is no file 'none'", {"--auth", "/private: none"}},
        {"is not of the form 'FILES: FILE'", {"--auth", "/private:"}},
        {"so it must begin with '/'", {"--auth", "a/b: /dev/null"}},
        {"what follows the colon is no file; `weir password me >FILE` makes one",
         {"--auth", "me:secret"}},
        {"--auth-user: the text has a plain password", {"--auth-user", "me:secret"}},
        {"it needs single quotes", {"--auth-user", "me"}},
        {"--allow: '10.1.2.3/8' is an address within the network 10.0.0.0/8",
         {"--allow", "10.1.2.3/8"}},
        {"--deny: 'me' is no network such as", {"--deny", "/a: me"}},
        {"--deny: '::/129' is no network such as", {"--deny", "::/129"}},
        {"--deny: '2001:db8::/129' is no network such as", {"--deny", "2001:db8::/129"}},
        {"--allow: '2001:db8::1:/64' is no network such as", {"--allow", "2001:db8::1:/64"}},
        {"--deny: 'fe80::/129' is no network such as", {"--deny", "/a: fe80::/129"}},
        {"so it must begin with '/'", {"--deny", "a/b: ::1"}},
        {"--rate: '10' is not a rate such as 10/s", {"--rate", "10"}},
        {"--rate: '0/s' is not a rate", {"--rate", "/a: 0/s"}},
        {"--rate: '10/s burst' is not", {"--rate", "10/s burst"}},
        {"so it must begin with '/'", {"--rate", "a/b: 1/s"}},
        {"is not of the form 'FILES: FILE'", {"--signed", "/a:"}},
        {"so it must begin with '/'", {"--signed", "a/b: key"}},
        {"--auth-tries needs --auth, --auth-user or --upload-auth", {"--auth-tries", "3"}},
        {"--auth-over-plain needs --auth", {"--auth-over-plain"}},
    };
    for (const auto& [what, arguments] : wrong) {
        const std::string text = refusal(arguments);
        EXPECT_NE(text.find(what), text.npos) << text;
        EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
        EXPECT_EQ(text.find("secret"), text.npos) << "a password is not repeated: " << text;
    }
}

TEST(AccessOptions, PasswordsNeedTlsWhereOthersReachTheAddress) {
    for (const char* const address : {"0.0.0.0", "::", "192.0.2.7", ":8000"}) {
        const Arguments reached{"--auth-user", user, "--bind", address};
        const auto with = [&](const std::string& option) {
            Arguments more = reached;
            more.push_back(option);
            return refusal(more);
        };
        EXPECT_NE(refusal(reached).find("passwords without TLS"), std::string::npos) << address;
        EXPECT_EQ(with("--tls"), "none") << address;
        EXPECT_EQ(with("--auth-over-plain"), "none") << address;
    }
    EXPECT_NE(refusal({"--auth-user", user, "-b", "127.0.0.1:1", "-b", "0.0.0.0:2"}), "none");
    for (const char* const address : {"127.0.0.1", "::1", "unix:/run/weir.sock"})
        EXPECT_EQ(refusal({"--auth-user", user, "--bind", address}), "none") << address;
}

}  // namespace
}  // namespace weir::cli
