#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/now.h"
#include "weir/http/handler.h"

namespace weir::http {

/// The one thing that an engine does next for a connection. Single-valued, so that back-pressure
/// needs no rule of its own: a connection that transmits or waits is not read from.
enum class Step : std::uint8_t {
    receive,   // read from the peer, then receive() or receive_end()
    handle,    // take_request(), have it handled, then respond()
    wait,      // nothing until an answer or a wake-up comes, or the deadline
    transmit,  // send what transmit() says, then transmitted()
    drain,     // shut down the sending side, then as `receive`: the rest is read and thrown away
    close,     // close the descriptor and destroy the connection
};

/// What to send: the bytes of `parts` in order, then the stretch of the file, where there is one.
struct Transmission {
    std::array<std::string_view, 3> parts;  // the empty ones are at the end
    FileRange file;                         // size 0: none
    bool ends = false;  // nothing follows: once all is sent, shut down the sending side

    /// Send the bytes with MSG_MORE: a file's first bytes, or the FIN, ride in the same segment.
    bool more_follows() const noexcept { return file.size != 0 || ends; }
    std::size_t part_bytes() const noexcept {
        return parts[0].size() + parts[1].size() + parts[2].size();
    }
};

/// The contract between a protocol and the engines. A connection turns bytes into requests and
/// responses into bytes. It never reads, writes, sleeps, or asks what time it is: an engine owns
/// descriptors, receive buffers, threads and time.
///
/// Mutate once, then look again: after each call the engine reads step() and deadline() anew. Each
/// call says at which steps it may be made; all may be made by any thread, one at a time.
///
/// Who owns what: bytes given to receive() are borrowed while step() is `handle`, `wait` or
/// `transmit`, until step() is `receive` again or settle() was called. What transmit() names lies
/// in the workspace's buffers, which the next connection writes over: before the engine turns to
/// another connection (or lets a send complete later), it calls settle(), and from then on all that
/// is unfinished lies in memory of the connection's own, unmoved until transmitted(). A connection
/// is destroyed at `close` or after settle().
class Connection {
   public:
    virtual ~Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    Step step() const noexcept { return step_; }
    /// When expire() is owed; `never` where nothing is. Changes with each call.
    Instant deadline() const noexcept { return deadline_; }

    /// At `receive` and `drain`: what the peer sent; at least one byte.
    virtual void receive(std::string_view bytes, Now now) = 0;
    /// At `receive` and `drain`: the peer shut down its side. A request that is whole still gets
    /// its answer; one that is cut is never handled.
    virtual void receive_end(Now now) = 0;

    /// At `handle`, once. The request is there until respond(), and no longer: an engine that lets
    /// another thread handle it passes on take_request().share(). Where the reply takes its time,
    /// the step is now `transmit` (earlier answers that are not sent yet) or `wait`.
    virtual const Request& take_request() = 0;
    /// At any step after take_request(), once: the handler's reply. A reply that comes after the
    /// handler's deadline is ignored.
    virtual void respond(Reply&& reply, Now now) = 0;
    /// At any step: a paused source or sink may go on. Harmless when none is paused.
    virtual void wake(Now now) = 0;

    /// At `transmit`: the same answer until transmitted().
    virtual Transmission transmit() = 0;
    /// `size` bytes of it were sent; partial sends count across parts and file.
    virtual void transmitted(std::uint64_t size, Now now) = 0;

    /// At any step: the deadline has passed (a call too early is ignored).
    virtual void expire(Now now) = 0;
    /// At `receive` and `handle`: the engine has no room for it. The peer is told so, and to try
    /// again later; then the connection ends.
    virtual void turn_away(Now now) = 0;
    /// At any step: the server stops. A connection between requests closes, once no request can be on
    /// its way any more; one at work finishes its answer, says `Connection: close`, and closes.
    virtual void retire(Now now) = 0;
    /// At any step: the descriptor failed (reset, a file that ended early, ...). The step is
    /// `close` afterwards. A connection that is destroyed at another step counts as `stopped`.
    virtual void fail(Outcome why, Now now) = 0;
    /// At any step: moves whatever is still borrowed into memory of the connection's own.
    virtual void settle() = 0;

   protected:
    Connection() = default;
    Step step_ = Step::receive;
    Instant deadline_ = never;
};

}  // namespace weir::http
