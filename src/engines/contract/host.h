#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "http/observer.h"
#include "http/workspace.h"
#include "net/event_fd.h"
#include "net/listener.h"
#include "net/stop_signal.h"
#include "net/system/cores.h"
#include "weir/http/connection.h"
#include "weir/http/handler.h"
#include "weir/http/limits.h"

namespace weir::engines {

/// What the user decided for the engine: the fields of server::Options of the same names, with the
/// same defaults. weir/server/options.h documents them.
struct Options {
    unsigned workers = 0;
    bool pin = false;
    unsigned queue_max = 128;
    std::chrono::microseconds busy_poll{0};
    std::uint32_t connections_max = 0;
    std::uint32_t connections_per_address_max = 0;
    std::chrono::milliseconds stop_timeout{10'000};
    std::chrono::milliseconds worker_timeout{30'000};

    /// How many loops or processes that is.
    unsigned worker_count() const noexcept { return workers != 0 ? workers : net::count_cores(); }
    /// How many threads that is which block: in handlers, or for a peer. They wait more than they
    /// compute, so their number has nothing to do with that of the cores.
    unsigned blocking_worker_count() const noexcept { return workers != 0 ? workers : 64; }
};

/// What an engine forks a process for.
enum class Process : std::uint8_t { worker, connection };

/// What a server lends to its engine until run() returns, and what the engine owes for it.
///
/// An engine owns sockets, waiting, threads and time; weir/http/connection.h says which call is made at
/// which step. Beyond that contract an engine has these duties. Each names the tests of
/// tests/contract that hold it.
///
/// 1. Accepting. Accept from all listeners until the stop, and no more connections than the limit;
///    those past it wait in the listener's queue. Those past the limit of their address are closed.
///    Out of descriptors: pause, then try again, without
///    spinning. Where a connection can't be served at all, turn_away() it.
///    [Requests.OnEveryListener, Overload.ConnectionsPastTheMaximumWaitAndAreServed,
///    Overload.ConnectionsPastTheMaximumOfTheirAddressAreClosed,
///    Overload.OutOfDescriptorsItWaitsWithoutSpinningAndRecovers,
///    HighDescriptors.AreServedOrTurnedAwayAndNobodyElseSuffers]
/// 2. Fairness. No peer keeps the others waiting, however much it sends or takes: after a number of
///    transfers its turn is over. Nor does a peer keep itself waiting: at `exchange`, look for its
///    bytes, its completions and its deadline once in each turn, also while every send succeeds. An
///    engine that can't promise that by its nature says so; where threads are fewer than
///    connections, slow and silent peers give way to those that wait.
///    [Peers.FastReaderOfALotKeepsNobodyWaiting, Peers.PipelinerThatReadsLateKeepsNobodyWaiting,
///    Peers.StalledOnesKeepNobodyWaiting, Http2Cancel.LargeAnswerInTheMiddle,
///    SlowPeers.ThatSendNothing, SlowPeers.WhoseHeadIsNeverWhole, SlowPeers.WhoseContentIsNeverWhole,
///    SlowPeers.ThatReadNothing, SlowPeers.ThatAreSilentAfterARequest]
/// 3. Settling. Before it turns from one connection to another, or to sleep, settle() the first.
///    [Later.RequestsBehindOneThatWaitsAreNotThoseOfOthers]
/// 4. Deadlines. Wake up at the earliest deadline() of all connections, and expire() that one. A
///    deadline moves with each call; a call that comes too early does no harm, so a timer need not
///    be exact. While the connection sends, say how much its peer has not taken.
///    [Deadlines.OfManyConnectionsAtOnce, Deadlines.HeadThatTrickles,
///    Deadlines.PeerThatTakesNothing, Deadlines.PeerThatTakesAnAnswerTooSlowly]
/// 5. Completions. An answer or a wake-up from another thread comes through the Postbox of
///    Peer::postbox(), and reaches the connection on the thread that drives it, whatever that was
///    waiting for. It is dropped once the connection, or the engine, has gone.
///    [Later.ManyAtOnce, Later.EarlierAnswersDoNotWait,
///    Later.AnswersForPeersThatHaveGoneReachNobodyElse, Later.AnswersAfterTheServerHasGoneAreDropped]
/// 6. A lost peer. Where the system says that a connection was reset, fail() it, also while it waits
///    for its handler. Some pollers don't say so unless bytes or space are asked for: then the next
///    transfer finds it out. What a handler may still look at (the Peer, the Request) stays until all
///    handlers of the connection have returned. A write to a lost peer must not raise SIGPIPE: a
///    thread that sends has that signal blocked. [Peers.ResetWhileAnAnswerIsSent, Peers.ResetAtOnce,
///    NothingToDo.ForAnAnswerThatNobodyAwaitsAnyMore, NothingToDo.ForWorkWhosePeerHasGone,
///    Later.AnswersForPeersThatHaveGoneAreDropped, RequestQueue.WhoLeavesTheLineIsNotHandled,
///    Http2Peers.ResetWhileHandlersRun]
/// 7. The stop, once StopSignal says `draining`: no connection is accepted but those that wait in a
///    listener's queue at that moment, for which the kernel has promised a server; then the listener
///    is closed. Each connection is told by retire(), after a request that has reached its socket by
///    then was received. [Stop.ConnectionsThatAreQueuedAreServed, Stop.NewConnectionsAreRefused,
///    Stop.AnswerThatIsAwaitedIsFinished, Stop.ContentThatIsArrivingIsTaken,
///    Http2Stop.RequestsThatHaveArrivedAreServed]
/// 8. The end. After Options::stop_timeout, or once StopSignal says `now`, fail() all connections
///    with `stopped`. Return when none is left; handlers that run are waited for, without spinning.
///    [Stop.TimeoutCutsWhatIsNotFinished, Stop.SecondOneCutsAtOnce, Stop.PortIsFreeRightAfterwards,
///    Stop.WhatWaitsForAHandlerDoesNotSpin, RequestQueue.WhatIsQueuedWhenAllIsCutIsNotHandled]
/// 9. Memory. What an engine keeps for a connection it takes when it accepts that: where there is no
///    memory for it, the connection closes, and the acceptor pauses as in 1. What else may fail later
///    costs the connection concerned. After any call the connection may be at another step, settle()
///    among them: then it is driven again. No engine ends for want of memory.
///    tests/faults/engine_memory_test.cpp holds it, where operator new is replaced.
/// 10. Nothing is left: every connection is destroyed, every descriptor closed, every thread joined,
///     every child reaped. Where resets() says so, the kernel keeps nothing for the peer either.
///     [Peers.ThousandsComeAndGoWithoutALeak, Deadlines.PeerThatTakesNothingIsReset]
/// 11. Eviction. While connections wait for room, or files have used some of their reserve of
///     descriptors (net::Descriptors), the engine evicts connections whose peers lose nothing: idle
///     ones, for longest first; for those that wait also unfinished ones, the newest first
///     (http::CloseImpact). It looks for what has arrived before, and memory may be short. An engine
///     in which each waits for itself may take another order. [Eviction.IdleForLongestToOneThatWaits,
///     Eviction.NewestUnfinishedToOneThatWaits, Eviction.NobodyWhoseRequestIsUnderWay,
///     Eviction.IdleOnesToFiles, Http2.OneThatGivesWayIsServedWhatIsOnItsWay,
///     Http2.ClientsThatFollowGoawayLoseNothing]
struct Host {
    std::span<net::Listener> listeners;  // bound and listening
    http::Handler& handler;              // doesn't throw; called on any thread
    const http::Limits& limits;
    const http::Timeouts& timeouts;
    http::Observer* observer;  // may be null; called on any thread
    net::StopSignal& stop;
    Options options;
    /// Makes the protocol's side of an accepted connection. The workspace is that of the thread that
    /// drives the connection, and outlives it.
    std::function<std::unique_ptr<http::Connection>(http::Workspace&, http::Origin&, Now)> connect;

    /// Runs `serve` in a process that the engine has forked, together with what the server needs in
    /// each process (a log's thread: fork(2) copies the calling thread alone). May set `observer`
    /// first. Empty: the engine calls `serve` itself.
    std::function<int(Process, const std::function<int()>& serve)> within_process{};
    /// Takes a sentence about a process that ended unexpectedly. May be empty.
    std::function<void(std::string_view sentence)> report{};
    /// Called once by run(), in its thread, when the engine has opened what it needs. May be empty.
    std::function<void()> opened{};
    /// Signaled to have all worker processes replaced by new ones. Null: never.
    net::EventFd* reload = nullptr;
    /// Called once none of the worker processes that `reload` has had replaced accepts any more. May
    /// be empty.
    std::function<void()> replaced{};
    /// Signaled by the loop of a worker process when it accepts no more. Null: nobody asks.
    const net::EventFd* closed = nullptr;
    /// Signaled to ask the loop of a worker process whether it still turns: clear it. Null: nobody
    /// asks.
    const net::EventFd* pulse = nullptr;
    /// For an engine that forks, in the process that does: `run` is called once `fd` is readable. For
    /// other engines a thread does it.
    struct Housekeeping {
        int fd = -1;
        std::function<void()> run{};
    } housekeeping{};

    /// When the stop timeout is over; `never` while the server runs.
    Instant cut_at() const noexcept {
        const Instant requested_at = stop.requested_at();
        return requested_at == never ? never : requested_at + options.stop_timeout;
    }
};

}  // namespace weir::engines
