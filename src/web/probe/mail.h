#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "base/troubles.h"
#include "weir/base/now.h"
#include "weir/http/handler.h"
#include "weir/http/origin.h"

namespace weir::web {

/// Carries responses, wake-ups and connections to the test's thread.
class Mail final : public http::Postbox {
   public:
    struct Item {
        http::Ticket ticket;
        std::optional<http::Response> answer;
        std::unique_ptr<http::Outbound> outbound;  // in place of the others
    };

    explicit Mail(const Now& clock) noexcept : clock_{clock} {}
    void answer(http::Ticket ticket, http::Response&& response) override {
        put({ticket, std::move(response), nullptr});
    }
    void wake(http::Ticket ticket) override { put({ticket, std::nullopt, nullptr}); }
    void adopt(std::unique_ptr<http::Outbound> outbound) override {
        put({{}, std::nullopt, std::move(outbound)});
    }
    bool has_network() const noexcept override { return false; }
    /// Coroutines and callbacks call it on the test's thread, offloaded work does not.
    Instant now() const noexcept override {
        const std::scoped_lock lock{mutex_};
        return clock_.instant;
    }

    /// For a connection.
    std::uint64_t next_number() noexcept { return ++last_number_; }

    std::vector<Item> collect() {
        const std::scoped_lock lock{mutex_};
        return std::exchange(items_, {});
    }
    /// False if nothing came for too long.
    bool wait() {
        constexpr std::chrono::seconds patience{10};
        std::unique_lock lock{mutex_};
        return came_.wait_for(lock, patience, [this] { return !items_.empty(); });
    }
    void turn(Now& clock, Instant::duration time) {
        const std::scoped_lock lock{mutex_};
        clock.instant += time;
    }

   private:
    void put(Item&& item) noexcept try {
        const std::scoped_lock lock{mutex_};
        items_.push_back(std::move(item));
        came_.notify_all();
    } catch (const std::bad_alloc&) {  // as in a server, the request times out
        troubles().note(Trouble::memory);
    }

    const Now& clock_;
    mutable std::mutex mutex_;
    std::condition_variable came_;
    std::vector<Item> items_;
    std::uint64_t last_number_ = 0;
};

}  // namespace weir::web
