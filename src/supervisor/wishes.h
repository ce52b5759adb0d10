#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "supervisor/control_socket.h"
#include "supervisor/requests.h"

namespace weir::supervisor {

/// A request of a client, or of a signal, which gets no answer.
struct Wish {
    Request request;
    std::optional<ControlSocket::Client> client{};

    void answer(const Answer& answer) {
        if (client) client->answer(answer);
        client.reset();
    }
};

/// The requests that wait until the starting generation is ready or has failed. That generation may
/// have read the configuration before a request came, so each request gets a generation of its own.
class Wishes {
   public:
    void add(Wish wish) {
        // A second signal of the same kind adds nothing to a waiting one.
        const bool waits = std::ranges::any_of(waiting_, [&](const Wish& each) {
            return !wish.client && !each.client && each.request == wish.request;
        });
        if (waits) return;
        if (waiting_.size() == waiting_max) return wish.answer({.text = "too many requests wait"});
        waiting_.push_back(std::move(wish));
    }
    bool is_empty() const noexcept { return waiting_.empty(); }
    Wish take() {
        Wish wish = std::move(waiting_.front());
        waiting_.pop_front();
        return wish;
    }
    const std::deque<Wish>& all() const noexcept { return waiting_; }
    void refuse_all(const Answer& answer) {
        for (Wish& each : waiting_) each.answer(answer);
        waiting_.clear();
    }

   private:
    static constexpr std::size_t waiting_max = 16;
    std::deque<Wish> waiting_;
};

}  // namespace weir::supervisor
