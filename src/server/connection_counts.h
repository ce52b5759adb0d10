#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <system_error>

#include "http/connection_observer.h"
#include "net/mapping.h"

namespace weir::server {

/// How many connections a server has, and how far its stop has come. One for all threads of a server
/// and all processes that it forks. A process that is killed leaves its share in the counts.
class ConnectionCounts final : public http::ConnectionObserver {
   public:
    /// Throws std::system_error where the system has no memory left.
    ConnectionCounts() : memory_{net::Mapping::among_forks(sizeof(Counts))} {
        if (!memory_) throw std::system_error{errno, std::generic_category(), "mmap"};
        counts_ = std::construct_at(memory_.at<Counts>(0));
    }

    void opened() noexcept override { ++counts_->open; }
    void retired() noexcept override { ++counts_->retired; }
    void at_work() noexcept override { ++counts_->at_work; }
    void closed(bool was_retired, bool was_at_work) noexcept override {
        if (was_at_work) --counts_->at_work;
        if (was_retired) --counts_->retired;
        --counts_->open;
    }

    /// Every connection has heard of the stop.
    bool all_retired() const noexcept {
        const auto retired = counts_->retired.load();
        return retired == counts_->open.load();
    }
    /// Once all have: those that go on until they have answered.
    std::uint32_t requests() const noexcept { return counts_->at_work.load(); }

   private:
    struct Counts {
        std::atomic<std::uint32_t> open{0};
        std::atomic<std::uint32_t> retired{0};
        std::atomic<std::uint32_t> at_work{0};
    };

    net::Mapping memory_;
    Counts* counts_;
};

}  // namespace weir::server
