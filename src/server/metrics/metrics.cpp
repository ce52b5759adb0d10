#include "weir/server/metrics.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "net/mapping.h"
#include "server/metrics/counts_file.h"
#include "server/metrics/shared.h"
#include "server/metrics/text.h"

namespace weir::server {
namespace {

/// Memory from the kernel is zero, which is where all counts begin. A constructor would write to
/// all of it, and so make it resident.
template <typename Object>
std::shared_ptr<Object> make_among_forks() {
    auto memory = std::make_shared<net::Mapping>(net::Mapping::among_forks(sizeof(Object)));
    if (!*memory) throw std::system_error{errno, std::generic_category(), "mmap"};
    Object* const object = memory->at<Object>(0);
    return {std::move(memory), object};
}
static_assert(Metrics::State{} == Metrics::State::starting);

/// Reads the cells that are in use: a first read would give memory to the others.
std::uint64_t requests_of(const Slot& slot, const SeriesTable& series) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t number = 0; number < SeriesTable::size; ++number)
        if (series.has(number))
            for (const auto& count : slot.cells[number].by_duration)
                sum += count.load(std::memory_order_relaxed);
    return sum;
}

}  // namespace

Metrics::Shared::Shared() : state{make_among_forks<std::atomic<State>>()}, process{::getpid()} {
    count_in(make_among_forks<Counts>());
}

void Metrics::Shared::count_in(std::shared_ptr<Counts> memory) {
    counts = std::move(memory);
    place_ = counts->take_place(process);
}

bool Metrics::Shared::count_in_file(net::UniqueFd before) {
    auto kept = before ? open_counts_file(std::move(before)) : std::nullopt;
    const bool goes_on = kept && kept->counts->take_place(process);
    if (!goes_on) kept = make_counts_file();
    file_ = std::move(kept->file);
    count_in(std::move(kept->counts));
    return goes_on;
}

std::shared_ptr<Tally> Metrics::Shared::tally() const {
    Tally& own = place_->connections;
    own.closed = own.opened.load();
    return {counts, &own};
}

engines::EngineFigures* Metrics::Shared::figures() const noexcept {
    engines::EngineFigures& own = place_->engine;
    own.queue_length = own.queue_places = own.workers_busy = own.processes = 0;
    return &own;
}

Metrics::Connections Metrics::Shared::connections() const noexcept {
    Connections all{.opened = counts->opened_before};
    for (const GenerationTally& each : counts->generations) {
        const auto closed = each.connections.closed.load();  // read first, as in ConnectionCounts
        const auto opened = each.connections.opened.load();
        all.opened += opened;
        if (opened != closed && !has_ended(each.process)) all.open += opened - closed;
    }
    return all;
}

/// Each place is read while threads count, so a request may be seen to end and not to begin.
std::uint64_t Metrics::Shared::active_requests() const noexcept {
    std::uint64_t sum = 0;
    for (const Slot& each : counts->own) {
        if (!each.was_used) continue;
        const std::uint64_t active = each.active;
        if (active != 0 && !has_ended(each.owner)) sum += active;
    }
    for (const GenerationTally& each : counts->generations) {
        const std::uint64_t active = each.active;
        if (active != 0 && !has_ended(each.process)) sum += active;
    }
    return static_cast<std::uint64_t>(std::max(static_cast<std::int64_t>(sum), std::int64_t{0}));
}

void Metrics::Shared::forget_killed() const noexcept {
    for (Slot& each : counts->own) {
        const pid_t owner = each.owner;
        if (owner == 0 || each.generation != process || !has_ended(owner)) continue;
        place_->connections.closed += each.open.exchange(0);
        each.active = 0;
        each.owner = 0;
    }
}

std::vector<Metrics::Thread> Metrics::Shared::threads() const {
    std::vector<Thread> all;
    for (const Slot& each : counts->own) {
        const pid_t owner = each.was_used ? each.owner.load() : 0;
        if (owner == 0 || has_ended(owner)) continue;
        const std::uint64_t active = each.active;
        all.push_back({.place = static_cast<std::size_t>(&each - counts->own.data()),
                       .requests = requests_of(each, counts->series),
                       .active = active > INT64_MAX ? 0 : active});  // less than none
    }
    return all;
}

