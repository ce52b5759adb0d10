#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace weir {

/// A problem to report to the operator.
enum class Trouble : std::uint8_t {
    descriptors,    // the process, or the system, had no descriptor left
    threads,        // no thread or process could be started, so a connection waited
    memory,         // there was no memory, so a connection was turned away or cut
    connections,    // the limit was reached while more connections waited
    queue_delay,    // work was turned away, because all of it waited too long for a worker
    per_address,    // one address, or one /64, had as many connections as it may have
    slow_peers,     // a connection was cut because its peer took longer than it may
    proxy_headers,  // a connection of a proxy did not begin with a header of the PROXY protocol
    calmed_peers,   // an HTTP/2 connection was ended because its peer asked for too much
    handshakes,     // a handshake waited, because the largest number was under way
    watches,        // a directory can't be watched: inotify(7) has no watch left
    root,           // the path of a site leads to no directory that can be read
    servers,        // a server behind this one did not answer
    names,          // the name of a server could not be looked up
    log_lines,      // a line could not be written
    workers,        // a worker process ended, or stopped answering, and was replaced
    count,
};

/// Counts each kind of trouble. A note mostly costs only the increment of a counter. server/
/// reports each kind to the operator, at most once a minute. Thread-safe.
class Troubles {
   public:
    static constexpr std::size_t kinds = static_cast<std::size_t>(Trouble::count);

    /// Async-signal-safe if the waker is.
    void note(Trouble kind, std::uint64_t times = 1) noexcept {
        if (is_left_out_[static_cast<std::size_t>(kind)]) return;
        Kind& noted = of(kind);
        noted.count += times;
        if (noted.is_watched || noted.is_watched.exchange(true)) return;
        if (const auto wake = wake_.load()) wake();
    }
    /// The report shows `about`, a few words of at most about_max bytes, for the first case since
    /// the last one.
    void note(Trouble kind, std::string_view about) noexcept {
        Kind& noted = of(kind);
        if (!noted.has_about.exchange(true)) {
            const std::size_t size = std::min(about.size(), about_max);
            for (std::size_t i = 0; i < size; ++i) noted.about[i] = about[i];
            noted.about_bytes = size;
        }
        note(kind);
    }
    static constexpr std::size_t about_max = 160;
    std::uint64_t count(Trouble kind) const noexcept { return of(kind).count; }
    /// note() has no effect on the kind in this process any more. For a process beside a server:
    /// both count together, and the kind would be taken for one of the server.
    void leave_out(Trouble kind) noexcept { is_left_out_[static_cast<std::size_t>(kind)] = true; }

    // ---- for the reporter ----

    /// note() calls `wake` for a kind that is not watched. Null: note() calls nothing.
    void wake_with(void (*wake)() noexcept) noexcept { wake_ = wake; }
    /// note() makes a kind watched, until forget().
    bool is_watched(Trouble kind) const noexcept { return of(kind).is_watched; }
    void forget(Trouble kind) noexcept { of(kind).is_watched = false; }
    /// Returns how often the kind was noted since the last call.
    std::uint64_t take(Trouble kind) noexcept {
        const auto now = of(kind).count.load();
        return now - of(kind).told.exchange(now);
    }
    /// Empty if no case since the last call had some, or if a thread is just writing it.
    std::string take_about(Trouble kind) {
        Kind& noted = of(kind);
        std::string about(noted.about_bytes.exchange(0), ' ');
        for (std::size_t i = 0; i < about.size(); ++i) about[i] = noted.about[i];
        noted.has_about = false;
        return about;
    }

    struct Kind {
        std::atomic<std::uint64_t> count{0};
        std::atomic<std::uint64_t> told{0};
        std::atomic<bool> is_watched{false};
        std::atomic<bool> has_about{false};
        std::atomic<std::size_t> about_bytes{0};
        std::array<std::atomic<char>, about_max> about{};
    };
    using Shared = std::array<Kind, kinds>;
    /// Counts in `shared` from then on: memory that the process shares with processes that it forks
    /// later, so that one process can report for all. `shared` must outlive all calls.
    void count_in(Shared& shared) noexcept {
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            shared[kind].count = (*kinds_)[kind].count.load();
            shared[kind].told = (*kinds_)[kind].told.load();
            shared[kind].is_watched = (*kinds_)[kind].is_watched.load();
            shared[kind].has_about = (*kinds_)[kind].has_about.load();
            shared[kind].about_bytes = (*kinds_)[kind].about_bytes.load();
            std::ranges::transform((*kinds_)[kind].about, shared[kind].about.begin(),
                                   [](const auto& each) { return each.load(); });
        }
        kinds_ = &shared;
    }

   private:
    Kind& of(Trouble kind) const noexcept {
        return (*kinds_.load())[static_cast<std::size_t>(kind)];
    }

    Shared own_{};
    std::atomic<Shared*> kinds_{&own_};
    std::array<std::atomic<bool>, kinds> is_left_out_{};
    std::atomic<void (*)() noexcept> wake_{nullptr};
};

/// Returns the trouble of a failed start of a thread or process for a connection.
inline Trouble trouble_of(const std::error_code& error) noexcept {
    if (error.value() == EMFILE || error.value() == ENFILE) return Trouble::descriptors;
    return error.value() == EAGAIN ? Trouble::threads : Trouble::memory;
}

/// The troubles of this process. Descriptors, memory and watches belong to the process, not to a
/// server.
inline Troubles& troubles() noexcept {
    static constinit Troubles of_process;
    return of_process;
}

}  // namespace weir
