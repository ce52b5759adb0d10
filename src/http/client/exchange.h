#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/http/handler.h"
#include "weir/http/head_index.h"
#include "weir/http/method.h"

namespace weir::http::client {

/// The reason why an exchange has no response, or only a part of one.
enum class Failure : std::uint8_t {
    none,
    unreachable,  // there was no connection
    busy,         // too many exchanges wait for a connection
    insecure,     // the server speaks no TLS that can be used
    unknown_ca,   // the server's certificate is from a CA that is not trusted, or wrong in itself
    wrong_host,   // the server's certificate is for another host
    out_of_date,  // the server's certificate has expired, or is not valid yet
    stale,        // a kept connection closed before the first byte of the response
    closed,       // the connection closed too early
    malformed,    // the response is not HTTP/1.x, or could be read in two ways
    too_large,    // the head of the response exceeds the limits
    timed_out,
    stopped,  // this server stops
    out_of_memory,
};

/// The request of an exchange.
struct Outgoing {
    enum class Content : std::uint8_t { none, sized, chunked };

    std::string head;  // the request line, the field lines, and the empty line
    Method method = Method::get;
    Content content = Content::none;
    bool upgrades = false;          // a 101 makes a tunnel of the connection
    bool expects_continue = false;  // the content waits for a 100
};

/// True for the methods with which a server expects a length even of no content (RFC 9110 8.6).
constexpr bool anticipates_content(Method method) noexcept {
    return method == Method::post || method == Method::put || method == Method::patch;
}

/// The head of a response. Hop-by-hop fields are still there.
struct Answered {
    std::string head;
    HeadIndex index;
    std::uint16_t code = 0;
    std::optional<std::uint64_t> content_length;  // of content that follows
    bool is_tunnel = false;
};

/// One request to another server and its response, for the connection that carries both. The code
/// that wants the response implements it. The thread that drives the connection makes all calls.
/// Those that are not noexcept may throw std::bad_alloc: then the connection ends.
class Exchange {
   public:
    virtual ~Exchange() = default;

    virtual const Outgoing& request() const noexcept = 0;
    /// `carrier` is to be woken when wanted() changes.
    virtual void begin(Waker carrier) noexcept = 0;

    struct Wanted {
        bool is_canceled = false;    // the response is of no use: the connection closes
        bool takes_bytes = false;    // of the response
        bool has_content = false;    // take_content() has some
        bool content_ended = false;  // no more follows
    };
    virtual Wanted wanted() noexcept = 0;
    /// Moves content of the request into `into`, which is empty.
    virtual void take_content(std::string& into) noexcept = 0;
    /// Some of the request has left.
    virtual void note_sent() noexcept = 0;

    /// The head of a 103 (RFC 8297). Any number of them may come before the response.
    virtual void hint(Answered&& head) = 0;
    virtual void answer(Answered&& head) = 0;
    /// `bytes` are the next part of the response's content, decoded, and borrowed for the call.
    virtual void deliver(std::string_view bytes) = 0;
    /// The response is complete. `trailers`: "name: value\r\n"...
    virtual void end(std::string trailers) noexcept = 0;
    /// The exchange ends in another way.
    virtual void fail(Failure failure) noexcept = 0;
};

/// The exchanges of a connection, one after the other. The same thread makes all calls.
class Exchanges {
   public:
    virtual ~Exchanges() = default;
    /// The connection exists. `carrier` is to be woken when next() has something.
    virtual void open(Waker carrier) noexcept = 0;
    /// Null if there is none yet.
    virtual std::shared_ptr<Exchange> next() noexcept = 0;
    /// The connection waits for another exchange. False if none will come: then it closes.
    virtual bool keep() noexcept = 0;
    /// True: no further exchange comes. The connection closes once it is idle, and is woken for it.
    virtual bool is_over() noexcept { return false; }
    /// The connection has closed. An exchange that has not begun goes elsewhere.
    virtual void close() noexcept = 0;
    /// In place of open(): the first exchange fails like this.
    virtual void refuse(Failure failure) noexcept = 0;
};

}  // namespace weir::http::client
