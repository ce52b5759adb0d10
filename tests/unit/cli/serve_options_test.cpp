#include "cli/options/serve_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "cli/command.h"
#include "variable.h"

namespace weir::cli {
namespace {

using Arguments = std::vector<std::string>;

ServeOptions parsed(const Arguments& arguments) {
    auto options = parse_serve_options(arguments);
    EXPECT_TRUE(options.has_value()) << options.error().text;
    return options.value_or(ServeOptions{});
}

std::string shown(bool value) { return value ? "on" : "off"; }
template <std::integral Number>
std::string shown(Number value) {
    return std::to_string(value);
}
std::string shown(std::chrono::seconds value) { return std::to_string(value.count()) + "s"; }
std::string shown(std::chrono::milliseconds value) { return std::to_string(value.count()) + "ms"; }
std::string shown(std::chrono::microseconds value) { return std::to_string(value.count()) + "us"; }
std::string shown(const std::string& value) { return value; }
std::string shown(const std::vector<std::string>& values) {
    std::string text;
    for (const std::string& value : values) text += value + ' ';
    return text;
}
std::string shown(const std::vector<site::FieldRule>& rules) {
    std::string text;
    for (const auto& rule : rules)
        text += rule.glob + '|' + rule.media_type + '|' + rule.name + '|' + rule.value +
                (rule.delivered_only ? "|delivered " : " ");
    return text;
}
std::string shown(const std::vector<site::MediaTypeRule>& rules) {
    std::string text;
    for (const auto& rule : rules) text += rule.glob + '|' + rule.media_type + ' ';
    return text;
}
std::string shown(const std::vector<access::PasswordRule>& rules) {
    std::string text;
    for (const auto& rule : rules) text += rule.glob + '|' + rule.file + '|' + shown(rule.users);
    return text;
}
std::string shown(const std::vector<access::NetworkRule>& rules) {
    std::string text;
    for (const auto& rule : rules)
        text += rule.glob + '|' + rule.network + (rule.allows ? "|allowed " : "|denied ");
    return text;
}
std::string shown(const std::vector<access::RateRule>& rules) {
    std::string text;
    for (const auto& rule : rules)
        text += rule.glob + '|' + shown(rule.interval) + '|' + std::to_string(rule.burst) + ' ';
    return text;
}
std::string shown(const std::vector<access::SignedRule>& rules) {
    std::string text;
    for (const auto& rule : rules) text += rule.glob + '|' + rule.key_file + ' ';
    return text;
}
std::string shown(access::ForwardedField field) {
    return field == access::ForwardedField::forwarded ? "forwarded" : "x-forwarded-for";
}
std::string shown(site::Symlinks value) {
    return value == site::Symlinks::none ? "none" : "inside";
}
std::string shown(site::TagsFrom value) {
    return value == site::TagsFrom::mtime     ? "mtime"
           : value == site::TagsFrom::content ? "content"
                                              : "inode";
}
std::string shown(server::AccessLogOptions::Format value) {
    return value == server::AccessLogOptions::Format::json ? "json" : "combined";
}

std::string shown(const std::optional<sandbox::User>& user) {
    return user ? std::to_string(user->uid) + ':' + std::to_string(user->gid) : "nobody else";
}

std::string shown(const std::vector<tls::CertificateFiles>& all) {
    std::string text;
    for (const auto& files : all) text += files.chain + '|' + files.key + ' ';
    return text;
}
std::string shown(tls::Settings::ClientCertificate value) {
    using enum tls::Settings::ClientCertificate;
    return value == off ? "off" : value == ask ? "ask" : "require";
}

struct Case {
    std::string option;
    std::string argument;  // empty: a flag
    std::string given;     // the value that is shown then
    std::string by_default;
    std::function<std::string(const ServeOptions&)> show;
    std::string other_argument;  // another value, for the variable
    std::string other_given;
    Arguments besides{};  // other arguments, for a value that only some engines support

