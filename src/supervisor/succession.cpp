#include "supervisor/succession.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include "base/last_error.h"
#include "base/readable_time.h"
#include "base/troubles.h"
#include "net/address.h"

namespace weir::supervisor {
namespace {

using std::chrono::milliseconds;

// A generation is killed this long after the time at which it should have ended.
constexpr milliseconds kill_grace{2'000};

std::string why_it_ended(const Generation& generation, const net::Exit& exit) {
    return generation.said().empty() ? generation.name() + ' ' + exit.text() : generation.said();
}

/// Removes the files of unix sockets in `left`, except those with the address of a socket in
/// `kept`, or of one that systemd has passed, and keeps. If there is no memory to compare the
/// addresses, all files stay.
void remove_files(const std::vector<net::UniqueFd>& left, const std::vector<net::UniqueFd>& kept,
                  const PassedSockets& passed) noexcept try {
    std::set<std::string> wanted;
    const auto want = [&wanted](int fd) {
        if (const auto address = net::Address::of_socket(fd)) wanted.insert(address->text());
    };
    for (const net::UniqueFd& fd : kept) want(fd.get());
    for (const PassedSocket& each : passed.sockets) want(each.fd);
    for (const net::UniqueFd& fd : left) {
        const auto address = net::Address::of_socket(fd.get());
        if (address && !address->path().empty() && !wanted.contains(address->text()))
            ::unlink(address->c_path());
    }
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

}  // namespace

void Succession::resume(const State& state, Instant now) {
    number_ = state.number;
    tickets_.reset(state.tickets);
    counters_.reset(state.counters);
    for (const int fd : state.sockets) sockets_.emplace_back(fd);
    if (state.serving)
        serving_ = std::make_unique<Generation>(Generation::resume(*state.serving, now));
    for (const KeptGeneration& each : state.finishing)
        finishing_.push_back({std::make_unique<Generation>(Generation::resume(each, now)),
                              each.kill_in ? now + *each.kill_in : never});
}

void Succession::keep(State& state, Instant now) const {
    state.number = number_;
    state.tickets = tickets_.get();
    state.counters = counters_.get();
    for (const net::UniqueFd& fd : sockets_) state.sockets.push_back(fd.get());
    if (serving_) state.serving = serving_->keep(now);
    for (const Finishing& each : finishing_) {
        KeptGeneration& kept = state.finishing.emplace_back(each.generation->keep(now));
        if (each.kill_at != never)
            kept.kill_in =
                std::max(std::chrono::ceil<milliseconds>(each.kill_at - now), milliseconds{0});
    }
}

std::error_code Succession::start(const Program& program, Instant now) {
    auto generation = Generation::start(program, hand_over(), now);
    if (!generation) return generation.error();
    ++number_;
    starting_ = std::make_unique<Generation>(std::move(*generation));
    // If no generation serves, waiting without a limit is the best choice.
    ready_by_ = serving_ && times_.ready != milliseconds{0} ? now + times_.ready : never;
    return {};
}

void Succession::watch(std::vector<pollfd>& watched) const {
    if (starting_) starting_->watch(watched);
    if (serving_) serving_->watch(watched);
    for (const Finishing& each : finishing_) each.generation->watch(watched);
}

Instant Succession::next() const noexcept {
    Instant next = starting_ ? ready_by_ : never;
    for (const Finishing& each : finishing_) next = std::min(next, each.kill_at);
    return next;
}

std::vector<Succession::Event> Succession::look(Instant now) {
    std::vector<Event> events;
    events.reserve(2);
    if (auto event = look_at_serving(now)) events.push_back(std::move(*event));
    if (auto event = look_at_starting(now)) events.push_back(std::move(*event));
    look_at_finishing(now);
    return events;
}

std::optional<Succession::Event> Succession::look_at_starting(Instant now) {
    if (!starting_) return std::nullopt;
    starting_->listen();
    if (starting_->is_ready()) return take_over(now);
    if (const auto exit = starting_->reap()) {
        const auto ended = std::exchange(starting_, nullptr);
        remove_files(ended->take_sockets(), sockets_, program_.passed);
        return Event{.kind = Event::Kind::gave_up,
                     .name = ended->name(),
                     .why = why_it_ended(*ended, *exit),
                     .exit = *exit,
                     .lived = ended->lived(now)};
    }
    if (now < ready_by_) return std::nullopt;
    finishing_.reserve(finishing_.size() + 1);
    auto late = std::exchange(starting_, nullptr);
    late->kill();
    late->ignore_messages();
    finishing_.push_back({std::move(late), never});
    const Generation& killed = *finishing_.back().generation;
    Event event{.kind = Event::Kind::gave_up,
                .name = killed.name(),
                .why = killed.name() + " was not ready within " + readable_time(times_.ready) +
                       " (--ready-timeout)",
                .exit = {.by_signal = false, .number = 1},
                .lived = killed.lived(now)};
    remove_files(finishing_.back().generation->take_sockets(), sockets_, program_.passed);
    return event;
}

/// The new generation serves before the old one is ordered to retire. In between, both accept from
/// the same queues.
Succession::Event Succession::take_over(Instant now) {
    Event event{
        .kind = Event::Kind::took_over, .name = starting_->name(), .changed = starting_->changed()};
    finishing_.reserve(finishing_.size() + 1);
    keep_sockets(starting_->take_sockets());
    if (auto tickets = starting_->take_tickets()) tickets_ = std::move(tickets);
    if (auto counters = starting_->take_counters()) counters_ = std::move(counters);
    if (serving_) finish(std::move(serving_), Order::retire, now);
    serving_ = std::move(starting_);
    return event;
}

std::optional<Succession::Event> Succession::look_at_serving(Instant now) {
    if (!serving_) return std::nullopt;
    serving_->listen();
    const auto exit = serving_->reap();
    if (!exit) return std::nullopt;
    const auto ended = std::exchange(serving_, nullptr);
    return Event{.kind = Event::Kind::died,
                 .name = ended->name(),
                 .exit = *exit,
                 .lived = ended->lived(now)};
}

void Succession::look_at_finishing(Instant now) {
    std::erase_if(finishing_, [](Finishing& each) { return each.generation->reap().has_value(); });
    for (Finishing& each : finishing_) {
        if (now < each.kill_at) continue;
        each.generation->kill();
        each.kill_at = never;
    }
}

/// A socket whose address is no longer used closes here; the generation that finishes accepts the
/// connections in its queue.
void Succession::keep_sockets(std::vector<net::UniqueFd> reported) {
    std::swap(sockets_, reported);
    remove_files(reported, sockets_, program_.passed);
}

/// finishing_ must have memory reserved for one more.
void Succession::finish(std::unique_ptr<Generation> generation, Order order, Instant now) {
    generation->order(order);
    generation->ignore_messages();
    const Instant kill_at = now + generation->stops_within().value_or(times_.stop) + kill_grace;
    finishing_.push_back({std::move(generation), kill_at});
}

/// If there is no memory, nothing has changed.
void Succession::stop(Instant now) {
    finishing_.reserve(finishing_.size() + 2);
    if (starting_) finish(std::move(starting_), Order::stop, now);
    if (serving_) finish(std::move(serving_), Order::stop, now);
}

void Succession::cut(Instant now) {
    stop(now);
    for (Finishing& each : finishing_) {
        each.generation->order(Order::cut);
        each.kill_at = std::min(each.kill_at, now + kill_grace);
    }
}

void Succession::pass_on(int signal) const noexcept {
    if (serving_) ::kill(serving_->pid(), signal);
}

void Succession::reap_orphans() const noexcept {
    siginfo_t ended{};
    while (::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0) {
        if (has_child(ended.si_pid)) return;  // look() reaps it first
        ::waitid(P_PID, static_cast<id_t>(ended.si_pid), nullptr, WEXITED | WNOHANG);
        ended.si_pid = 0;
    }
}

bool Succession::has_child(pid_t pid) const noexcept {
    const auto is_it = [pid](const std::unique_ptr<Generation>& each) {
        return each && each->pid() == pid;
    };
    return is_it(starting_) || is_it(serving_) ||
           std::ranges::any_of(finishing_, is_it, &Finishing::generation);
}

void Succession::remove_socket_files() const { remove_files(sockets_, {}, program_.passed); }

Handover Succession::hand_over() const {
    Handover handover{.number = number_ + 1,
                      .settings = serving_ ? serving_->settings() : -1,
                      .tickets = tickets_.get(),
                      .counters = counters_.get()};
    for (const net::UniqueFd& fd : sockets_) handover.sockets.push_back(fd.get());
    return handover;
}

}  // namespace weir::supervisor
