// HTTP/2 with prior knowledge (h2c).

#include "contract/http2.h"
#include "http/http2/prior_knowledge.h"

namespace weir::tests {

Http2::Http2() {
    options.connect = [](http::Workspace& workspace, http::Origin& origin, Now now) {
        return std::make_unique<http::PriorKnowledge>(workspace, origin, now);
    };
    open_ = [](Client socket, std::string_view) {
        return std::make_unique<Client>(std::move(socket));
    };
}

WEIR_OVER_EVERY_ENGINE(Http2);

}  // namespace weir::tests
