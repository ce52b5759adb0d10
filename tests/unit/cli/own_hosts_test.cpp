#include "cli/beside/own_hosts.h"

#include <gtest/gtest.h>

#include <string>

#include "weir/http/response.h"
#include "weir/web/probe.h"

namespace weir::cli {
namespace {

class Pages final : public http::Handler {
   public:
    http::Reply handle(const http::Request&) override { return http::Response{}; }
};

int status_for(const std::string& host) {
    Pages pages;
    OwnHosts hosts{pages};
    web::Probe probe{hosts};
    return probe.get("/status", {{"Host", host}}).status;
}

TEST(OwnHosts, AreAddressesAndLocalhost) {
    for (const char* const host :
         {"127.0.0.1", "127.0.0.1:9100", "[::1]", "[::1]:9100", "192.0.2.7:80", "localhost",
          "LOCALHOST.:9100", "weir.localhost", "a.b.localhost:1"})
        EXPECT_EQ(status_for(host), 200) << host;
}

TEST(OwnHosts, AreNoOtherNames) {
    for (const char* const host : {"evil.com", "evil.com:9100", "localhost.evil.com",
                                   "notlocalhost", "127.0.0.1.evil.com", "unix:", "1.2.3"})
        EXPECT_EQ(status_for(host), 421) << host;
}

}  // namespace
}  // namespace weir::cli
