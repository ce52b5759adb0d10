#include "weir/rules/security_headers.h"

#include <gtest/gtest.h>

#include "weir/web/probe.h"

namespace weir::rules {
namespace {

class Framed final : public http::Handler {
   public:
    http::Reply handle(const http::Request& request) override {
        if (request.path() == "/later") return http::Later{std::make_unique<AtOnce>()};
        return answer();
    }

   private:
    static http::Response answer() {
        http::Response response;
        response.add("X-Frame-Options", "SAMEORIGIN");
        return response;
    }
    struct AtOnce final : http::Continuation {
        http::Reply resume() override { return answer(); }
    };
};

TEST(SecurityHeaders, AreAddedWhereTheyAreMissing) {
    Framed site;
    const auto headers = add_security_headers(site);
    web::Probe probe{*headers};
    for (const char* const path : {"/", "/later"}) {
        const auto answer = probe.get(path);
        EXPECT_EQ(answer.field("X-Content-Type-Options"), "nosniff") << path;
        EXPECT_EQ(answer.field("Referrer-Policy"), "strict-origin-when-cross-origin") << path;
        EXPECT_EQ(answer.field("X-Frame-Options"), "SAMEORIGIN") << path;
    }
}

}  // namespace
}  // namespace weir::rules
