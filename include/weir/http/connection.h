#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <utility>

#include "weir/base/now.h"
#include "weir/http/handler.h"

namespace weir::http {

/// The one thing that an engine does next for a connection. A protocol that can't take more says
/// neither `receive` nor `exchange`, so back-pressure needs no rule of its own.
enum class Step : std::uint8_t {
    receive,   // read from the peer, then receive() or receive_end()
    handle,    // take_request(), have it handled, then respond()
    wait,      // nothing until an answer or a wake-up comes, or the deadline
    transmit,  // send what transmit() says, then transmitted(); do not read
    exchange,  // both of `receive` and `transmit`, whichever the socket allows
    drain,     // shut down the sending side, then as `receive`: the rest is read and thrown away
    close,     // close the descriptor and destroy the connection
};

/// The connection takes what the peer sends.
constexpr bool reads(Step step) noexcept {
    return step == Step::receive || step == Step::exchange || step == Step::drain;
}
/// The connection has something to send.
constexpr bool sends(Step step) noexcept {
    return step == Step::transmit || step == Step::exchange;
}

/// What a peer loses if its connection is closed now. An engine that is short of room evicts `idle`
/// connections first and `unfinished` ones next. It keeps the others.
enum class CloseImpact : std::uint8_t {
    idle,        // nothing: it is between two requests (RFC 9112 9.5)
    unfinished,  // a head that is still due, or the last bytes of a connection that ends
    working,     // a request that is being read or handled, or its answer
    handling,    // the same, and a handler has one: what takes time may not be the peer's fault
    leaving,     // nothing: it is evicted already, and ends in a moment
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
/// The engine reads step() and deadline(), does what the step says, tells the connection, and reads
/// both again: each call may change them. The calls come in this order:
///
///     receive()       bytes have come. At `handle` there are requests in them:
///     take_request()  one of them, with an id. The handler runs, here or on another thread.
///     respond()       its reply. Other requests of the connection may be taken, and answered, before.
///     transmit()      what is to be sent. The engine sends as much as the socket takes:
///     transmitted()   so much of it was sent.
///
/// Several requests may be under way on one connection (a protocol with one at a time says `handle`
/// again only after respond()). Their ids tell them apart; an id is never used twice in the life of
/// a connection. A request whose peer has canceled it stays under way for the engine: its reply is
/// still due. The connection drops it, and tells its source or sink.
///
/// Any thread may call, one at a time.
///
/// No call throws for want of memory. Where memory runs out in the middle of one, this connection
/// ends and no other: with a 503 where that can still be said, which needs no memory, else at
/// `close`. So the step may have changed after any call, settle() among them.
///
/// Who owns what:
/// - Bytes given to receive() are borrowed until reads(step()) again, or until settle().
/// - What transmit() names may lie in the workspace's buffers, which the next connection writes
///   over. Before the engine turns to another connection, or lets a send complete later, it calls
///   settle(): from then on all that is unfinished lies in memory of the connection's own.
/// - After settle(), the bytes and the file that transmit() named stay as they are until
///   transmitted(), or until the connection is destroyed, whatever is called in between: a send may
///   be under way while the connection receives, is answered, expires, or fails.
class Connection {
   public:
    virtual ~Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // ---- what the engine asks ----

    Step step() const noexcept {
        if (step_ > Step::close) std::unreachable();  // spares each engine's switch the question
        return step_;
    }
    /// When expire() is due; `never` where nothing is.
    Instant deadline() const noexcept { return deadline_; }
    /// At `close`: what the kernel still holds for the peer is of no use. Reset the connection.
    bool resets() const noexcept { return resets_; }

    /// At any step. Bytes that are in the socket are not known to the connection: look for them first.
    CloseImpact close_impact() const noexcept { return do_close_impact(); }

    /// At `handle`: the next request, which is under way from now on. It is there until its
    /// respond() or settle(), and no longer: an engine that lets another thread handle it passes on
    /// take_request().share(). reads(step()) may be true afterwards: a protocol with several
    /// requests goes on reading, and has then kept what it still needs of the borrowed bytes.
    const Request& take_request() {
        assert(step_ == Step::handle);
        return do_take_request();
    }
    /// At any step, for a request that was taken: whether its reply is still of use. Where it is
    /// not (the peer canceled it, or its deadline has passed), a request that waits for its handler
    /// need not be handled: any reply will do.
    bool awaits(RequestId id) const noexcept { return do_awaits(id); }

    /// At `transmit` and `exchange`: the same answer until transmitted().
    Transmission transmit() {
        assert(sends(step_));
        return do_transmit();
    }

    // ---- what the engine tells ----