    Arguments arguments() const {
        Arguments all = besides;
        all.push_back("--" + option);
        if (!argument.empty()) all.push_back(argument);
        return all;
    }
    std::string variable() const {
        std::string name = "WEIR_" + option;
        for (char& character : name)
            character = character == '-' ? '_' : static_cast<char>(std::toupper(character));
        return name;
    }
};

#define SHOW(expression) [](const ServeOptions& options) { return shown(options.expression); }

const std::string ada = "ada:$6$salt$" + std::string(86, 'a');
const std::string bob = "bob:$6$salt$" + std::string(86, 'a');

const std::vector<Case> cases{
    {"root", "/a", "/a", ".", SHOW(site.root), "/b", "/b"},
    {"spa", "", "on", "off", SHOW(site.spa_fallback), "1", "on"},
    {"listing", "", "on", "off", SHOW(site.listing), "true", "on"},
    {"no-listing", "", "on", "off", SHOW(no_listing), "1", "on"},
    {"clean-urls", "", "on", "off", SHOW(site.clean_urls), "1", "on"},
    {"dotfiles", "", "on", "off", SHOW(site.dotfiles), "1", "on"},
    {"index", "a.html", "a.html ", "index.html ", SHOW(site.index_names), "b.html\nc.html",
     "b.html c.html "},
    {"symlinks", "none", "none", "inside", SHOW(site.symlinks), "inside", "inside"},
    {"cache-control", "*.css: no-cache", "*.css||Cache-Control|no-cache|delivered ", "",
     SHOW(site.fields), "image/*: max-age=60", "|image/*|Cache-Control|max-age=60|delivered "},
    {"header", "/a/**: X-A: b:c", "/a/**||X-A|b:c ", "", SHOW(site.fields), "*: X-B:", "*||X-B| "},
    {"media-type", "*.foo: text/plain", "*.foo|text/plain ", "", SHOW(site.media_types),
     "/a/**: a/b; c=d\n*: text/html", "/a/**|a/b; c=d *|text/html "},
    {"cors", "https://a.example", "https://a.example ", "", SHOW(site.cors_origins),
     "http://b.example:80\n*", "http://b.example * "},
    {"etag", "content", "content", "mtime", SHOW(site.tags_from), "inode", "inode"},
    {"no-error-pages", "", "off", "on", SHOW(site.error_pages), "1", "off"},
    {"open", "", "on", "off", SHOW(open), "1", "on"},
    {"qr", "", "on", "off", SHOW(qr), "1", "on"},
    {"no-precompressed", "", "off", "on", SHOW(site.precompressed), "1", "off"},
    {"compress", "", "on", "off", SHOW(compress.on), "1", "on"},
    {"compress-level", "9", "9", "0", SHOW(compress.settings.level), "1", "1", {"--compress"}},
    {"compress-min",
     "4K",
     "4096",
     "1024",
     SHOW(compress.settings.size_min),
     "0",
     "0",
     {"--compress"}},
    {"compress-type",
     "image/png",
     "image/png ",
     shown(compress::usual_types()),
     SHOW(compress.settings.types),
     "+json\ntext/*",
     "+json text/* ",
     {"--compress"}},
    {"compress-cookies",
     "",
     "on",
     "off",
     SHOW(compress.settings.with_cookies),
     "1",
     "on",
     {"--compress"}},
    {"compress-cache",
     "1M",
     "1048576",
     "16777216",
     SHOW(compress.settings.cache_bytes),
     "0",
     "0",
     {"--compress"}},
    {"cache-size", "1M", "1048576", "67108864", SHOW(site.cache.bytes_max), "4K", "4096"},
    {"revalidate", "10s", "10000ms", "60000ms", SHOW(site.cache.revalidate), "0", "0ms"},
    {"port", "80", "80", "8000", SHOW(server.port), "0", "0"},
    {"bind", "[::1]:90", "[::1]:90 ", "127.0.0.1 ", SHOW(server.addresses), "unix:/a b\n0.0.0.0",
     "unix:/a b 0.0.0.0 "},
    {"h2c", "", "on", "off", SHOW(server.h2c), "1", "on"},
    {"engine", "blocking", "blocking", "auto", SHOW(server.engine), "per-core", "per-core"},
    {"workers", "3", "3", "0", SHOW(server.workers), "4", "4"},
    {"pin", "", "on", "off", SHOW(server.pin), "1", "on"},
    {"queue", "3", "3", "128", SHOW(server.queue_max), "4", "4", {"--engine", "reactor"}},
    {"busy-poll", "50us", "50us", "0us", SHOW(server.busy_poll), "1ms", "1000us"},
    {"tls", "", "on", "off", SHOW(tls.on), "1", "on"},
    {"tls-cert", "/c.pem", "/c.pem| ", "", SHOW(tls.settings.certificates), "/a\n/b", "/a| /b| "},
    {"tls-key",
     "/k.pem",
     "/c.pem|/k.pem ",
     "",
     SHOW(tls.settings.certificates),
     "/l.pem",
     "/c.pem|/l.pem ",
     {"--tls-cert", "/c.pem"}},
    {"tls-redirect",
     ":80",
     ":80 ",
     "",
     SHOW(server.redirect_addresses),
     ":81\n[::1]",
     ":81 [::1] ",
     {"--tls"}},
    {"no-h2", "", "off", "on", SHOW(server.h2), "1", "off", {"--tls"}},
    {"hide", "*.bak", "*.bak ", "", SHOW(site.hidden), "/drafts", "/drafts "},
    {"signed", "/a: key", "/a|key ", "", SHOW(access.signed_links), "key", "|key "},
    {"rate", "/a: 10/s", "/a|100000us|10 ", "", SHOW(access.rates), "60/m burst 7",
     "|1000000us|7 "},
    {"trust", "unix", "unix ", "", SHOW(access.proxies.trusted), "::1\n10.0.0.0/8",
     "::1 10.0.0.0/8 "},
    {"trust-field",
     "forwarded",
     "forwarded",
     "x-forwarded-for",
     SHOW(access.proxies.field),
     "forwarded",
     "forwarded",
     {"--trust", "::1"}},
    {"proxy-protocol", "::1", "::1 ", "", SHOW(access.proxies.proxy_protocol), "unix", "unix "},
    {"redirect", "/a: /b", "/a: /b ", "", SHOW(rules.redirects), "/c: 301 /d", "/c: 301 /d "},
    {"rewrite", "/a: /b", "/a: /b ", "", SHOW(rules.rewrites), "/c: /d", "/c: /d "},
    {"prefix", "/a", "/a", "", SHOW(rules.prefix), "/b/", "/b/"},
    {"maintenance", "/a", "/a", "", SHOW(rules.maintenance), "/b", "/b"},
    {"maintenance-except",
     "::1",
     "::1 ",
     "",
     SHOW(rules.maintenance_except),
     "unix",
     "unix ",
     {"--maintenance", "/a"}},
    {"security-headers", "", "on", "off", SHOW(rules.security_headers), "1", "on"},
    {"allow", "/a: ::1", "/a|::1|allowed ", "", SHOW(access.networks), "unix", "|unix|allowed "},
    {"deny", "10.0.0.0/8", "|10.0.0.0/8|denied ", "", SHOW(access.networks), "/a: 10.0.0.1",
     "/a|10.0.0.1|denied "},
    {"auth", "/a: /dev/null", "/a|/dev/null|", "", SHOW(access.passwords.rules), "/dev/null",
     "|/dev/null|"},
    {"auth-user", ada, "||" + ada + ' ', "", SHOW(access.passwords.rules), bob, "||" + bob + ' '},
    {"auth-tries",
     "5",
     "5",
     "10",
     SHOW(access.passwords.tries_per_minute),
     "0",
     "0",
     {"--auth", "/dev/null"}},
    {"auth-over-plain",
     "",
     "on",
     "off",
     SHOW(access.passwords_over_plain),
     "1",
     "on",
     {"--auth", "/dev/null"}},
    {"hsts", "", "31536000s", "0s", SHOW(server.hsts), "1", "31536000s", {"--tls"}},
    {"tls-client-ca", "/ca", "/ca", "", SHOW(tls.settings.client_ca), "/b", "/b", {"--tls"}},
    {"tls-client-auth",
     "ask",
     "ask",
     "off",
     SHOW(tls.settings.client_certificate),
     "require",
     "require",
     {"--tls", "--tls-client-ca", "/ca"}},
    {"tls-tickets", "/t", "/t", "", SHOW(tls.settings.tickets), "/u", "/u", {"--tls"}},
    {"tls-ocsp", "/o", "/o ", "", SHOW(tls.settings.staples), "/p\n/q", "/p /q ", {"--tls"}},
    {"tls-handshake-timeout",
     "1s",
     "1000ms",
     "10000ms",
     SHOW(tls.settings.handshake_timeout),
     "2s",
     "2000ms",
     {"--tls"}},
    {"tls-handshakes", "10", "10", "512", SHOW(tls.settings.handshakes_max), "20", "20", {"--tls"}},
    {"user", "12345:23456", "12345:23456", "nobody else", SHOW(user), "1:2", "1:2"},
    {"no-sandbox", "", "on", "off", SHOW(no_sandbox), "1", "on"},
    {"quiet", "", "on", "off", SHOW(quiet), "1", "on"},
    {"verbose", "", "-", "", SHOW(server.access_log.path), "1", "-"},
    {"access-log", "/a", "/a", "", SHOW(server.access_log.path), "-", "-"},
    {"access-log-format", "json", "json", "combined", SHOW(server.access_log.format), "combined",
     "combined"},
    {"revalidate", "5s", "5000ms", "60000ms", SHOW(site.cache.revalidate), "2", "2000ms"},
    {"memory", "64M", "67108864", "0", SHOW(server.memory_max), "1G", "1073741824"},
    {"max-connections", "10", "10", "0", SHOW(server.connections_max), "20", "20"},
    {"max-connections-per-address", "10", "10", "0", SHOW(server.connections_per_address_max), "20",
     "20"},
    {"max-requests", "10", "10", "0", SHOW(server.limits.requests_per_connection_max), "20", "20"},
    {"max-streams", "10", "10", "100", SHOW(server.limits.streams_max), "20", "20"},
    {"max-head", "64K", "65536", "32768", SHOW(server.limits.head_bytes_max), "2K", "2048"},
    {"head-timeout", "500ms", "500ms", "10000ms", SHOW(server.timeouts.head), "2", "2000ms"},
    {"keep-alive-timeout", "1m", "60000ms", "75000ms", SHOW(server.timeouts.keep_alive), "0",
     "0ms"},
    {"transmit-timeout", "1h", "3600000ms", "30000ms", SHOW(server.timeouts.transmit), "1s",
     "1000ms"},
    {"transmit-rate", "1000", "1000", "240", SHOW(server.timeouts.transmit_rate_min), "0", "0"},
    {"stop-timeout", "1s", "1000ms", "10000ms", SHOW(server.stop_timeout), "2s", "2000ms"},
    {"worker-timeout", "1s", "1000ms", "30000ms", SHOW(server.worker_timeout), "2s", "2000ms"},
};

TEST(ServeOptions, HaveDefaults) {
    for (const Case& one : cases) EXPECT_EQ(one.show(parsed({})), one.by_default) << one.option;
}

TEST(ServeOptions, AreReadFromTheCommandLine) {
    for (const Case& one : cases)
        EXPECT_EQ(one.show(parsed(one.arguments())), one.given) << one.option;
}

TEST(ServeOptions, AreReadFromTheirVariables) {
    for (const Case& one : cases) {
        const Variable variable{one.variable(), one.other_argument};
        EXPECT_EQ(one.show(parsed(one.besides)), one.other_given) << one.option;
    }
}

TEST(ServeOptions, OfTheCommandLineGoFirst) {
    for (const Case& one : cases) {
        const bool is_flag = one.argument.empty();
        const Variable variable{one.variable(), is_flag ? "0" : one.other_argument};
        EXPECT_EQ(one.show(parsed(one.arguments())), one.given) << one.option;
    }
}

TEST(ServeOptions, AreNotThereWhereAVariableIsEmptyOrSaysNo) {
    for (const Case& one : cases) {
        for (const char* value : {"", "0"}) {
            if (*value != '\0' && !one.argument.empty()) continue;
            const Variable variable{one.variable(), value};
            EXPECT_EQ(one.show(parsed({})), one.by_default) << one.option;
        }
    }
}

TEST(ServeOptions, AreAllTriedHere) {
    std::set<std::string> tried{"help", "help-all"};
    for (const Case& one : cases) tried.insert(one.option);
    const std::string help = parse_serve_options({"--help-all"}).error().text;
    const std::regex option{R"(\n  (?:-\w, |    )--([a-z0-9-]+))"};
    std::set<std::string> offered;
    for (std::sregex_iterator match{help.begin(), help.end(), option};
         match != std::sregex_iterator{}; ++match)
        offered.insert((*match)[1]);
    EXPECT_EQ(offered, tried);
}

TEST(ServeOptions, HaveShortNames) {
    const ServeOptions options = parsed({"-r", "/a", "-p", "81", "-b", "::1", "-b", "127.0.0.1:82",
                                         "-e", "epoll-workers", "-w", "5", "-s", "-l", "-q", "-v"});
    EXPECT_EQ(options.site.root, "/a");
    EXPECT_EQ(options.server.port, 81);
    EXPECT_EQ(options.server.addresses, (Arguments{"::1", "127.0.0.1:82"}));
    EXPECT_EQ(options.server.engine, "epoll-workers");
    EXPECT_EQ(options.server.workers, 5u);
    EXPECT_TRUE(options.site.spa_fallback);
    EXPECT_TRUE(options.site.listing);
    EXPECT_TRUE(options.quiet);
    EXPECT_EQ(options.server.access_log.path, "-");
}

TEST(ServeOptions, TakeAPathAsTheRoot) {
    EXPECT_EQ(parsed({"/a"}).site.root, "/a");
    EXPECT_EQ(parsed({"-p", "1", "/a", "-l"}).site.root, "/a");
    EXPECT_EQ(parsed({"/a", "-r", "/a/"}).site.root, "/a");
    const Variable variable{"WEIR_ROOT", "/c"};
    EXPECT_EQ(parsed({"/a"}).site.root, "/a");
}

TEST(ServeOptions, GivenAgainOverruleEarlierOnes) {
    EXPECT_EQ(parsed({"--port", "1", "--port", "2"}).server.port, 2);
    EXPECT_TRUE(parsed({"-l", "-l"}).site.listing);
}

TEST(ServeOptions, LetAllOriginsInUnlessSomeAreNamed) {
    EXPECT_EQ(shown(parsed({"--cors"}).site.cors_origins), "* ");
    EXPECT_EQ(shown(parsed({"--cors", "*"}).site.cors_origins), "* ");
    EXPECT_EQ(
        shown(parsed({"--cors", "https://a.example", "--cors=http://b.example"}).site.cors_origins),
        "https://a.example http://b.example ");
    const auto before_a_path = parsed({"--cors", "/a"});
    EXPECT_EQ(shown(before_a_path.site.cors_origins), "* ");
    EXPECT_EQ(before_a_path.site.root, "/a");
    EXPECT_EQ(shown(parsed({"--cors", "-l"}).site.cors_origins), "* ");
    for (const auto& [value, origins] : {std::pair{"1", "* "}, {"0", ""}, {"*", "* "}}) {
        const Variable variable{"WEIR_CORS", value};
        EXPECT_EQ(shown(parsed({}).site.cors_origins), origins) << value;
    }
}

TEST(ServeOptions, LimitAHeadAndItsLinesTogether) {
    const auto limits = parsed({"--max-head", "16K"}).server.limits;
    EXPECT_EQ(limits.request_line_bytes_max, 16'384u);
    EXPECT_EQ(limits.field_line_bytes_max, 16'384u);
}

TEST(ServeOptions, SwitchTheCacheOff) {
    EXPECT_EQ(parsed({"--cache-size", "0"}).site.cache.entries_max, 0u);
    EXPECT_GT(parsed({"--cache-size", "1M"}).site.cache.entries_max, 0u);
}

TEST(ServeOptions, WantClientsCertificatesOnceTheirCaIsKnown) {
    EXPECT_EQ(shown(parsed({"--tls", "--tls-client-ca", "/ca"}).tls.settings.client_certificate),
              "require");
}

TEST(ServeOptions, LogNothingWhereThatIsSaid) {
    EXPECT_EQ(parsed({"-v", "--access-log", "off"}).server.access_log.path, "");
    EXPECT_EQ(parsed({"-v", "--access-log", "/a"}).server.access_log.path, "/a");
}

/// The default of an option according to its help: "(default: 10s)".
std::optional<std::string> stated_default(const Option& option) {
    std::smatch match;
    if (!std::regex_search(option.help, match, std::regex{R"(\(default: (.*)\)$)"}))
        return std::nullopt;
    return match[1];
}

TEST(ServeOptions, StateTheirDefaultsInHelp) {
    const std::set<std::string> rules{"header",
                                      "cache-control",
                                      "media-type",
                                      "cors",
                                      "tls-cert",
                                      "tls-redirect",
                                      "auth",
                                      "auth-user",
                                      "allow",
                                      "deny",
                                      "hide",
                                      "signed",
                                      "rate",
                                      "tls-client-ca",
                                      "tls-tickets",
                                      "tls-ocsp",
                                      "trust",
                                      "proxy-protocol",
                                      "redirect",
                                      "rewrite",
                                      "prefix",
                                      "maintenance",
                                      "maintenance-except"};
    for (const Option& option : serve_page().options) {
        if (!option.takes_value() || option.is_positional) continue;
        const auto stated = stated_default(option);
        const bool has_none = rules.contains(option.long_name);
        EXPECT_TRUE(stated || has_none || option.help.contains("(by default, ")) << option.help;
        const auto known = std::ranges::find(cases, option.long_name, &Case::option);
        ASSERT_NE(known, cases.end()) << option.long_name;
        if (!stated) continue;
        Arguments arguments = known->besides;
        arguments.insert(arguments.end(), {option.name(), *stated});
        EXPECT_EQ(known->show(parsed(arguments)), known->by_default) << option.help;
    }
}

TEST(ServeOptions, ThatMostNeedAreInTheHelpAndAllInTheLongOne) {
    const std::string help = parse_serve_options({"--help"}).error().text;
    EXPECT_FALSE(help.contains("--revalidate"));
    EXPECT_TRUE(help.contains(" more options: weir serve --help-all, or man weir-serve\n"));
    EXPECT_LT(std::ranges::count(help, '\n'), 75);
    for (const std::string_view name : serve_page().first_options)
        EXPECT_TRUE(help.contains("--" + std::string{name})) << name;
    const std::string all = parse_serve_options({"-p", "1", "--help-all"}).error().text;
    EXPECT_TRUE(all.contains("--revalidate") && all.contains("Exit codes:"));
}

TEST(ServeOptions, AreExplained) {
    for (const char* option : {"-h", "--help", "--help-all"}) {
        const auto options = parse_serve_options({option});
        ASSERT_FALSE(options.has_value());
        EXPECT_EQ(options.error().exit_code, 0);
        EXPECT_TRUE(options.error().text.contains("Examples:"));
        std::istringstream lines{options.error().text};
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
    }
}

}  // namespace
}  // namespace weir::cli
