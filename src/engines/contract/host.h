#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "engines/contract/engine_figures.h"
#include "http/observer.h"
#include "http/workspace.h"
#include "net/event_fd.h"
#include "net/listener.h"
#include "net/stop_signal.h"
#include "net/system/cores.h"
#include "weir/http/connection.h"
#include "weir/http/handler.h"
#include "weir/http/limits.h"
#include "weir/http/origin.h"

namespace weir::engines {

/// The user's choices for the engine: the fields of server::Options of the same names, with the
/// same defaults. weir/server/options.h documents them.
struct Options {
    unsigned workers = 0;
    bool pin = false;
    unsigned queue_max = 128;
    std::chrono::milliseconds queue_delay_max{0};
    std::chrono::microseconds busy_poll{0};
    std::uint32_t connections_max = 0;
    std::uint32_t connections_per_address_max = 0;
    std::chrono::milliseconds stop_timeout{10'000};
    std::chrono::milliseconds worker_timeout{30'000};

    /// The number of loops or processes.
    unsigned worker_count() const noexcept { return workers != 0 ? workers : net::count_cores(); }
    /// The number of threads that block: in handlers, or for a peer. They wait more than they
    /// compute, so their number has nothing to do with that of the cores.
    unsigned blocking_worker_count() const noexcept { return workers != 0 ? workers : 64; }
};

/// The purpose for which an engine forks a process.
enum class Process : std::uint8_t { worker, connection };

/// The objects that a server lends to its engine until run() returns, and the engine's duties.
///
/// An engine owns sockets, waiting, threads and time; weir/http/connection.h says which call is
/// made at which step. Beyond that contract an engine has these duties. Each names the tests of
/// tests/contract that check it.
///
/// 1. Accepting. Accept from all listeners until the stop, and no more connections than the limit;
///    those past it wait in the listener's queue. Close those past the limit of their address. If
///    there is no descriptor, pause and try again, without spinning. If a connection can't be
///    served at all, turn_away() it. [Requests.OnEveryListener,
///    Overload.ConnectionsPastTheMaximumWaitAndAreServed,
///    Overload.ConnectionsPastTheMaximumOfTheirAddressAreClosed,
///    Overload.OutOfDescriptorsItWaitsWithoutSpinningAndRecovers,
///    HighDescriptors.AreServedOrTurnedAwayAndNobodyElseSuffers]
/// 2. Fairness. No peer keeps the others waiting, however much it sends or takes: after a number of
///    transfers its turn is over. Nor does a peer keep itself waiting: at `exchange`, check its
///    bytes, its completions and its deadline once in each turn, even while every send succeeds. An
///    engine that can't promise that by its nature says so. If threads are fewer than connections,
///    the connections of slow peers, and of peers that send nothing, end while others wait.
///    [Peers.FastReaderOfALotKeepsNobodyWaiting, Peers.PipelinerThatReadsLateKeepsNobodyWaiting,
///    Peers.StalledOnesKeepNobodyWaiting, Http2Cancel.LargeAnswerInTheMiddle,
///    SlowPeers.ThatSendNothing, SlowPeers.WhoseHeadIsNeverWhole,
///    SlowPeers.WhoseContentIsNeverWhole, SlowPeers.ThatReadNothing,
///    SlowPeers.ThatAreSilentAfterARequest]
/// 3. Ownership. Before the engine turns from one connection to another, or sleeps, it calls
///    take_ownership() for the first. [Later.RequestsBehindOneThatWaitsAreNotThoseOfOthers]
/// 4. Deadlines. Wake up at the earliest deadline() of all connections, and expire() that
///    connection. A deadline moves with each call; a call that comes too early does no harm, so a
///    timer need not be exact. Bytes that have reached the socket are received before: the engine
///    may be late, and not the peer. While the connection sends, pass to expire() how many bytes
///    its peer has not taken. [Deadlines.OfManyConnectionsAtOnce, Deadlines.HeadThatTrickles,
///    Deadlines.PeerThatTakesNothing, Deadlines.PeerThatTakesAnAnswerTooSlowly]
/// 5. Completions. A response or a wake-up from another thread comes through the Postbox of
///    Peer::postbox(). It reaches the connection on the thread that drives it, even if that thread
///    waits for something else. It is dropped if the connection, or the engine, has gone.
///    [Later.ManyAtOnce, Later.EarlierAnswersDoNotWait,
///    Later.AnswersForPeersThatHaveGoneReachNobodyElse,
///    Later.AnswersAfterTheServerHasGoneAreDropped]
/// 6. A lost peer. If the system reports that a connection was reset, fail() it, also while it
///    waits for its handler. Some pollers report that only if they watch for bytes or space: then
///    the next transfer finds it out. The objects that a handler may still use (the Peer, the
///    Request) stay until all handlers of the connection have returned. A write to a lost peer must
///    not raise SIGPIPE: a thread that sends has that signal blocked.
///    [Peers.ResetWhileAnAnswerIsSent, Peers.ResetAtOnce,
///    NothingToDo.ForAnAnswerThatNobodyAwaitsAnyMore, NothingToDo.ForWorkWhosePeerHasGone,
///    Later.AnswersForPeersThatHaveGoneAreDropped, RequestQueue.WhoLeavesTheLineIsNotHandled,
///    Http2Peers.ResetWhileHandlersRun]
/// 7. The stop, once StopSignal says `draining`: accept only the connections that wait in a
///    listener's queue at that moment, because the kernel has promised them a server; then close
///    the listener. Call retire() for each connection, after a request that has reached its socket
///    by then was received. [Stop.ConnectionsThatAreQueuedAreServed, Stop.NewConnectionsAreRefused,
///    Stop.AnswerThatIsAwaitedIsFinished, Stop.ContentThatIsArrivingIsTaken,
///    Http2Stop.RequestsThatHaveArrivedAreServed]
/// 8. The end. After Options::stop_timeout, or once StopSignal says `now`, fail() all connections
///    with `stopped`. Return when none is left, and wait for running handlers, without spinning.
///    [Stop.TimeoutCutsWhatIsNotFinished, Stop.SecondOneCutsAtOnce, Stop.PortIsFreeRightAfterwards,
///    Stop.WhatWaitsForAHandlerDoesNotSpin, RequestQueue.WhatIsQueuedWhenAllIsCutIsNotHandled]
/// 9. Memory. An engine takes its memory for a connection when it accepts that connection: if there
///    is none, the connection closes, and the acceptor pauses as in 1. If memory runs out later,
///    only the connection concerned is lost. After any call, take_ownership() among them, the connection
///    may be at another step: then it is driven again. No engine ends for want of memory.
///    tests/faults/engine_memory_test.cpp checks this duty with an operator new of its own.
/// 10. Nothing is left: every connection is destroyed, every descriptor closed, every thread
///     joined, every child reaped. If resets() is true, the kernel keeps nothing for the peer
///     either. [Peers.ThousandsComeAndGoWithoutALeak, Deadlines.PeerThatTakesNothingIsReset]
/// 11. Eviction. While connections wait to be accepted, or files have used some of their reserve of
///     descriptors (net::Descriptors), the engine evicts connections whose peers lose nothing: idle
///     ones, for longest first; for connections that wait also unfinished ones, the newest first
///     (http::CloseImpact). Before that it checks whether bytes have arrived. Memory may be short
///     meanwhile. An engine whose threads or processes each wait for one connection may take
///     another order. [Eviction.IdleForLongestToOneThatWaits,
///     Eviction.NewestUnfinishedToOneThatWaits, Eviction.NobodyWhoseRequestIsUnderWay,
///     Eviction.IdleOnesToFiles, Http2.OneThatGivesWayIsServedWhatIsOnItsWay,
///     Http2.ClientsThatFollowGoawayLoseNothing]
/// 12. Connections that the server opens. The postbox of a connection brings them
///     (Postbox::adopt()), with a socket that may still connect. The thread that drives the
///     connection drives them by the same steps. They count towards no limit of 1, and hold up no
///     stop while they are idle. [Proxy.KeepsTheConnectionToTheServer,
///     Proxy.ServerThatCantBeReachedIsABadGateway, Proxy.ResponseIsFinishedWhenTheServerStops,
///     Proxy.StopCutsWhatTheServerDoesNotAnswer]
struct Host {
    std::span<net::Listener> listeners;  // bound and listening
    http::Handler& handler;              // doesn't throw; called on any thread
    const http::Limits& limits;
    const http::Timeouts& timeouts;
    http::Observer* observer;  // may be null; called on any thread
    net::StopSignal& stop;
    Options options;
    /// Makes the protocol's side of an accepted connection. The workspace belongs to the thread
    /// that drives the connection, and outlives the connection.
    std::function<std::unique_ptr<http::Connection>(http::Workspace&, http::Origin&, Now)> connect;

    /// Runs `serve` in a process that the engine has forked, together with the parts of the server
    /// that each process needs (a log's thread: fork(2) copies the calling thread alone). May set
    /// `observer` first. Empty: the engine calls `serve` itself.
    std::function<int(Process, const std::function<int()>& serve)> within_process{};
    /// Takes a sentence about a process that ended unexpectedly. May be empty.
    std::function<void(std::string_view sentence)> report{};
    /// Called once by run(), in its thread, when all that the engine needs is open. May be empty.
    std::function<void()> opened{};
    /// Called for each loop that the engine opens, with the postbox of the loop. The server puts
    /// responses to a connection that does not exist there, and watches whether the loop drops them
    /// soon. May be empty.
    std::function<void(std::weak_ptr<http::Postbox> loop)> loop_opened{};
    /// Signaled to request new worker processes in place of all that run. Null: never.
    net::EventFd* reload = nullptr;
    /// Called once none of the worker processes that `reload` replaced accepts any more. May be
    /// empty.
    std::function<void()> replaced{};
    /// Signaled by the loop of a worker process when it accepts no more. Null: not needed.
    const net::EventFd* closed = nullptr;
    /// A supervisor signals it to ask whether the loop of a worker process still turns; the loop
    /// clears it. Null: no supervisor asks.
    const net::EventFd* pulse = nullptr;
    /// The figures that the engine shows. Null: without metrics.
    EngineFigures* figures = nullptr;
    /// For an engine that forks: the process that forks calls `run` once `fd` is readable. For
    /// other engines a thread does it.
    struct Housekeeping {
        int fd = -1;
        std::function<void()> run{};
    } housekeeping{};

    /// The end of the stop timeout; `never` while the server runs.
    Instant cut_at() const noexcept {
        const Instant requested_at = stop.requested_at();
        return requested_at == never ? never : requested_at + options.stop_timeout;
    }
};

}  // namespace weir::engines
