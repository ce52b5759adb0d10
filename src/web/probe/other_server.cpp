#include "web/probe/other_server.h"

#include <utility>

#include "http/content/user_code.h"
#include "http/http1/http1_connection.h"

namespace weir::web {

using http::Step;

/// One end. Its bytes become the input of the other one.
class OtherServer::End final : public ProbeEnd {
   public:
    End(OtherServer& of, http::Handler& handler, std::shared_ptr<Mail> mail, const Now& clock)
        : ProbeEnd{std::move(mail), clock}, of_{of}, handler_{handler} {}

    void run() override { of_.run(); }
    /// True if bytes have moved.
    bool go_on() {
        const auto before = std::pair{moved_, input.size()};
        drive();
        return before != std::pair{moved_, input.size()};
    }
    bool can_send() const override { return to->input.size() < room; }
    void sent(std::string_view bytes) override {
        to->input += bytes;
        moved_ += bytes.size();
    }
    http::Reply handle(const http::Request& request) override {
        return http::UserCode{nullptr, request}.handle(handler_);
    }

    const http::Limits limits{};
    const http::Timeouts timeouts{};
    http::Workspace workspace{limits, timeouts};
    End* to = nullptr;
    bool knows_end = false;  // the other one sends no more

   private:
    static constexpr std::size_t room = 64 * 1024;  // of a socket

    OtherServer& of_;
    http::Handler& handler_;
    std::size_t moved_ = 0;  // bytes to the other end
};

OtherServer::OtherServer(http::Outbound& outbound, http::Handler& handler,
                         const std::shared_ptr<Mail>& mail, const Now& clock,
                         std::vector<ProbeEnd*>& ends)
    : clock_{clock},
      ends_{ends},
      near_{std::make_unique<End>(*this, handler, mail, clock)},
      far_{std::make_unique<End>(*this, handler, mail, clock)} {
    near_->to = far_.get();
    far_->to = near_.get();
    near_->connection = outbound.connect(*near_, clock);
    far_->connection = std::make_unique<http::Http1Connection>(far_->workspace, *far_, clock);
    ends_.insert(ends_.end(), {near_.get(), far_.get()});
}

OtherServer::~OtherServer() {
    std::erase_if(ends_,
                  [this](const ProbeEnd* end) { return end == near_.get() || end == far_.get(); });
}

bool OtherServer::is_closed() const noexcept {
    return near_->connection->step() == Step::close && far_->connection->step() == Step::close;
}

void OtherServer::run() {
    if (std::exchange(is_running_, true)) return;
    for (bool moves = true; moves;) {
        moves = near_->go_on();
        moves = far_->go_on() || moves;
        moves = pass_end(*near_, *far_) || moves;
        moves = pass_end(*far_, *near_) || moves;
    }
    is_running_ = false;
}

/// True if `to` was told that `from` sends no more.
bool OtherServer::pass_end(End& from, End& to) {
    if (to.knows_end || !from.has_ended() || to.connection->step() == Step::close) return false;
    if (!to.input.empty()) return false;
    const bool has_gone = from.connection->step() == Step::close;
    if (http::reads(to.connection->step()))
        to.connection->receive_end(clock_);
    else if (has_gone)
        to.connection->fail(http::Outcome::peer_gone, clock_);
    else
        return false;
    return to.knows_end = true;
}

}  // namespace weir::web
