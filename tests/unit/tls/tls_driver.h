#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "http/http1/http1_connection.h"
#include "support/fake_tls.h"
#include "tls/connection/tls_connection.h"
#include "unit/http/connection_driver.h"

namespace weir::tls {

using tests::FakeSession;
namespace fake = tests::fake_tls;

/// Drives HTTP/1 within a fake of TLS; it plays the client too.
class TlsDriver final : public http::Driver {
   public:
    explicit TlsDriver(Handle handle, std::size_t flight_bytes = fake::flight.size())
        : TlsDriver{std::move(handle), std::make_unique<FakeSession>(flight_bytes)} {
        fake_session = static_cast<FakeSession*>(session);
    }
    TlsDriver(Handle handle, std::unique_ptr<Session> made)
        : Driver{std::move(handle), {}, {}}, session{made.get()}, made_{std::move(made)} {
        workspace.layer = std::make_unique<Buffers>();
        factories.session = [this] { return std::move(made_); };
        factories.protocol = [this](std::string_view name, http::Workspace& of,
                                    http::Origin& origin, Now at) {
            protocol = name;
            inner_origin = &origin;
            return std::make_unique<http::Http1Connection>(of, origin, at);
        };
        connection = std::make_unique<TlsConnection>(factories, workspace, *this, now);
    }

    TlsFactories factories;
    Session* session;
    FakeSession* fake_session = nullptr;
    std::string protocol;  // that the session told
    http::Origin* inner_origin = nullptr;
    Buffers& buffers() { return static_cast<Buffers&>(*workspace.layer); }

    std::string sent;  // ciphertext
    bool fin_sent() const { return fin_sent_; }
    bool has_made_session() const { return made_ == nullptr; }

    void shake_hands(std::string_view application = "http/1.1") {
        receive(fake::hello(application));
        receive(fake::finished());
    }
    /// After that, another connection uses what connections share.
    bool take_ownership() override {
        const bool is_changed = Driver::take_ownership();
        buffers().plain.fill('?');
        buffers().gather.fill('?');
        buffers().cipher.fill('?');
        return is_changed;
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

   private:
    void has_sent(std::string_view bytes) override { sent += bytes; }

    std::unique_ptr<Session> made_;  // until the connection asks for it
};

}  // namespace weir::tls
