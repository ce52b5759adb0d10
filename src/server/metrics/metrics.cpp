#include "weir/server/metrics.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "net/mapping.h"
#include "server/metrics/shared.h"
#include "server/metrics/text.h"

namespace weir::server {
namespace {

/// Memory from the kernel is zero, which is where all counts begin. A constructor would write to
/// all of it, and so make it resident.
std::shared_ptr<Counts> make_counts() {
    auto memory = std::make_shared<net::Mapping>(net::Mapping::among_forks(sizeof(Counts)));
    if (!*memory) throw std::system_error{errno, std::generic_category(), "mmap"};
    Counts* const counts = memory->at<Counts>(0);
    return {std::move(memory), counts};
}

}  // namespace

Metrics::Metrics() : shared_{std::make_unique<Shared>()} {
    shared_->counts = make_counts();
    shared_->process = ::getpid();
    shared_->began = std::chrono::system_clock::now();
}

Metrics::~Metrics() = default;

std::string Metrics::text(Format format) const {
    return text_of(*shared_->counts,
                   {.connections = connections(),
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

Metrics::State Metrics::state() const noexcept { return shared_->counts->state; }

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
    shared_->counts->state.compare_exchange_strong(serving, State::leaving);
}

Metrics::Connections Metrics::connections() const noexcept {
    return shared_->connections ? shared_->connections() : Connections{};
}

std::string_view Metrics::engine() const noexcept { return shared_->engine; }

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
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now() -
                                                            shared_->began);
}

}  // namespace weir::server
