#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "http/connection_observer.h"
#include "net/mapping.h"
#include "server/memory_return.h"
#include "server/metrics/counts.h"
#include "server/metrics/tally.h"
#include "weir/server/metrics.h"

namespace weir::server {

/// Counts the connections of a server, and those that know of its stop. All threads of the server
/// and all processes that it forks share the counts. If a process is killed, those of its
/// connections that know of a stop are not known any more.
class ConnectionCounts final : public http::ConnectionObserver {
   public:
    /// Counts in `tally`, too, if there is one. Throws std::system_error if the system has no memory
    /// left.
    explicit ConnectionCounts(std::shared_ptr<Tally> tally = nullptr)
        : memory_{net::Mapping::among_forks(sizeof(Counts))} {
        if (!memory_) throw std::system_error{errno, std::generic_category(), "mmap"};
        counts_ = std::construct_at(memory_.at<Counts>(0));
        tally_ = tally ? std::move(tally)
                       : std::shared_ptr<Tally>{std::shared_ptr<void>{}, &counts_->own};
    }

    void opened() noexcept override {
        ++tally_->opened;
        if (by_process_) ThreadCounts{*by_process_}.opened();
    }
    void retired() noexcept override { ++counts_->retired; }
    void busy() noexcept override { ++counts_->busy; }
    void closed(bool was_retired, bool was_busy) noexcept override {
        if (was_busy) --counts_->busy;
        if (was_retired) --counts_->retired;
        ++tally_->closed;
        if (by_process_) ThreadCounts{*by_process_}.closed();
        if (memory_return_) memory_return_->look();
    }
    /// A process has ended with connections, maybe.
    void process_lost() noexcept { counts_->lost = true; }
    /// Counts what each process has open, too, for an engine that forks.
    void count_by_process(GenerationCounts counts) { by_process_ = std::move(counts); }
    /// Calls `memory_return.look()` for each connection that has closed.
    void tell(MemoryReturn& memory_return) noexcept { memory_return_ = &memory_return; }

    /// True if every connection knows of the stop.
    bool all_retired() const noexcept {
        if (counts_->lost) return false;
        const auto retired = counts_->retired.load();
        return retired == now().open;
    }
    Metrics::Connections now() const noexcept {
        const auto closed = tally_->closed.load();  // read first: none closes before it opens
        const auto opened = tally_->opened.load();
        return {.opened = opened, .open = opened - closed};
    }
    /// The connections that still have requests under way. Exact once all_retired() is true.
    std::uint32_t requests() const noexcept { return counts_->busy.load(); }

   private:
    struct Counts {
        Tally own;
        std::atomic<std::uint32_t> retired{0};
        std::atomic<std::uint32_t> busy{0};
        std::atomic<bool> lost{false};
    };

    net::Mapping memory_;
    Counts* counts_;
    std::shared_ptr<Tally> tally_;
    std::optional<GenerationCounts> by_process_{};
    MemoryReturn* memory_return_ = nullptr;
};

}  // namespace weir::server
