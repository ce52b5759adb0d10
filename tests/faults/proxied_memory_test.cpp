// Each allocation in the life of a proxy's connection that fails: the connection ends, and nothing else.

#include <gtest/gtest.h>

#include <string>

#include "base/budget.h"
#include "faults/failing_new.h"
#include "http/http1/http1_connection.h"
#include "server/proxied/proxied_connection.h"
#include "unit/http/driver.h"

namespace weir::server {
namespace {

using tests::FailingNew;

const std::string header =
    "PROXY TCP6 2001:db8:1111:2222:3333:4444:5555:6666 2001:db8::1 5000 443\r\n";
const std::string get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

http::Reply address_of(const http::Request& request) {
    std::string address;
    request.origin().append_address(address);
    return http::text(address);
}

class Proxy final : public http::Driver {
   public:
    Proxy() : Driver{address_of, {}, {}} {
        workspace.memory = &memory;
        connection = std::make_unique<ProxiedConnection>(connect, workspace, *this, now);
    }
    ~Proxy() { connection.reset(); }

    const ProxiedConnection::Connect connect = [](http::Workspace& buffers, http::Origin& origin,
                                                  Now time) {
        return std::make_unique<http::Http1Connection>(buffers, origin, time);
    };
    Budget memory{100'000};
    std::string sent;

   private:
    void has_sent(std::string_view bytes) override { sent += bytes; }
};

TEST(ProxiedMemory, AnAllocationThatFailsEndsNothingButTheConnection) {
    FailingNew::spare_this_thread();
    int ended = 0;
    for (int nth = 1;; ++nth) {
        Proxy proxy;
        const std::string all = header + get;
        FailingNew::fail(nth);
        for (const std::string& piece : {all.substr(0, 30), all.substr(30)}) {
            if (!http::reads(proxy.step())) continue;
            FailingNew::strike([&] { proxy.connection->receive(piece, proxy.now); });
            proxy.drive();
        }
        FailingNew::clear();
        if (FailingNew::failed() == 0) {
            EXPECT_TRUE(proxy.sent.ends_with("\r\n2001:db8:1111:2222:3333:4444:5555:6666"));
            break;
        }
        if (proxy.step() == http::Step::close) ++ended;
        EXPECT_FALSE(proxy.sent.contains("192.0.2.7")) << "the proxy's own address";
    }
    EXPECT_GT(ended, 2);
    FailingNew::clear();
}

}  // namespace
}  // namespace weir::server
