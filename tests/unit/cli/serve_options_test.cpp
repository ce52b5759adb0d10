#include "cli/serve/serve_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "cli/command.h"
#include "serve_cases.h"
#include "variable.h"

namespace weir::cli {
namespace {

using Arguments = std::vector<std::string>;

ServeOptions parsed(const Arguments& arguments) {
    auto options = parse_serve_options(arguments);
    EXPECT_TRUE(options.has_value()) << options.error().text;
    return options.value_or(ServeOptions{});
}

TEST(ServeOptions, HaveDefaults) {
    for (const Case& one : serve_cases())
        EXPECT_EQ(one.show(parsed({})), one.by_default) << one.option;
}

TEST(ServeOptions, AreReadFromTheCommandLine) {
    for (const Case& one : serve_cases())
        EXPECT_EQ(one.show(parsed(one.arguments())), one.given) << one.option;
}

TEST(ServeOptions, AreReadFromTheirVariables) {
    for (const Case& one : serve_cases()) {
        const Variable variable{one.variable(), one.other_argument};
        EXPECT_EQ(one.show(parsed(one.besides)), one.other_given) << one.option;
    }
}

/// The file with the hash of the argument "NAME:HASH", which is not printed.
std::string filled_in(std::string file, std::string_view argument) {
    constexpr std::string_view placeholder = "(hash not shown)";
    const auto at = file.rfind(placeholder);  // the first one is that of the advice
    if (at != file.npos)
        file.replace(at, placeholder.size(), argument.substr(argument.find(':') + 1));
    return file;
}

/// Everything is printed as a file, and read from it; hashes of passwords are filled in.
TEST(ServeOptions, AreReadFromTheFileThatTheyPrint) {
    for (const Case& one : serve_cases()) {
        if (one.option.contains("config")) continue;
        Arguments arguments = one.arguments();
        arguments.push_back("--print-config");
        const std::string printed = parsed(arguments).printed.value_or("");
        const auto document = config::parse(filled_in(printed, one.argument), "printed.toml");
        const auto options =
            serve_options_from({.arguments = {"--print-config"}, .document = &document});
        ASSERT_TRUE(options.has_value()) << options.error().text << printed;
        EXPECT_EQ(one.show(*options), one.given) << printed;
        EXPECT_EQ(options->printed, printed);
    }
}

TEST(ServeOptions, OfTheCommandLineGoFirst) {
    for (const Case& one : serve_cases()) {
        const bool is_flag = one.argument.empty();
        const Variable variable{one.variable(), is_flag ? "0" : one.other_argument};
        EXPECT_EQ(one.show(parsed(one.arguments())), one.given) << one.option;
    }
}

TEST(ServeOptions, AreNotThereWhereAVariableIsEmptyOrSaysNo) {
    for (const Case& one : serve_cases()) {
        for (const char* value : {"", "0"}) {
            if (*value != '\0' && !one.argument.empty()) continue;
            const Variable variable{one.variable(), value};
            EXPECT_EQ(one.show(parsed({})), one.by_default) << one.option;
        }
    }
}

TEST(ServeOptions, AreAllTriedHere) {
    std::set<std::string> tried{"help", "help-all"};
    for (const Case& one : serve_cases()) tried.insert(one.option);
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
    EXPECT_EQ(parsed({"--cors"}).site.cors_origins, Arguments{"*"});
    EXPECT_EQ(parsed({"--cors", "*"}).site.cors_origins, Arguments{"*"});
    EXPECT_EQ(parsed({"--cors", "https://a.example", "--cors=http://b.example"}).site.cors_origins,
              (Arguments{"https://a.example", "http://b.example"}));
    const auto before_a_path = parsed({"--cors", "/a"});
    EXPECT_EQ(before_a_path.site.cors_origins, Arguments{"*"});
    EXPECT_EQ(before_a_path.site.root, "/a");
    EXPECT_EQ(parsed({"--cors", "-l"}).site.cors_origins, Arguments{"*"});
    for (const auto& [value, are_all] : {std::pair{"1", true}, {"0", false}, {"*", true}}) {
        const Variable variable{"WEIR_CORS", value};
        EXPECT_EQ(parsed({}).site.cors_origins, are_all ? Arguments{"*"} : Arguments{}) << value;
    }
}

TEST(ServeOptions, TakeFilesIntoTheRootUnlessAFolderIsNamed) {
    EXPECT_EQ(parsed({"--upload"}).upload.folders, Arguments{""});
    EXPECT_EQ(parsed({"--upload=/in", "--upload=/a/b/"}).upload.folders, (Arguments{"in", "a/b"}));
    const auto before_a_path = parsed({"--upload", "/a"});
    EXPECT_EQ(before_a_path.upload.folders, Arguments{""});
    EXPECT_EQ(before_a_path.site.root, "/a");
    EXPECT_EQ(parsed({"--upload=/in"}).site.listing_uploads, Arguments{"in"});
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
    EXPECT_EQ(parsed({"--tls", "--tls-client-ca", "/ca"}).tls.settings.client_certificate,
              tls::Settings::ClientCertificate::require);
}

TEST(ServeOptions, LogNothingWhereThatIsSaid) {
    EXPECT_EQ(parsed({"-v", "--access-log", "off"}).server.access_log.path, "");
    EXPECT_EQ(parsed({"-v", "--access-log", "/a"}).server.access_log.path, "/a");
}

TEST(ServeOptions, TakeAFormatOfTheUser) {
    const auto log = parsed({"--access-log-format", "{remote} {status}"}).server.access_log;
    EXPECT_EQ(log.format, server::AccessLogOptions::Format::own);
    EXPECT_EQ(log.own_format, "{remote} {status}");
}

TEST(ServeOptions, StateTheirDefaultsInHelp) {
    const std::set<std::string> rules{"header",         "cache-control", "media-type",
                                      "cors",           "tls",           "tls-cert",
                                      "tls-redirect",   "auth",          "auth-user",
                                      "allow",          "deny",          "hide",
                                      "signed",         "rate",          "tls-client-ca",
                                      "tls-tickets",    "tls-ocsp",      "trust",
                                      "proxy-protocol", "redirect",      "rewrite",
                                      "prefix",         "maintenance",   "maintenance-except",
                                      "upload",         "webdav",        "upload-auth",
                                      "proxy",          "domain",        "acme-email",
                                      "acme-eab",       "log-skip",      "access-log-rotate"};
    for (const Option& option : serve_page().options) {
        if (!option.takes_value() || option.is_positional) continue;
        const auto stated = stated_default(option);
        const bool has_none = rules.contains(option.long_name);
        EXPECT_TRUE(!stated.empty() || has_none || option.help.contains("(by default, "))
            << option.help;
        const auto known = std::ranges::find(serve_cases(), option.long_name, &Case::option);
        ASSERT_NE(known, serve_cases().end()) << option.long_name;
        if (stated.empty()) continue;
        Arguments arguments = known->besides;
        arguments.insert(arguments.end(), {option.name(), std::string{stated}});
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
