#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/http1/http1_connection.h"
#include "support/fake_tls.h"
#include "tls/tls_connection.h"
#include "unit/http/connection_driver.h"

namespace weir::tls {

using tests::FakeSession;
namespace fake = tests::fake_tls;

/// HTTP/1 within a fake of TLS, in memory, under virtual time: plays the engine and the client.
class TlsDriver final : public http::Origin, public http::Observer {
   public:
    using Handle = std::function<http::Reply(const http::Request&)>;

    explicit TlsDriver(Handle handle, std::size_t flight_bytes = fake::flight.size())
        : TlsDriver{std::move(handle), std::make_unique<FakeSession>(flight_bytes)} {
        fake_session = static_cast<FakeSession*>(session);
    }
    TlsDriver(Handle handle, std::unique_ptr<Session> made)
        : session{made.get()}, handle_{std::move(handle)}, made_{std::move(made)} {
        workspace.layer = std::make_unique<Buffers>();
        makers.session = [this] { return std::move(made_); };
        makers.protocol = [this](std::string_view name, http::Workspace& of, http::Origin& origin,
                                 Now at) {
            protocol = name;
            inner_origin = &origin;
            return std::make_unique<http::Http1Connection>(of, origin, at);
        };
        connection = std::make_unique<TlsConnection>(makers, workspace, *this, now);
    }

    http::Limits limits;
    http::Timeouts timeouts;
    Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    http::Workspace workspace{limits, timeouts, this};
    Makers makers;
    std::unique_ptr<http::Connection> connection;
    Session* session;
    FakeSession* fake_session = nullptr;
    std::string protocol;  // that the session told
    http::Origin* inner_origin = nullptr;
    Buffers& buffers() { return static_cast<Buffers&>(*workspace.layer); }

    std::string sent;                        // ciphertext
    std::vector<std::size_t> flushes;        // how much each of them had
    bool fin_sent = false;                   // a transmission said so, and left whole
    std::size_t send_max = ~std::size_t{0};  // bytes a transmission takes; 0: the peer takes none
    std::uint64_t queued = 0;                // of what was sent, what the peer has not taken
    bool settles = false;                    // after every call
    int handled = 0;
    struct Seen {
        http::Status status;
        http::Outcome outcome;
        std::uint64_t content_bytes;
    };
    std::vector<Seen> seen;
    std::shared_ptr<http::TestPostbox> mail = std::make_shared<http::TestPostbox>();

    http::Step step() const { return connection->step(); }
    bool has_made_session() const { return made_ == nullptr; }

    void shake_hands(std::string_view application = "http/1.1") {
        receive(fake::hello(application));
        receive(fake::finished());
    }
    void receive(std::string_view bytes) {
        received_.assign(bytes);
        connection->receive(received_, now);
        drive();
        received_.assign(received_.size(), '!');
    }
    void receive_end() {
        connection->receive_end(now);
        drive();
    }
    void pass(std::chrono::milliseconds time) {
        now.instant += time;
        if (connection->deadline() <= now.instant) connection->expire(now, queued);
        drive();
    }
    void drive() {
        for (;;) {
            if (settles) settle();
            if (step() == http::Step::handle) {
                ++handled;
                const http::Request& request = connection->take_request();
                connection->respond(request.id(), handle_(request), now);
            } else if (http::sends(step()) && send_max != 0) {
                send();
            } else if (!settle()) {
                return;
            }
        }
    }
    /// After that, another connection uses what connections share. True: it is to be driven again.
    bool settle() {
        const bool is_changed = connection->settle(now);
        buffers().plain.fill('?');
        buffers().gather.fill('?');
        buffers().cipher.fill('?');
        return is_changed;
    }
    void send() {
        const http::Transmission what = connection->transmit();
        const std::string_view bytes = what.parts[0].substr(0, send_max);
        sent += bytes;
        flushes.push_back(bytes.size());
        fin_sent = what.ends && bytes.size() == what.parts[0].size();
        connection->transmitted(bytes.size(), now);
    }

    /// What the client makes of all that it got: plaintext; "[type]" for every other record.
    std::string decoded() const {
        std::string out;
        std::string_view rest = sent;
        for (fake::Record record; fake::take(rest, record);)
            out += record.type == fake::Type::data
                       ? record.content
                       : std::string{'['} + static_cast<char>(record.type) + ']';
        return out;
    }

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<http::Postbox> postbox() override { return mail; }
    std::uint64_t number() const noexcept override { return 1; }
    void answered(const http::Answered& a) noexcept override {
        seen.push_back({a.status, a.outcome, a.content_bytes});
    }

   private:
    Handle handle_;
    std::unique_ptr<Session> made_;  // until the connection asks for it
    std::string received_;
};

}  // namespace weir::tls
