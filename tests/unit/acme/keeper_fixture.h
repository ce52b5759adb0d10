#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acme/acme.h"
#include "acme/folder/certificate.h"
#include "acme/keep/keeper.h"
#include "fake_ca.h"
#include "support/temporary_path.h"
#include "weir/client/client.h"
#include "weir/web/probe.h"

namespace weir::acme {

/// A keeper of the certificate of example.org, and a CA.
struct KeeperFixture : ::testing::Test {
    KeeperFixture() {
        std::filesystem::remove_all(folder);
        probe.play_other_servers(ca.router);
        router.get("/", [this](web::Call) -> web::Task<web::Response> {
            const std::int64_t next = co_await keeper->look_after_all(now);
            co_return web::text(std::to_string(next));
        });
        begin();
    }
    ~KeeperFixture() override {
        EXPECT_EQ(ca.complaints, std::vector<std::string>{});
        std::filesystem::remove_all(folder);
    }

    /// A process that starts.
    void begin() {
        ASSERT_TRUE(prepare(settings));
        keeper.emplace(settings, client, [this](bool is_failure, std::string_view sentence) {
            told.push_back((is_failure ? "failure: " : "") + std::string{sentence});
        });
    }
    /// Returns the time of the next look, from now.
    std::int64_t look() {
        auto exchange = probe.open("GET", "/");
        for (int steps = 0; steps < 200 && !exchange.answer().is_complete; ++steps)
            probe.advance(std::chrono::seconds{5});
        const auto answer = exchange.wait();
        EXPECT_EQ(answer.status, 200)
            << answer.content << (probe.failures().empty() ? "" : probe.failures().back());
        return answer.status == 200 ? std::stoll(answer.content) - now : 0;
    }
    std::string last_told() const { return told.empty() ? "" : told.back(); }
    std::string path() const { return certificate_path(settings.folder, "example.org"); }
    std::optional<Certificate> certificate() const {
        return read_certificate(path(), "example.org");
    }
    bool has_certificate() const {
        const auto found = certificate();
        return found && !found->is_placeholder;
    }
    bool has_challenges() const {
        return !std::filesystem::is_empty(challenges_path(settings.folder));
    }

    static constexpr std::int64_t hour = 3'600, day = 24 * hour;

    const std::string folder = tests::temporary_path("acme");
    Settings settings{.hosts = {"example.org"},
                      .directory = "http://ca/directory",
                      .ca = {},
                      .folder = folder + "/ca",
                      .applicant = {}};
    FakeCa ca{challenges_path(settings.folder)};
    web::Client client{};
    std::optional<Keeper> keeper{};
    web::Router router{};
    web::Probe probe{router, {}, {.handler = std::chrono::milliseconds{0}}};
    std::int64_t now = std::time(nullptr);
    std::vector<std::string> told{};
};

}  // namespace weir::acme
