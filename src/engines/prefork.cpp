// prefork: a supervisor, and a process for each core that runs an epoll-edge loop.
//
// Who waits:          each worker process, in its own epoll_wait(2); the supervisor, in poll(2),
//                     for news of its workers.
// Where handlers run: inline, in the process that owns the connection. A handler that crashes ends
//                     the connections of its own process, and no others.
// What is shared:     nothing but the code. Each process has its own listener on the same port
//                     (SO_REUSEPORT), and its own connections, buffers and timers, as a loop of
//                     `per-core` has. It also has its own memory, caches, log and descriptors.
// An idle connection: as in `epoll-edge`. A process costs some 200 KB once, and a cache of its own.
// Calls per request:  as in `epoll-edge`.
//
// Where it breaks: if workers must know of each other (a cache, a limit, a session). So the limit
// on connections is divided: each worker has its share, rounded up, and may be full while another
// is not. As in `per-core`, the kernel distributes connections without regard to load.
//
// When it is right: handlers that may crash or leak, and a service that stays up while it is
// renewed. A worker that dies is replaced. A reload replaces all workers, and no connection is
// refused.
//
// Read beside `per-core`, which runs the same loops on threads. A thread needs no supervisor: if
// one crashes, all end. This file has the supervisor; processes/ has its means.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/troubles.h"
#include "engines/entry_points.h"
#include "engines/loop/epoll_loop.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/poll.h"
#include "engines/processes/pulse_schedule.h"
#include "engines/processes/worker.h"
#include "engines/processes/worker_reports.h"
#include "net/clock.h"
#include "net/listener.h"
#include "net/restart_delay.h"
#include "net/stop_signal.h"
#include "net/system/cores.h"

