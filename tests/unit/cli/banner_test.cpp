#include "cli/announce/banner.h"

#include <gtest/gtest.h>

namespace weir::cli {
namespace {

std::string banner_of(const std::vector<std::string>& addresses) {
    return banner({.served = "/srv/site",
                   .addresses = addresses,
                   .engine = "per-core",
                   .workers = 2,
                   .machine_addresses = {"192.0.2.7", "2001:db8::7"},
                   .backlog_max = 4'096,
                   .descriptors_max = 20'000});
}

TEST(Banner, SaysWhereForWhomAndByWhat) {
    EXPECT_EQ(banner_of({"127.0.0.1:8000"}),
              "weir " WEIR_VERSION
              " serves /srv/site\n"
              "  http://127.0.0.1:8000/\n"
              "engine per-core, 2 workers; Ctrl-C stops it\n"
              "only this machine can connect; use --bind 0.0.0.0 to let others in\n");
}

TEST(Banner, SaysWhyWhatItChoseItself) {
    const std::vector<std::string> addresses{"127.0.0.1:1"};
    EXPECT_TRUE(banner({.served = "/",
                        .addresses = addresses,
                        .engine = "per-core",
                        .why_engine = "it is the best",
                        .workers = 2,
                        .machine_addresses = {}})
                    .contains("engine per-core, 2 workers (auto: it is the best); Ctrl-C"));
}

TEST(Banner, SaysWhetherOthersGetToTheMetrics) {
    const auto line_of = [](const std::string& admin) {
        const std::vector<std::string> addresses{"127.0.0.1:1"};
        const std::string text = banner({.served = "/",
                                         .addresses = addresses,
                                         .admin = admin,
                                         .engine = "per-core",
                                         .machine_addresses = {}});
        const auto begin = text.find("metrics and");
        return text.substr(begin, text.find('\n', begin) - begin);
    };
    EXPECT_EQ(line_of("unix:/run/admin"), "metrics and probes at unix:/run/admin");
    for (const std::string local : {"127.0.0.1:9100", "[::1]:9100"})
        EXPECT_EQ(line_of(local), "metrics and probes at http://" + local + "/");
    for (const std::string open : {"0.0.0.0:9100", "[::]:9100"})
        EXPECT_EQ(line_of(open),
                  "metrics and probes at http://" + open + "/, for other machines, too");
}

TEST(Banner, NamesTheAddressesByWhichOthersGetThere) {
    EXPECT_EQ(banner_of({"0.0.0.0:80", "[::]:80"}),
              "weir " WEIR_VERSION
              " serves /srv/site\n"
              "  http://127.0.0.1:80/\n"
              "  http://192.0.2.7:80/\n"
              "  http://[2001:db8::7]:80/\n"
              "engine per-core, 2 workers; Ctrl-C stops it\n");
}

TEST(Banner, KnowsWhatOthersCanReach) {
    const std::string_view closed = "only this machine";
    EXPECT_TRUE(banner_of({"127.0.0.1:1", "[::1]:2", "unix:/run/weir.sock"}).contains(closed));
    EXPECT_FALSE(banner_of({"192.0.2.7:1", "unix:/run/weir.sock"}).contains("only"));
    EXPECT_FALSE(banner_of({"127.0.0.1:1", "192.0.2.7:2"}).contains(closed));
    EXPECT_TRUE(banner_of({"unix:/run/weir.sock"}).contains("\n  unix:/run/weir.sock\n"));
    EXPECT_TRUE(banner_of({"192.0.2.7:2"}).contains("\n  http://192.0.2.7:2/\n"));
}

TEST(Banner, SaysWhatTheSandboxLimits) {
    const std::vector<std::string> addresses{"127.0.0.1:1"};
    const sandbox::Report report{.on = {"core files", "system calls (seccomp)"},
                                 .off = {"files: this kernel has no Landlock"}};
    EXPECT_TRUE(banner({.served = "/",
                        .addresses = addresses,
                        .engine = "per-core",
                        .machine_addresses = {},
                        .sandbox = &report})
                    .contains("Ctrl-C stops it\n"
                              "sandbox: limits on core files, system calls (seccomp)\n"
                              "sandbox: no limits on files: this kernel has no Landlock\n"
                              "only this machine"));
}

TEST(Banner, MentionsSmallLimits) {
    const std::vector<std::string> addresses{"127.0.0.1:1"};
    BannerFacts facts{.served = "/",
                      .addresses = addresses,
                      .engine = "blocking",
                      .machine_addresses = {},
                      .backlog_max = 128,
                      .descriptors_max = 1'024};
    EXPECT_TRUE(banner(facts).contains("at most 128 connections can wait"));
    EXPECT_TRUE(banner(facts).contains("open files is 1024,"));
    EXPECT_TRUE(banner(facts).contains("engine blocking; "));
    facts.backlog_max = 4'096;
    facts.descriptors_max = 20'000;
    EXPECT_FALSE(banner(facts).contains("note:"));
    facts.connections_max = 20'000;
    EXPECT_TRUE(banner(facts).contains("open files is 20000,"));
}

TEST(Banner, SpeaksOfTheSocketWhereThereIsNothingElse) {
    EXPECT_EQ(banner_of({"unix:/run/weir.sock"}),
              "weir " WEIR_VERSION
              " serves /srv/site\n"
              "  unix:/run/weir.sock\n"
              "engine per-core, 2 workers; Ctrl-C stops it\n"
              "only programs with write permission on the socket can connect\n");
}

TEST(Banner, SaysHowToGetAListing) {
    const std::vector<std::string> addresses{"192.0.2.7:80"};
    BannerFacts facts{.served = "/",
                      .addresses = addresses,
                      .engine = "blocking",
                      .machine_addresses = {},
                      .has_no_index = true};
    EXPECT_TRUE(banner(facts).contains(
        "note: the folder has no index file, so / answers 404; --listing lists"));
    facts.has_no_index = false;
    EXPECT_FALSE(banner(facts).contains("--listing"));
}

TEST(Banner, DoesNotSpeakOfAListingWhereOnlyThisMachineSeesTheFolder) {
    const std::vector<std::string> addresses{"127.0.0.1:80"};
    EXPECT_FALSE(banner({.served = "/",
                         .addresses = addresses,
                         .engine = "blocking",
                         .machine_addresses = {},
                         .has_no_index = true})
                     .contains("--listing"));
}

TEST(Banner, SaysThatFilesAreNotWatched) {
    const std::vector<std::string> addresses{"127.0.0.1:80"};
    BannerFacts facts{
        .served = "/", .addresses = addresses, .engine = "blocking", .machine_addresses = {}};
    EXPECT_FALSE(banner(facts).contains("inotify"));
    facts.watches_files = false;
    EXPECT_TRUE(banner(facts).contains("inotify"));
}

}  // namespace
}  // namespace weir::cli
