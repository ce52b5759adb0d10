#include "weir/server/own_loop.h"

#include "base/budget.h"
#include "engines/peer/completion_queue.h"
#include "http/layer.h"
#include "http/workspace.h"
#include "net/clock.h"
#include "net/system/memory_limit.h"
#include "server/entrance/certificate_reloader.h"
#include "server/entrance/protocols.h"
#include "server/guarded_handler.h"
#include "server/housekeeper.h"

namespace weir::server {
namespace {

constexpr std::uint64_t part = 4;  // the rest is for the program

}  // namespace

struct OwnLoop::Parts {
    Parts(http::Handler& user_handler, OwnLoopOptions given, Log& log)
        : options{std::move(given)},
          handler{user_handler, log},
          memory{options.memory_max != 0 ? options.memory_max : net::memory_limit() / part} {
        workspace.memory = &memory;
        workspace.failures = &handler;
        if (!options.tls) return;
        options.tls->begin(protocols_within_tls(options.h2));
        reloader.emplace(*options.tls, log);
        housekeeper.emplace().add(reloader->fd(), [this] {
            if (reloader->renew()) reloader->tell();
        });
        housekeeper->start_thread();
    }

    const OwnLoopOptions options;
    GuardedHandler handler;
    Budget memory;
    http::Workspace workspace{options.limits, options.timeouts};
    std::shared_ptr<engines::CompletionQueue> mail = std::make_shared<engines::CompletionQueue>();
    std::optional<CertificateReloader> reloader;  // of certificates
    std::optional<Housekeeper> housekeeper;
};

OwnLoop::OwnLoop(http::Handler& handler, OwnLoopOptions options, Log& log)
    : parts_{std::make_unique<Parts>(handler, std::move(options), log)} {}

OwnLoop::~OwnLoop() { parts_->mail->close(); }

std::unique_ptr<http::Connection> OwnLoop::connect(http::Origin& origin) {
    const OwnLoopOptions& options = parts_->options;
    if (options.tls) return options.tls->connect(parts_->workspace, origin, now());
    return make_plain_connection(options.h2c, parts_->workspace, origin, now());
}

void OwnLoop::handle(http::Connection& connection) noexcept {
    const http::Request& request = connection.take_request();
    const http::RequestId id = request.id();
    connection.respond(id, parts_->handler.handle(request), now());
}

Now OwnLoop::now() noexcept { return net::read_clock(); }

std::shared_ptr<http::Postbox> OwnLoop::postbox() const noexcept { return parts_->mail; }

int OwnLoop::mail_fd() const noexcept { return parts_->mail->fd(); }

struct OwnLoop::Mail::Content {
    engines::Completion completion;
};

void OwnLoop::Mail::deliver(http::Connection& connection) {
    content_->completion.deliver(connection, now());
}

std::vector<OwnLoop::Mail> OwnLoop::collect() {
    std::vector<Mail> mail;
    for (engines::Completion& each : parts_->mail->collect()) {
        if (each.outbound()) continue;  // the program's loop drives no such connection
        const std::uint64_t connection = each.ticket().connection;
        mail.push_back({connection, std::make_shared<Mail::Content>(std::move(each))});
    }
    return mail;
}

}  // namespace weir::server