namespace weir::engines {
namespace {

using net::StopSignal;
using std::chrono::milliseconds;

// A worker that should have ended by itself is killed after this time.
constexpr milliseconds kill_grace{1'000};

/// The part that outlives a worker. The supervisor keeps the listeners open, so that connections in
/// their queues are served by the next worker if this one dies.
struct Slot {
    std::vector<net::Listener> own{};  // empty in the first slot, which has the host's
    std::span<net::Listener> listeners{};
    std::vector<std::unique_ptr<Worker>> workers{};  // the newest last; mostly one
    Instant start_at = never;                        // of the next worker
    net::RestartDelay delay{};
    bool has_served = false;
};

class Prefork {
   public:
    explicit Prefork(Host& host) : host_{host}, slots_(host.options.worker_count()) {}

    /// Returns an error if a worker can't start; the others are killed. But once every slot has had
    /// a worker that served, the others go on, and the start is tried again later.
    std::error_code run() {
        if (const auto error = open_slots()) return error;
        for (Slot& slot : slots_)
            if (const auto error = start_worker(slot)) return error;
        while (!is_done()) {
            wait_for_news();
            obey_stop();
            if (is_running() && host_.reload && host_.reload->clear()) replace_all();
            if (is_running()) take_pulses();
            for (Slot& slot : slots_) look_after(slot);
            note_replaced();
            show_processes();
        }
        return error_;
    }

   private:
    bool is_running() const noexcept { return obeyed_ == StopSignal::State::running; }

    bool is_done() const {
        return !is_running() &&
               std::ranges::all_of(slots_, [](const Slot& slot) { return slot.workers.empty(); });
    }

    std::error_code open_slots() {
        slots_.front().listeners = host_.listeners;
        for (Slot& slot : std::span{slots_}.subspan(1)) {
            auto siblings = net::siblings_of(host_.listeners);
            if (!siblings) return siblings.error();
            slot.own = std::move(*siblings);
            slot.listeners = slot.own;
        }
        return {};
    }

    std::size_t count_workers() const noexcept {
        std::size_t workers = 0;
        for (const Slot& slot : slots_) workers += slot.workers.size();
        return workers;
    }

    /// The number of descriptors that wait_for_news() may watch, with one worker more than there
    /// are.
    std::size_t watched_max() const noexcept {
        return 3 + (count_workers() + 1) * Worker::watched_max;
    }

    /// start_worker() has reserved the memory of `watched_`.
    void wait_for_news() {
        watched_.assign(1, {host_.stop.descriptor(obeyed_), POLLIN, 0});
        watched_.push_back({host_.housekeeping.fd, POLLIN, 0});
        if (host_.reload && is_running()) watched_.push_back({host_.reload->fd(), POLLIN, 0});
        Instant until = is_running() ? pulses_.next() : never;
        for (const Slot& slot : slots_) {
            until = std::min(until, slot.start_at);
            for (const auto& worker : slot.workers) {
                until = std::min(until, worker->kill_at());
                worker->watch(watched_);
            }
        }
        engines::poll(watched_, net::wait_milliseconds(until, now_));
        now_ = net::read_instant();
        if (watched_[1].revents != 0) host_.housekeeping.run();
    }

    /// Connections still reach a worker process that is stopped, or whose handler does not return,
    /// and are not served there.
    void take_pulses() {
        const auto look = pulses_.look(now_);
        if (look == PulseSchedule::Look::not_yet) return;
        for (const Slot& slot : slots_) {
            for (const auto& worker : slot.workers) {
                if (worker->is_retired()) continue;  // kill_at() is its time limit
                const auto misses = worker->ask(look == PulseSchedule::Look::late);
                if (misses == PulseSchedule::misses_max) kill_silent(*worker);
            }
        }
    }

    void kill_silent(Worker& worker) const {
        report([&] {
            return worker_reports::does_not_answer(worker.name(), host_.options.worker_timeout);
        });
        worker.kill();
    }

    void look_after(Slot& slot) {
        for (const auto& worker : slot.workers) {
            if (worker->has_become_ready()) retire_older(slot, *worker);
            if (worker->stops_by_itself()) replace(slot, *worker);
            if (now_ >= worker->kill_at()) worker->kill();
        }
        take_ended(slot);
        if (!is_running() || now_ < slot.start_at) return;
        if (const auto error = start_worker(slot)) note_failure(slot, name_of(slot), error);
    }

    // ---- a worker's life ----

    /// Reserves all memory that the worker needs in the supervisor until its end.
    std::error_code start_worker(Slot& slot) try {
        slot.start_at = never;
        slot.workers.reserve(slot.workers.size() + 1);
        watched_.reserve(watched_max());
        auto worker = std::make_unique<Worker>(name_of(slot), now_);
        if (const auto error = worker->start([&] { return run_worker(slot, *worker); }))
            return error;
        slot.workers.push_back(std::move(worker));
        return {};
    } catch (const std::system_error& error) {
        return error.code();
    } catch (const std::bad_alloc&) {
        return std::make_error_code(std::errc::not_enough_memory);
    }

    /// Runs in the worker's process.
    int run_worker(Slot& slot, Worker& worker) {
        leave_others(slot);
        const std::function<int()> serve = [&] { return serve_as_worker(slot, worker); };
        return host_.within_process ? host_.within_process(Process::worker, serve) : serve();
    }

    /// Closes the listeners of the other slots. Otherwise they would stay open in this process
    /// after the other processes have closed them.
    void leave_others(const Slot& slot) {
        for (Slot& other : slots_) {
            if (&other != &slot)
                for (auto& listener : other.listeners) listener.close();
            for (const auto& sibling : other.workers) sibling->leave_to_supervisor();
            other.workers.clear();
        }
    }

    int serve_as_worker(Slot& slot, Worker& worker) {
        Host host{.listeners = slot.listeners,
                  .handler = host_.handler,
                  .limits = host_.limits,
                  .timeouts = host_.timeouts,
                  .observer = host_.observer,
                  .stop = worker.stop(),
                  .options = host_.options,
                  .connect = host_.connect,
                  .loop_opened = host_.loop_opened,
                  .closed = &worker.closed(),
                  .pulse = &worker.pulse()};
        const net::PinnedToCore pinned{host.options.pin, number_of(slot)};
        ConnectionLimit limit{share_of(host.options.connections_max),
                              host.options.connections_per_address_max};
        auto loop = open_epoll_loop(host, limit, host.listeners);
        if (!loop) return loop.error().value();
        if (const auto error = limit.open()) return error.value();
        worker.report_ready();
        (*loop)();
        return 0;
    }

    std::uint32_t share_of(std::uint32_t connections_max) const noexcept {
        const auto workers = static_cast<std::uint32_t>(slots_.size());
        return connections_max / workers + (connections_max % workers != 0 ? 1 : 0);
    }

    /// A new worker serves before the older one is retired. Meanwhile both accept from the same
    /// queues, so that there is always a worker that accepts.
    void retire_older(Slot& slot, const Worker& ready) {
        const bool is_first = !std::exchange(slot.has_served, true);
        if (is_first && host_.opened && have_all_served()) host_.opened();
        for (const auto& older : slot.workers) {
            if (older.get() == &ready) return;
            retire(*older);
        }
    }

    /// The worker was sent SIGTERM. The next worker is started while this one finishes.
    void replace(Slot& slot, Worker& worker) {
        retire(worker);
        if (slot.workers.back().get() != &worker) return;
        slot.start_at = now_;
        report([&] { return worker_reports::got_sigterm(worker.name()); });
    }

    void retire(Worker& worker) const {
        worker.retire(now_ + host_.options.stop_timeout + kill_grace);
    }

    void take_ended(Slot& slot) {
        for (auto at = slot.workers.begin(); at != slot.workers.end();) {
            if (!(*at)->has_ended()) {
                ++at;
                continue;
            }
            const auto worker = std::move(*at);
            at = slot.workers.erase(at);
            note_end(slot, *worker, at == slot.workers.end());
        }
    }

    void note_end(Slot& slot, Worker& worker, bool was_newest) {
        const net::Exit exit = worker.reap();
        const bool could_not_start = !worker.is_ready() && !exit.by_signal && !exit.is_success();
        if (could_not_start)
            return note_failure(slot, worker.name(), {exit.number, std::generic_category()});
        if (worker.is_retired()) {
            if (!exit.is_success())
                report([&] { return worker_reports::died_while_finishing(worker.name(), exit); });
            return;
        }
        const auto lived = worker.lived(now_);
        const auto delay = slot.delay.after_death(lived);
        troubles().note(Trouble::workers);
        if (was_newest) slot.start_at = now_ + delay;
        report([&] {
            return worker_reports::died(worker.name(), exit, lived, slot.delay.early_deaths(),
                                        delay);
        });
    }

    /// Before all slots have served, a worker that can't start is the server's failure. Afterwards
    /// the workers that serve go on, an older one in the same slot among them.
    void note_failure(Slot& slot, const std::string& name, std::error_code error) {
        if (!have_all_served()) {
            if (!error_) error_ = error;
            return host_.stop.request_now();
        }
        if (!is_running()) return report([&] { return worker_reports::cannot_start(name, error); });
        const auto delay = slot.delay.after_death(milliseconds{0});
        slot.start_at = now_ + delay;
        report([&] { return worker_reports::cannot_start(name, error, delay); });
    }

    // ---- all workers ----

    bool have_all_served() const { return std::ranges::all_of(slots_, &Slot::has_served); }

    void replace_all() {
        for (Slot& slot : slots_) {
            slot.start_at = now_;
            for (const auto& worker : slot.workers) worker->outdate();
        }
        is_replacing_ = true;
    }

    /// A reload is done when no outdated worker accepts clients any more. Such a worker would serve
    /// them with the state from before the reload.
    void note_replaced() {
        if (!is_running() || !is_replacing_) return;
        for (const Slot& slot : slots_)
            for (const auto& worker : slot.workers)
                if (worker->is_outdated() && worker->may_accept()) return;
        is_replacing_ = false;
        if (host_.replaced) host_.replaced();
    }

    void show_processes() const noexcept {
        if (host_.figures) EngineFigures::set(host_.figures->processes, count_workers());
    }

    void obey_stop() {
        const auto state = host_.stop.state();
        if (state == StopSignal::State::running) return;
        if (std::exchange(obeyed_, state) == StopSignal::State::running) drain();
        if (state == StopSignal::State::now) cut();
    }

    void drain() {
        for (Slot& slot : slots_) {
            const bool has_queued =
                std::ranges::any_of(slot.listeners, [](const auto& each) { return each.queued(); });
            if (slot.workers.empty() && has_queued) static_cast<void>(start_worker(slot));
            for (const auto& worker : slot.workers) retire(*worker);
            slot.start_at = never;
            // The workers' copies stay open until the connections in the queues are accepted.
            for (auto& listener : slot.listeners) listener.close();
        }
    }

    void cut() {
        for (Slot& slot : slots_)
            for (const auto& worker : slot.workers) worker->cut(now_ + kill_grace);
    }

    unsigned number_of(const Slot& slot) const {
        return static_cast<unsigned>(&slot - slots_.data());
    }
    std::string name_of(const Slot& slot) const {
        return "worker " + std::to_string(number_of(slot) + 1);
    }
    /// A report is left out if there is no memory for its sentence.
    template <typename Sentence>
    void report(Sentence sentence) const try {
        if (host_.report) host_.report(sentence());
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
    }

    Host& host_;
    std::vector<Slot> slots_;
    std::vector<pollfd> watched_;
    std::error_code error_;
    bool is_replacing_ = false;
    Instant now_ = net::read_instant();
    PulseSchedule pulses_{host_.options.worker_timeout, now_};
    StopSignal::State obeyed_ = StopSignal::State::running;
};

}  // namespace

std::error_code run_prefork(Host& host) {
    Prefork engine{host};
    return engine.run();
}

}  // namespace weir::engines
