#include "engines/processes/supervisor.h"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "engines/processes/durations.h"
#include "net/clock.h"

namespace weir::engines {
namespace {

using net::StopSignal;
using std::chrono::milliseconds;

// For a worker to obey, past the time that it has by itself.
constexpr milliseconds kill_grace{1'000};

bool is_readable(int fd) {
    pollfd watched{fd, POLLIN, 0};
    return ::poll(&watched, 1, 0) > 0;
}

}  // namespace

Supervisor::Supervisor(Host& host, unsigned workers, Serve serve)
    : host_{host}, serve_{std::move(serve)}, places_(workers), now_{net::read_clock().instant} {}

std::error_code Supervisor::run() {
    if (const auto error = open_places()) return error;
    for (Place& place : places_)
        if (const auto error = start(place)) return error;  // those that were started are killed
    while (!is_done()) {
        wait();
        obey_stop();
        read_news();
        start_due();
    }
    return error_;
}

std::error_code Supervisor::open_places() {
    places_.front().listeners = host_.listeners;
    for (Place& place : std::span{places_}.subspan(1)) {
        for (const auto& listener : host_.listeners) {
            auto sibling = listener.sibling();
            if (!sibling) return sibling.error();
            place.own.push_back(std::move(*sibling));
        }
        place.listeners = place.own;
    }
    return {};
}

// ---- what happens ----

void Supervisor::wait() {
    std::vector<pollfd> watched{{host_.stop.descriptor(obeyed_), POLLIN, 0}};
    if (host_.reload && obeyed_ == StopSignal::State::running)
        watched.push_back({host_.reload->fd(), POLLIN, 0});
    for (const Place& place : places_) {
        for (const auto& worker : place.workers) {
            watched.push_back({worker->child->fd(), POLLIN, 0});
            if (!worker->serves) watched.push_back({worker->ready.fd(), POLLIN, 0});
            if (!worker->retired)
                watched.push_back({worker->stop.descriptor(StopSignal::State::running), POLLIN, 0});
        }
    }
    ::poll(watched.data(), watched.size(), net::wait_milliseconds(next(), now_));
    now_ = net::read_clock().instant;
}

Instant Supervisor::next() const {
    Instant next = never;
    for (const Place& place : places_) {
        next = std::min(next, place.start_at);
        for (const auto& worker : place.workers) next = std::min(next, worker->kill_at);
    }
    return next;
}

void Supervisor::read_news() {
    const bool running = obeyed_ == StopSignal::State::running;
    if (running && host_.reload && host_.reload->clear()) replace_all();
    for (Place& place : places_) {
        for (std::size_t at = 0; at < place.workers.size();) {
            Worker& worker = *place.workers[at];
            if (!worker.serves && worker.ready.clear()) note_serving(place, worker);
            if (!worker.retired && worker.stop.state() != StopSignal::State::running)
                note_retiring(place, worker);
            if (now_ >= worker.kill_at) kill(worker);
            if (!is_readable(worker.child->fd())) {
                ++at;
                continue;
            }
            auto ended = std::move(place.workers[at]);
            place.workers.erase(place.workers.begin() + static_cast<std::ptrdiff_t>(at));
            note_end(place, std::move(ended), at == place.workers.size());
        }
    }
}

void Supervisor::start_due() {
    if (obeyed_ != StopSignal::State::running) return;
    for (Place& place : places_) {
        if (now_ < place.start_at) continue;
        if (const auto error = start(place)) note_failure(place, name_of(place), error);
    }
}

void Supervisor::obey_stop() {
    const auto state = host_.stop.state();
    if (state == StopSignal::State::running) return;
    if (std::exchange(obeyed_, state) == StopSignal::State::running) drain();
    if (state == StopSignal::State::now) cut();
}

bool Supervisor::is_done() const {
    return obeyed_ != StopSignal::State::running &&
           std::ranges::all_of(places_, [](const Place& each) { return each.workers.empty(); });
}

// ---- a worker's life ----

std::error_code Supervisor::start(Place& place) try {
    place.start_at = never;
    auto worker = std::make_unique<Worker>();
    worker->started = now_;
    net::UniqueFd nothing_given;
    auto child = net::Child::start(worker->stop, net::Child::Terminated::by_anybody, nothing_given,
                                   [&] { return run_worker(place, *worker); });
    if (!child) return child.error();
    worker->child = std::make_unique<net::Child>(std::move(*child));
    place.workers.push_back(std::move(worker));
    return {};
} catch (const std::system_error& error) {
    return error.code();
}

/// In the worker's process. Others' listeners would be held open here after they are closed there.
int Supervisor::run_worker(Place& place, Worker& worker) {
    for (Place& other : places_) {
        if (&other == &place) continue;
        for (auto& listener : other.listeners) listener.close();
    }
    const std::function<int()> serve = [&] {
        Host host{.listeners = place.listeners,
                  .handler = host_.handler,
                  .limits = host_.limits,
                  .timeouts = host_.timeouts,
                  .observer = host_.observer,
                  .stop = worker.stop,
                  .options = host_.options,
                  .connect = host_.connect};
        return serve_(host, number_of(place), worker.ready);
    };
    return host_.within_process ? host_.within_process(Process::worker, serve) : serve();
}

void Supervisor::note_serving(Place& place, Worker& worker) {
    worker.serves = place.has_served = true;
    for (const auto& older : place.workers) {
        if (older.get() == &worker) return;
        retire(*older);
    }
}

/// Somebody sent it SIGTERM: the next one is started while it finishes.
void Supervisor::note_retiring(Place& place, Worker& worker) {
    retire(worker);
    if (place.workers.back().get() != &worker) return;
    place.start_at = now_;
    report(name_of(place, worker) + " got SIGTERM and finishes; starting another");
}

void Supervisor::note_end(Place& place, std::unique_ptr<Worker> worker, bool was_newest) {
    const std::string name = name_of(place, *worker);
    const net::Exit exit = worker->child->reap();
    const bool never_served = !worker->serves && !exit.by_signal && !exit.is_success();
    if (never_served) return note_failure(place, name, {exit.number, std::generic_category()});
    if (worker->retired && exit.is_success()) return;
    if (worker->retired) return report(name + " " + exit.text() + " before finishing its requests");
    const auto lived = std::chrono::duration_cast<milliseconds>(now_ - worker->started);
    const auto delay = place.delay.after_death(lived);
    if (was_newest) place.start_at = now_ + delay;
    std::string sentence = name + " " + exit.text() + " " + in_words(lived) + " after its start";
    if (const auto deaths = place.delay.early_deaths(); deaths > 1)
        sentence += ", the " + ordinal(deaths) + " time in a row";
    report(sentence +
           (delay.count() == 0 ? "; starting another" : "; next try in " + in_words(delay)));
}

/// Before all have served, a worker that cannot start is the server's failure. Afterwards those
/// that serve go on, an older one in the same place among them.
void Supervisor::note_failure(Place& place, const std::string& name, std::error_code error) {
    if (!std::ranges::all_of(places_, &Place::has_served)) {
        if (!error_) error_ = error;
        return host_.stop.request_now();
    }
    const std::string sentence = name + " cannot start: " + error.message();
    if (obeyed_ != StopSignal::State::running) return report(sentence);
    const auto delay = place.delay.after_death(milliseconds{0});
    place.start_at = now_ + delay;
    report(sentence + "; next try in " + in_words(delay));
}

void Supervisor::retire(Worker& worker) {
    worker.retired = true;
    worker.stop.request_drain();
    worker.kill_at = now_ + host_.options.stop_timeout + kill_grace;
}

void Supervisor::kill(Worker& worker) {
    worker.kill_at = never;
    worker.child->kill();
}

// ---- all of them ----

void Supervisor::replace_all() {
    for (Place& place : places_) place.start_at = now_;
}

void Supervisor::drain() {
    for (Place& place : places_) {
        const bool somebody_waits =
            std::ranges::any_of(place.listeners, [](const auto& each) { return each.queued(); });
        if (place.workers.empty() && somebody_waits) static_cast<void>(start(place));
        for (const auto& worker : place.workers) retire(*worker);
        place.start_at = never;
        // The workers' copies stay open until those that wait have been let in.
        for (auto& listener : place.listeners) listener.close();
    }
}

void Supervisor::cut() {
    for (Place& place : places_) {
        for (const auto& worker : place.workers) {
            worker->stop.request_now();
            worker->kill_at = std::min(worker->kill_at, now_ + kill_grace);
        }
    }
}

// ---- words ----

unsigned Supervisor::number_of(const Place& place) const {
    return static_cast<unsigned>(&place - places_.data());
}

std::string Supervisor::name_of(const Place& place) const {
    return "worker " + std::to_string(number_of(place) + 1);
}

std::string Supervisor::name_of(const Place& place, const Worker& worker) const {
    return name_of(place) + " (pid " + std::to_string(worker.child->pid()) + ")";
}

void Supervisor::report(const std::string& sentence) const {
    if (host_.report) host_.report(sentence);
}

}  // namespace weir::engines