    /// At `receive`, `exchange` and `drain`: what the peer sent; at least one byte.
    void receive(std::string_view bytes, Now now) {
        assert(reads(step_) && !bytes.empty());
        attempt(now, [&] { do_receive(bytes, now); });
    }
    /// At `receive`, `exchange` and `drain`: the peer shut down its side. A request that is whole
    /// still gets its answer; one that is cut is never handled.
    void receive_end(Now now) {
        assert(reads(step_));
        attempt(now, [&] { do_receive_end(now); });
    }

    /// At any step, for a request that was taken: the handler's reply. `Later` says that the reply
    /// takes its time, from here on: it comes by another call. Every other reply ends the engine's
    /// business with the request, unless take_request() hands it out again (with its content).
    void respond(RequestId id, Reply&& reply, Now now) {
        try {
            do_respond(id, std::move(reply), now);
        } catch (const std::bad_alloc&) {
            lose(std::move(reply));
            run_out(now);
        }
    }
    /// At any step: a paused source or sink of that request may go on. Harmless when none is paused.
    void wake(RequestId id, Now now) {
        attempt(now, [&] { do_wake(id, now); });
    }

    /// After transmit(), at any step but `close`: `size` bytes of it were sent, at least one; partial
    /// sends count across parts and file.
    void transmitted(std::uint64_t size, Now now) {
        assert(step_ != Step::close && size != 0);
        attempt(now, [&] { do_transmitted(size, now); });
    }

    /// At any step: the deadline has passed (a call too early is ignored). `queued` matters at
    /// `transmit` and `exchange`: so many of the bytes that were sent has the peer not taken yet
    /// (SIOCOUTQ). For what the kernel takes says nothing about the peer.
    void expire(Now now, std::uint64_t queued) {
        attempt(now, [&] { do_expire(now, queued); });
    }
    /// At `receive`, `exchange` and `handle`: the engine has no room for it. The peer is told so, and
    /// to try again later; then the connection ends. After retire() it may be too late: look at the
    /// step first.
    void turn_away(Now now) {
        assert((reads(step_) && step_ != Step::drain) || step_ == Step::handle);
        attempt(now, [&] { do_turn_away(now); });
    }
    /// Where it is `idle` or `unfinished`, and the engine needs the room for another. It ends, at once
    /// or in a moment (`leaving`): a peer with several requests is told first which were taken, so
    /// that it can send the others elsewhere (RFC 9113 6.8).
    void evict(Now now) {
        attempt(now, [&] { do_evict(now); });
    }
    /// At any step: the server stops. A connection between requests closes, once no request can be on
    /// its way any more; one at work finishes its answers, says so to the peer, and closes.
    void retire(Now now) {
        attempt(now, [&] { do_retire(now); });
    }
    /// At any step: the descriptor failed (reset, a file that ended early, ...). The step is
    /// `close` afterwards. A connection that is destroyed at another step counts as `stopped`.
    void fail(Outcome why, Now now) {
        do_fail(why, now);
        assert(step_ == Step::close);
    }

    /// At any step: moves whatever is still borrowed into memory of the connection's own. A
    /// connection is destroyed at `close` or after settle(). True where that changed the step (for
    /// want of memory, or since a layer had more to read): the connection is to be driven again.
    bool settle(Now now) {
        const Step before = step_;
        attempt(now, [&] { do_settle(now); });
        return step_ != before;
    }

   protected:
    Connection() = default;

    Step step_ = Step::receive;
    bool resets_ = false;
    Instant deadline_ = never;

   private:
    template <typename Call>
    void attempt(Now now, Call call) {
        try {
            call();
        } catch (const std::bad_alloc&) {
            run_out(now);
        }
    }
    void run_out(Now now) noexcept;
    static void lose(Reply&& reply) noexcept;

    // What a protocol implements: the calls above, whose conditions hold. do_take_request(),
    // do_transmit() and do_fail() need no memory. The others may throw std::bad_alloc.
    virtual CloseImpact do_close_impact() const noexcept = 0;
    virtual const Request& do_take_request() = 0;
    virtual bool do_awaits(RequestId id) const noexcept = 0;
    virtual Transmission do_transmit() = 0;
    virtual void do_receive(std::string_view bytes, Now now) = 0;
    virtual void do_receive_end(Now now) = 0;
    virtual void do_respond(RequestId id, Reply&& reply, Now now) = 0;
    virtual void do_wake(RequestId id, Now now) = 0;
    virtual void do_transmitted(std::uint64_t size, Now now) = 0;
    virtual void do_expire(Now now, std::uint64_t queued) = 0;
    virtual void do_turn_away(Now now) = 0;
    virtual void do_evict(Now now) { do_fail(Outcome::stopped, now); }
    virtual void do_retire(Now now) = 0;
    virtual void do_fail(Outcome why, Now now) = 0;
    virtual void do_settle(Now now) = 0;
    /// One of the calls threw in the middle. Nothing is borrowed afterwards.
    virtual void do_run_out(Now now) noexcept { do_fail(Outcome::out_of_memory, now); }
};

}  // namespace weir::http
