#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "engines/contract/host.h"
#include "http/client_origin.h"
#include "http/passing_on.h"
#include "http/workspace.h"

namespace weir::server {

/// A connection from a proxy, which begins with a header of the PROXY protocol. All later bytes
/// belong to the client that the header names, and go to an inner connection, which is made after
/// the header. A connection without the header is cut, because it may have bypassed the proxy.
class ProxiedConnection final : public http::PassingOn {
   public:
    using Connect = decltype(engines::Host::connect);

    /// `connect` makes the inner connection, and must outlive this one.
    ProxiedConnection(const Connect& connect, http::Workspace& workspace, http::Origin& origin,
                      Now now);
    ~ProxiedConnection() override { inner_.reset(); }  // the inner connection refers to client_

   private:
    http::CloseImpact do_close_impact() const noexcept override;
    void do_receive(std::string_view bytes, Now now) override;
    void do_receive_end(Now now) override;
    void do_expire(Now now, std::uint64_t queued) override;
    void do_turn_away(Now now) override;
    void do_evict(Now now) override;
    void do_retire(Now now) override;
    void do_fail(http::Outcome why, Now now) override;
    void do_take_ownership(Now now) override;

    void receive_header(std::string_view bytes, Now now);
    void keep(std::string_view more);
    void begin(std::string address, Now now);
    void close() noexcept;

    const Connect& connect_;
    http::Workspace& workspace_;
    http::Origin& origin_;
    std::shared_ptr<http::ClientOrigin> client_;  // null: the header names no client
    std::string header_;                          // the first bytes of an incomplete header
    Share memory_;
    bool is_retired_ = false;
};

}  // namespace weir::server
