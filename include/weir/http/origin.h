#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/base/instant.h"
#include "weir/base/now.h"

namespace weir::http {

class Connection;
class Origin;
class Response;

/// Identifies a request of a connection. An id is never used twice in the life of a connection.
using RequestId = std::uint64_t;

/// The address of a later response: a connection of the engine, and a request of this connection.
struct Ticket {
    std::uint64_t connection = 0;
    RequestId request = 0;

    bool operator==(const Ticket&) const = default;
};

/// A connection that the server opens itself. The engine drives it as one that it has accepted: the
/// same steps, deadlines and wake-ups, but never `handle`. If no engine takes it over, the
/// destructor tells the code that wanted it.
class Outbound {
   public:
    virtual ~Outbound() = default;
    /// The connection's socket, which is non-blocking, and is connected or connects (connect(2),
    /// EINPROGRESS). The caller owns it from then on. See also Postbox::has_network().
    virtual int release_socket() noexcept = 0;
    /// The protocol's side of the connection. `origin` outlives it. Throws std::bad_alloc.
    virtual std::unique_ptr<Connection> connect(Origin& origin, Now now) = 0;
};

/// Carries responses and wake-ups from any thread to the thread that drives the connection. The
/// engine makes it; any thread may call every member. A postbox ignores a ticket if the connection
/// has closed or the request is no longer under way.
class Postbox {
   public:
    virtual ~Postbox() = default;
    virtual void answer(Ticket ticket, Response&& response) = 0;
    virtual void wake(Ticket ticket) = 0;
    /// The thread that drives the connection drives this one, too. `outbound` is destroyed if the
    /// engine has gone or has no memory for it.
    virtual void adopt(std::unique_ptr<Outbound> /*outbound*/) {}
    /// False: a test plays all other servers, and the sockets of adopted connections are -1.
    virtual bool has_network() const noexcept { return true; }
    /// The time by the clock of the connection's deadlines.
    virtual Instant now() const noexcept { return {}; }
};

/// The encryption of a connection.
struct Security {
    std::string_view version{};      // "TLSv1.3"
    std::string_view cipher{};       // "TLS_AES_256_GCM_SHA384"
    std::string_view server_name{};  // the host that the client asked for (SNI); empty: none
    /// From the certificate of the client; empty if the client has authenticated with none.
    std::string_view client_subject{};      // as RFC 2253 writes it: "CN=ada,O=Example"
    std::string_view client_fingerprint{};  // SHA-256, 64 hexadecimal digits
    bool is_resumed = false;                // by a ticket of an earlier connection
};

/// The peer of a connection, for handlers. An engine implements this class; an origin lives as long
/// as its connection. Only the thread that drives the connection or runs its handler may call.
class Origin {
   public:
    /// Appends the peer's address without a port: "192.0.2.7", "2001:db8::7" or "unix:".
    virtual void append_address(std::string& out) const = 0;
    /// The destination of later responses and wake-ups. Called only for requests that need it.
    virtual std::shared_ptr<Postbox> postbox() = 0;
    /// The value of Ticket::connection for this connection.
    virtual std::uint64_t number() const noexcept = 0;
    /// The kind of the listener that accepted the connection. The server gives the numbers.
    virtual std::uint8_t listener_kind() const noexcept { return 0; }
    /// Nothing if the connection is plain. The text lives as long as the origin.
    virtual std::optional<Security> security() const { return std::nullopt; }
    /// An owner that a shared request keeps, so that its origin stays alive. Null: the engine keeps
    /// the origin alive.
    virtual std::shared_ptr<const void> keep() const { return nullptr; }

   protected:
    ~Origin() = default;
};

}  // namespace weir::http
