#include "instructions/secure_path.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "http/http1/http1_connection.h"
#include "instructions/served.h"
#include "tls/connection/tls_connection.h"
#include "tls/openssl/algorithms.h"
#include "tls/openssl/context.h"
#include "tls/openssl/made_certificate.h"
#include "unit/site/temporary_tree.h"
#include "unit/tls/openssl_client.h"

namespace weir::instructions {

/// instructions.py has callgrind count in this function, and nowhere else.
[[gnu::noinline]] void counted(const std::function<void()>& work) { work(); }

namespace {

using tls::OpenSslClient;
using SessionHandle = std::unique_ptr<SSL_SESSION, tls::Release<SSL_SESSION_free>>;

/// A context of the command's settings, with a certificate that is made (ECDSA P-256).
std::shared_ptr<const tls::Context> make_context() {
    if (const auto loaded = tls::load_algorithms(); !loaded) give_up(loaded.error());
    const auto made = tls::make_self_signed({"localhost"}, 30).value();
    const site::TemporaryTree tree;
    tree.write("chain.pem", made.certificate);
    tree.write("key.pem", made.key);
    const tls::CertificateFiles files{tree.at("chain.pem").string(), tree.at("key.pem").string()};
    auto common = std::make_shared<tls::Context::Common>();
    common->protocols = tls::on_the_wire({"h2", "http/1.1"});
    return tls::Context::make({.certificates = {files}}, std::move(common)).value();
}

/// The server, and the engine of its connections.
class Server {
   public:
    Server() {
        workspace_.layer = std::make_unique<tls::Buffers>();
        factories_.session = [context = make_context()] { return context->session(); };
        factories_.protocol = [](std::string_view, http::Workspace& of, http::Origin& origin,
                                 Now at) {
            return std::make_unique<http::Http1Connection>(of, origin, at);
        };
    }
    void accept() {
        counted([this] {
            connection_ =
                std::make_unique<tls::TlsConnection>(factories_, workspace_, origin_, now_);
        });
    }
    void close() {
        counted([this] { connection_.reset(); });
        now_.instant += std::chrono::seconds{1};  // HandshakeLimiter counts by time
    }
    /// Returns the bytes that the server sends, until its connection waits for the next ones.
    std::string_view exchange(const std::string& bytes) {
        sent_.clear();
        counted([&] { drive(bytes); });
        return sent_;
    }

   private:
    void drive(const std::string& bytes) {
        connection_->receive(bytes, now_);
        do {
            if (connection_->step() == http::Step::handle) {
                const http::Request& taken = connection_->take_request();
                connection_->respond(taken.id(), file_.handle(taken), now_);
            }
            while (http::sends(connection_->step())) send();
        } while (connection_->take_ownership(now_));
    }
    void send() {
        const http::Transmission what = connection_->transmit();
        sent_ += what.parts[0];
        connection_->transmitted(what.parts[0].size(), now_);
    }

    const http::Limits limits_;
    const http::Timeouts timeouts_;
    http::Workspace workspace_{limits_, timeouts_};
    Nobody origin_;
    CachedFile file_;
    tls::TlsFactories factories_;
    Now now_{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    std::unique_ptr<http::Connection> connection_;
    std::string sent_;
};

/// The client's session has a ticket afterwards.
void shake_hands(OpenSslClient& client, Server& server) {
    while (!client.shake_hands()) client.give(server.exchange(client.take()));
    client.give(server.exchange(client.take()));
    if (!client.read().empty()) give_up("handshake");
}

SessionHandle handshake(Server& server, const SessionHandle& resumed) {
    OpenSslClient client{{.protocols = "\x08http/1.1"}};
    if (resumed) SSL_set_session(client.ssl(), resumed.get());
    server.accept();
    shake_hands(client, server);
    server.close();
    if (SSL_session_reused(client.ssl()) != (resumed ? 1 : 0)) give_up("resumption");
    SSL_set_shutdown(client.ssl(),
                     SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);  // else no resumption
    return SessionHandle{SSL_get1_session(client.ssl())};
}

void ask(Server& server, long count) {
    OpenSslClient client{{.protocols = "\x08http/1.1"}};
    server.accept();
    shake_hands(client, server);
    for (long i = 0; i < count; ++i) {
        client.write(request);
        client.give(server.exchange(client.take()));
        if (client.read().size() < content_bytes) give_up("answer");
    }
}

}  // namespace

int run_secure(std::string_view work, long count) {
    Server server;
    SessionHandle last;
    if (work == "secure") {
        ask(server, count);
    } else if (work == "resumed") {
        for (long i = 0; i < count; ++i) last = handshake(server, last);
    } else {
        for (long i = 0; i < count; ++i) handshake(server, last);
    }
    return EXIT_SUCCESS;
}

}  // namespace weir::instructions
