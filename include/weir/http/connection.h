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

/// The next action of an engine for a connection. A protocol that can't take more input is at
/// neither `receive` nor `exchange`, so back-pressure needs no rule of its own.
enum class Step : std::uint8_t {
    receive,   // read from the peer, then receive() or receive_end()
    handle,    // take_request(), call the handler, then respond()
    wait,      // nothing until a response, a wake-up or the deadline comes
    transmit,  // send the bytes of transmit(), then transmitted(); do not read
    exchange,  // both of `receive` and `transmit`, whichever the socket allows
    drain,     // shut down the sending side, then as `receive`: the connection discards the input
    close,     // close the descriptor and destroy the connection
};

/// True if the connection takes input of the peer.
constexpr bool reads(Step step) noexcept {
    return step == Step::receive || step == Step::exchange || step == Step::drain;
}
/// True if the connection has something to send.
constexpr bool sends(Step step) noexcept {
    return step == Step::transmit || step == Step::exchange;
}

/// The loss of the peer if its connection closes immediately. An engine that needs the place of a
/// connection evicts `idle` connections first and `unfinished` ones next. It keeps the others.
enum class CloseImpact : std::uint8_t {
    idle,        // none: the connection is between two requests (RFC 9112 9.5)
    unfinished,  // an incomplete head, or the last bytes of a connection that ends
    working,     // a request that is being read or handled, or its response
    handling,    // the same, and a handler has a request: a delay may not be the peer's fault
    leaving,     // none: the connection is evicted already, and ends in a moment
};

/// Data to send: the bytes of `parts` in order, then the range of the file, if there is one.
struct Transmission {
    std::array<std::string_view, 3> parts;  // empty parts are at the end
    FileRange file;                         // size 0: none
    bool ends = false;  // nothing follows: once all is sent, shut down the sending side

    /// True if the bytes should be sent with MSG_MORE: a file's first bytes, or the FIN, then share
    /// a segment with them.
    bool more_follows() const noexcept { return file.size != 0 || ends; }
    std::size_t part_bytes() const noexcept {
        return parts[0].size() + parts[1].size() + parts[2].size();
    }
};

/// The contract between a protocol and the engines. A connection turns bytes into requests and
/// responses into bytes. It never reads, writes, sleeps, or reads a clock: an engine owns
/// descriptors, receive buffers, threads and time.
///
/// The engine reads step() and deadline(), does the step, reports it to the connection, and reads
/// both again: each call may change them. The calls come in this order:
///
///     receive()       bytes have arrived. At `handle` they contain requests:
///     take_request()  takes one request, with an id. The handler runs, on this or another thread.
///     respond()       the handler's reply. The engine may take and answer other requests before.
///     transmit()      the data to send. The engine sends as much as the socket takes:
///     transmitted()   the number of bytes that were sent.
///
/// Several requests may be under way on one connection. (A protocol with one request at a time is
/// at `handle` again only after respond().) Each request has an id; an id is never used twice in
/// the life of a connection. If the peer cancels a request, it stays under way for the engine,
/// which must still call respond(). The connection discards the reply, and makes the last call to
/// its source or sink.
///
/// Any thread may call, one at a time.
///
/// No call throws if there is no memory. If memory runs out in the middle of a call, this
/// connection ends and no other: with a 503, which needs no memory, if the protocol can still send
/// it, otherwise at `close`. So the step may have changed after any call, take_ownership() among them.
///
/// Ownership:
/// - Bytes given to receive() are borrowed until reads(step()) again, or until take_ownership().
/// - The bytes of transmit() may lie in the workspace's buffers, which the next connection
///   overwrites. Before the engine turns to another connection, or lets a send complete later, it
///   calls take_ownership(). From then on all unfinished data lies in the connection's own memory.
/// - After take_ownership(), the bytes and the file of transmit() stay unchanged until transmitted(), or
///   until the connection is destroyed, whatever is called in between: a send may be under way
///   while the connection receives, gets a reply, expires, or fails.
class Connection {
   public:
    virtual ~Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // ---- queries of the engine ----

    Step step() const noexcept {
        if (step_ > Step::close) std::unreachable();  // so that a switch needs no range check
        return step_;
    }
    /// The time for expire(); `never` if there is none.
    Instant deadline() const noexcept { return deadline_; }
    /// At `close`: true if the engine must reset the connection, because the bytes that the kernel
    /// still holds for the peer are of no use.
    bool resets() const noexcept { return resets_; }

    /// At any step. The connection does not know of bytes in the socket: receive them first.
    CloseImpact close_impact() const noexcept { return do_close_impact(); }

