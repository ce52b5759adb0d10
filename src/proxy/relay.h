#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "proxy/servers.h"
#include "upstream/connection_wait.h"
#include "upstream/names.h"
#include "upstream/pool.h"
#include "upstream/shared_exchange.h"
#include "weir/http/handler.h"
#include "weir/proxy/proxy.h"

namespace weir::proxy {

/// A route, with the parts that all of its requests share.
struct Way {
    Way(std::string path, upstream::Pool& of_proxy, const Options& options)
        : below{std::move(path)},
          servers{options.slow_start},
          pool{of_proxy},
          keeps_host{options.keeps_host},
          pause_after_failure{options.pause_after_failure},
          response_timeout{options.response_timeout},
          content_bytes_max{options.content_bytes_max} {}

    const std::string below;  // Route::path
    Servers servers;
    upstream::Pool& pool;
    const bool keeps_host;
    const std::chrono::milliseconds pause_after_failure;
    const std::chrono::milliseconds response_timeout;
    const std::uint64_t content_bytes_max;
};

/// One request on its way to a server, and the response on its way back.
class Relay final : public http::Continuation {
   public:
    Relay(Way& way, const http::Request& request);

    http::Reply resume() override;
    Instant due() const noexcept override { return wait_.until(); }
    std::optional<http::Response> refused(http::Status status, std::string_view reason) override;
    bool ends_with_peer() const noexcept override { return true; }
    void cut() noexcept override { exchange_->cancel(); }

   private:
    class Upload;

    void begin(bool fresh);
    http::Response answered();
    upstream::Name::Again try_again(const upstream::SharedExchange::Seen& seen);
    Server* pause_server(upstream::Failure failure);
    void change_to(Server& other, upstream::Failure failure);
    upstream::Name::Again try_other_addresses();
    http::Response response_of(upstream::Failure failure) const;
    void tell_operator(upstream::Failure failure) const;

    Way& way_;
    const http::Waker waker_;
    UnderWay under_way_;
    const std::shared_ptr<upstream::SharedExchange> exchange_;
    enum class OfName : std::uint8_t { known, asked, tried };
    OfName of_name_ = OfName::known;  // the addresses of the server, after those known had failed
    std::vector<const Server*> failed_;  // in their order
    std::size_t attempts_ = 0;           // the number of failed ones
    upstream::ConnectionWait wait_;
    bool has_content_;      // of the client, which was not asked for yet
    const bool is_http_1_;  // the client's version
    bool is_repeatable_;    // RFC 9110 9.2.2, and without content
};

}  // namespace weir::proxy
