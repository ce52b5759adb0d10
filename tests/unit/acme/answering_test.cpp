// The challenge http-01 (RFC 8555 8.3).

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "acme/acme.h"
#include "support/temporary_path.h"
#include "tls/files/private_file.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::acme {
namespace {

struct AnsweringTest : ::testing::Test {
    AnsweringTest() {
        std::filesystem::create_directories(folder);
        EXPECT_TRUE(tls::write_private(folder + "/token_-1", "token_-1.thumbprint"));
        EXPECT_TRUE(tls::write_private(folder + "/example.org.pem", "a secret"));
        site.get("/{path...}", [](const web::Call&) { return web::text("the site"); });
    }
    ~AnsweringTest() override { std::filesystem::remove_all(folder); }

    const std::string folder = tests::temporary_path("challenges");
    const std::string below = "/.well-known/acme-challenge/";
    web::Router site{};
    std::unique_ptr<http::Handler> handler = answering(site, folder);
    web::Probe probe{*handler};
};

TEST_F(AnsweringTest, GivesTheKeyAuthorization) {
    const auto answer = probe.get(below + "token_-1");
    EXPECT_EQ(answer.status, 200U);
    EXPECT_EQ(answer.content, "token_-1.thumbprint");
    EXPECT_EQ(answer.field("Content-Type"), "application/octet-stream");
    EXPECT_EQ(answer.field("Cache-Control"), "no-store");
    EXPECT_EQ(probe.ask("HEAD", below + "token_-1").status, 200U);
}

TEST_F(AnsweringTest, LeavesTheRestToTheSite) {
    for (const std::string path :
         {"/", "/token_-1", "/.well-known/", "/.well-known/acme-challenge/",
          "/.well-known/acme-challenge/unknown", "/.well-known/acme-challenge/token_-1/",
          "/.well-known/acme-challenge/example.org.pem", "/.well-known/acme-challenge/x%20"})
        EXPECT_EQ(probe.get(path).content, "the site") << path;
    EXPECT_EQ(probe.post(below + "token_-1", "").status, 405U);
}

}  // namespace
}  // namespace weir::acme