    /// At `handle`: takes the next request, which is under way from then on. The reference is valid
    /// until its respond() or take_ownership(): an engine that lets another thread handle the request
    /// passes on take_request().share(). reads(step()) may be true afterwards: a protocol with
    /// several requests goes on reading, and has then copied the borrowed bytes that it still
    /// needs.
    const Request& take_request() {
        assert(step_ == Step::handle);
        return do_take_request();
    }
    /// At any step, for a request that was taken: true if its reply is still of use. If not (the
    /// peer canceled the request, or its deadline has passed), the engine may pass any reply to
    /// respond() instead of calling the handler.
    bool awaits(RequestId id) const noexcept { return do_awaits(id); }

    /// At `transmit` and `exchange`: the data to send. The result is the same until transmitted().
    Transmission transmit() {
        assert(sends(step_));
        return do_transmit();
    }

    // ---- reports of the engine ----

    /// At `receive`, `exchange` and `drain`: bytes that the peer sent; at least one.
    void receive(std::string_view bytes, Now now) {
        assert(reads(step_) && !bytes.empty());
        attempt(now, [&] { do_receive(bytes, now); });
    }
    /// At `receive`, `exchange` and `drain`: the peer shut down its side. An incomplete request is
    /// never handled. A complete one gets its response, unless it would wait for long: see
    /// Continuation::ends_with_peer().
    void receive_end(Now now) {
        assert(reads(step_));
        attempt(now, [&] { do_receive_end(now); });
    }

    /// At any step, for a request that was taken: the handler's reply. After `Later`, another call
    /// brings the real reply. After every other reply the engine has no more duties for the
    /// request, unless take_request() returns it again (with its content).
    void respond(RequestId id, Reply&& reply, Now now) {
        try {
            do_respond(id, std::move(reply), now);
        } catch (const std::bad_alloc&) {
            lose(std::move(reply));
            run_out(now);
        }
    }
    /// At any step: a paused source or sink of that request may go on. Harmless if none is paused.
    void wake(RequestId id, Now now) {
        attempt(now, [&] { do_wake(id, now); });
    }

    /// After transmit(), at any step but `close`: the first `size` bytes of the parts and the file
    /// were sent, at least one.
    void transmitted(std::uint64_t size, Now now) {
        assert(step_ != Step::close && size != 0);
        attempt(now, [&] { do_transmitted(size, now); });
    }

    /// At any step: the deadline has passed (a call that is too early has no effect). `queued`
    /// matters at `transmit` and `exchange`: the number of sent bytes that the peer has not
    /// acknowledged yet (SIOCOUTQ), because bytes that the kernel takes say nothing about the peer.
    void expire(Now now, std::uint64_t queued) {
        attempt(now, [&] { do_expire(now, queued); });
    }
    /// At `receive`, `exchange` and `handle`: the engine has no capacity for the connection. The
    /// connection tells the peer to try again later, and ends. After retire() the connection may be
    /// at another step, so the engine must read step() first.
    void turn_away(Now now) {
        assert((reads(step_) && step_ != Step::drain) || step_ == Step::handle);
        attempt(now, [&] { do_turn_away(now); });
    }
    /// If close_impact() is `idle` or `unfinished`: the engine needs the place for another
    /// connection. This one ends immediately or in a moment (`leaving`): a peer with several
    /// requests first learns which were taken, so that it can send the others elsewhere (RFC 9113
    /// 6.8).
    void evict(Now now) {
        attempt(now, [&] { do_evict(now); });
    }
    /// At any step: the server stops. A connection between requests closes a moment later, because
    /// a request may be on its way (Timeouts::last_request). A connection with requests finishes
    /// their responses, announces its end to the peer, and closes.
    void retire(Now now) {
        attempt(now, [&] { do_retire(now); });
    }
    /// At any step: the descriptor failed (reset, a file that ended early, ...). The step is
    /// `close` afterwards. A connection that is destroyed at another step counts as `stopped`.
    void fail(Outcome why, Now now) {
        do_fail(why, now);
        assert(step_ == Step::close);
    }

    /// At any step: copies all borrowed data into the connection's own memory. A connection is
    /// destroyed at `close` or after take_ownership(). True if the step has changed (there was no memory,
    /// or a layer had more to read): the engine must then drive the connection again.
    bool take_ownership(Now now) {
        const Step before = step_;
        attempt(now, [&] { do_take_ownership(now); });
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

    // A protocol implements the calls above. Their conditions hold. do_take_request(),
    // do_transmit() and do_fail() must not need memory. The others may throw std::bad_alloc.
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
    virtual void do_take_ownership(Now now) = 0;
    /// A call has thrown in the middle. The connection must borrow nothing afterwards.
    virtual void do_run_out(Now now) noexcept { do_fail(Outcome::out_of_memory, now); }
};

}  // namespace weir::http
