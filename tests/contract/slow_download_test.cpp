// A program of its own: operator new is replaced.

#include "contract/slow_download.h"

#include "http/http2/prior_knowledge.h"

namespace weir::tests {

WEIR_OVER_EVERY_ENGINE(SlowDownload);

TEST_P(SlowDownload, OfHttp1IsNotHeld) {
    auto peer = client_of_proxy();
    expect_little_of_http1(peer);
}

TEST_P(SlowDownload, OfHttp2IsNotHeld) {
    options.connect = [](http::Workspace& workspace, http::Origin& origin, Now now) {
        return std::make_unique<http::PriorKnowledge>(workspace, origin, now);
    };
    expect_little_of_http2(std::make_unique<Client>(client_of_proxy()));
}

}  // namespace weir::tests