std::optional<Metrics::Queue> Metrics::Shared::queue() const noexcept {
    Queue all{.entered = counts->entered_before, .workers = workers};
    for (const GenerationTally& each : counts->generations) {
        all.entered += each.engine.queue_entered;
        if (each.engine.queue_places == 0 || has_ended(each.process)) continue;
        all.length += each.engine.queue_length;
        all.places += each.engine.queue_places;
        all.workers_busy += each.engine.workers_busy;
    }
    return all.places != 0 ? std::optional{all} : std::nullopt;
}

std::optional<std::uint64_t> Metrics::Shared::processes() const noexcept {
    if (!forks) return std::nullopt;
    std::uint64_t all = 0;
    for (const GenerationTally& each : counts->generations) {
        const std::uint64_t of_generation = each.engine.processes;
        if (of_generation != 0 && !has_ended(each.process)) all += of_generation;
    }
    return all;
}

bool Metrics::Shared::has_ended(pid_t process_counted) const noexcept {
    return process_counted != process && !is_running(process_counted);
}

Metrics::Metrics() : shared_{std::make_unique<Shared>()} {}

Metrics::~Metrics() = default;

std::string Metrics::text(Format format) const { return text(format, std::nullopt); }

std::string Metrics::text(Format format, std::optional<std::uint64_t> connections_waiting) const {
    return text_of(*shared_->counts,
                   {.connections = connections(),
                    .connections_waiting = connections_waiting,
                    .active_requests = active_requests(),
                    .queue = queue(),
                    .processes = processes(),
                    .state = state(),
                    .engine = shared_->engine,
                    .workers = shared_->workers,
                    .process = shared_->process,
                    .began = std::chrono::duration<double>{shared_->began.time_since_epoch()}},
                   format);
}

std::string_view Metrics::content_type(Format format) noexcept {
    return format == Format::openmetrics
               ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
               : "text/plain; version=0.0.4; charset=utf-8";
}

Metrics::Format Metrics::format_for(std::string_view accept) noexcept {
    return accept.contains("application/openmetrics-text") ? Format::openmetrics
                                                           : Format::prometheus;
}

Metrics::State Metrics::state() const noexcept { return *shared_->state; }

std::string_view Metrics::name_of(State state) noexcept {
    switch (state) {
        case State::starting: return "starting";
        case State::serving: return "serving";
        case State::leaving: return "leaving";
        case State::stopping: return "stopping";
    }
    return {};
}

void Metrics::leave() noexcept {
    State serving = State::serving;
    shared_->state->compare_exchange_strong(serving, State::leaving);
}

Metrics::Connections Metrics::connections() const noexcept { return shared_->connections(); }

std::uint64_t Metrics::active_requests() const noexcept { return shared_->active_requests(); }

std::optional<Metrics::Queue> Metrics::queue() const noexcept { return shared_->queue(); }

std::optional<std::uint64_t> Metrics::processes() const noexcept { return shared_->processes(); }

std::vector<Metrics::Thread> Metrics::threads() const { return shared_->threads(); }

std::string_view Metrics::engine() const noexcept { return shared_->engine; }

unsigned Metrics::workers() const noexcept { return shared_->workers; }

Metrics::LoopDelays Metrics::loop_delays() const noexcept {
    const Histogram& delays = shared_->counts->loop_delays;
    LoopDelays all{.duration = std::chrono::microseconds{delays.microseconds}};
    for (const auto& each : delays.by_duration) all.count += each;
    return all;
}

Metrics::Requests Metrics::requests() const noexcept {
    constexpr unsigned client_error = 400, server_error = 500;
    Requests all;
    for (std::size_t number = 0; number < SeriesTable::size; ++number) {
        if (!shared_->counts->series.has(number)) continue;
        const SeriesSum sum = sum_of(*shared_->counts, number);
        const unsigned status = shared_->counts->series.at(number).status;
        all.count += sum.requests();
        if (status >= server_error)
            all.failed += sum.requests();
        else if (status >= client_error)
            all.refused += sum.requests();
        all.content_bytes += sum.content_bytes;
        all.duration += std::chrono::microseconds{sum.microseconds};
    }
    return all;
}

std::chrono::seconds Metrics::uptime() const noexcept {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() -
                                                            shared_->began_steadily);
}

}  // namespace weir::server
