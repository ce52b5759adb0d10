#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "support/time_limit.h"
#include "unit/site/request_fixture.h"
#include "unit/site/temporary_tree.h"
#include "weir/site/site.h"

namespace weir::site {

/// Runs `check` in a forked process; returns its result.
template <typename Check>
bool in_child(Check check) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(check() ? 0 : 1);
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// A test with a site in a directory of its own.
class SiteTest : public testing::Test {
   protected:
    TemporaryTree tree;

    std::unique_ptr<Site> open(Options options = {}) const {
        options.root = tree.string();
        auto site = Site::open(std::move(options));
        if (!site) throw std::runtime_error{site.error()};
        return std::move(*site);
    }

    /// Repeats the request until `pleases` accepts the answer. For effects of other threads or of
    /// the clock.
    template <typename Pleases>
    static TestAnswer ask_until(Site& site, const std::string& line, Pleases pleases) {
        const auto end = std::chrono::steady_clock::now() + tests::time_limit;
        for (;;) {
            TestAnswer answer = ask(site, line);
            if (pleases(answer)) return answer;
            if (std::chrono::steady_clock::now() > end) {
                ADD_FAILURE() << line << " never pleased; last: " << answer.status << "\n"
                              << answer.fields << answer.body.substr(0, 200);
                return answer;
            }
            std::this_thread::yield();
        }
    }

    /// Both are for a change that shows after a moment.
    static void expect_body(Site& site, const std::string& line, const std::string& body) {
        ask_until(site, line, [&](const auto& answer) { return answer.body == body; });
    }
    static void expect_status(Site& site, const std::string& line, unsigned status) {
        ask_until(site, line, [&](const auto& answer) { return answer.status == status; });
    }

    /// Repeats the request until the file is settled: the site does not cache a file that was
    /// written a moment ago, because it may change without a change of its times. Then two answers
    /// have the same entity tag. (A tag says so only if the file's time is that of its writing.)
    static TestAnswer settled(Site& site, const std::string& line) {
        std::optional<std::string> last;
        return ask_until(site, line, [&](const TestAnswer& answer) {
            const bool same = last && answer.field("ETag") == last;
            last = answer.field("ETag");
            return same;
        });
    }
};

}  // namespace weir::site
