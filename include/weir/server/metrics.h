#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/requires_cxx23.h"

namespace weir::server {

/// Counts what a server does, for Prometheus and programs like it. Give it to a server by
/// Options::metrics, and its text() to a handler:
///
///     weir::server::Metrics metrics;
///     router.get("/metrics", [&] { return web::text(metrics.text()); });
///     weir::server::Server server{router, {.metrics = &metrics}};
///
/// Each thread counts for itself, in memory that all processes of the server share, so a request
/// waits for nobody. One server at a time has it, which it must outlive. Thread-safe.
class Metrics {
   public:
    enum class Format : std::uint8_t {
        prometheus,   // its text format 0.0.4
        openmetrics,  // OpenMetrics 1.0
    };
    /// The stage of the server's life.
    enum class State : std::uint8_t {
        starting,
        serving,
        leaving,  // as `serving`, but balancers should send nothing more
        stopping,
    };

    /// To call before the server forks. Throws std::system_error if the system has no memory left.
    Metrics();
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    /// All counters, by the names of OpenTelemetry's conventions for HTTP servers where they have
    /// one: http_server_request_duration_seconds, http_server_active_requests, weir_connections,
    /// weir_troubles_total, process_cpu_seconds_total ...; docs/metrics.md lists them.
    std::string text(Format format = Format::prometheus) const;
    /// With weir_connections_waiting: the connections in the kernel's queues, if the caller knows
    /// their number.
    std::string text(Format format, std::optional<std::uint64_t> connections_waiting) const;
    /// The value of Content-Type for a text() in this format.
    static std::string_view content_type(Format format) noexcept;
    /// The format that a scraper asks for by its Accept.
    static Format format_for(std::string_view accept) noexcept;

    State state() const noexcept;
    /// "serving". The text is static memory.
    static std::string_view name_of(State state) noexcept;
    /// Has state() return `leaving`, unless the server stops already. Async-signal-safe.
    void leave() noexcept;

    struct Connections {
        std::uint64_t opened = 0;  // since the start
        std::uint64_t open = 0;    // at the moment
    };
    Connections connections() const noexcept;
    /// The engine of the server; empty before there is one. The text lives as long as this object.
    std::string_view engine() const noexcept;
    /// Requests whose responses have ended, since the start.
    struct Requests {
        std::uint64_t count = 0;
        std::uint64_t refused = 0;  // of those, with a status of 400 to 499
        std::uint64_t failed = 0;   // with a status of 500 or more
        std::uint64_t content_bytes = 0;
        std::chrono::microseconds duration{0};  // of all together
    };
    Requests requests() const noexcept;
    /// Requests whose heads were read and whose responses have not ended, in all generations.
    std::uint64_t active_requests() const noexcept;
    /// The queue of an engine, and the workers that take work out of it: connections (thread-pool)
    /// or requests (reactor).
    struct Queue {
        std::uint64_t length = 0;
        std::uint64_t places = 0;
        std::uint64_t entered = 0;  // since the start
        std::uint64_t workers_busy = 0;
        std::uint64_t workers = 0;
    };
    /// Empty if the engine has no queue.
    std::optional<Queue> queue() const noexcept;
    /// The processes that the engine has now, one for each worker (prefork) or connection
    /// (fork-per-connection). Empty if the engine does not fork.
    std::optional<std::uint64_t> processes() const noexcept;
    /// A thread that has answered a request, in any process, and runs now.
    struct Thread {
        std::size_t place = 0;       // a later thread that takes it goes on with its count
        std::uint64_t requests = 0;  // responses that have ended
        std::uint64_t active = 0;    // requests under way; one may end in another thread
    };
    /// At most 256; further ones count in no place of their own. Throws std::bad_alloc.
    std::vector<Thread> threads() const;
    /// Of the engine; 0 if it has none to choose the number of.
    unsigned workers() const noexcept;
    /// How long events have waited for the loops of the engine: each loop is asked once a second.
    struct LoopDelays {
        std::uint64_t count = 0;
        std::chrono::microseconds duration{0};  // of all together
    };
    LoopDelays loop_delays() const noexcept;
    std::chrono::seconds uptime() const noexcept;

    /// For the server.
    struct Shared;
    Shared& shared() const noexcept { return *shared_; }

   private:
    const std::unique_ptr<Shared> shared_;
};

}  // namespace weir::server
