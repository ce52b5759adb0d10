#include "engines/peer/evictor.h"

#include "engines/peer/connection_limit.h"

namespace weir::engines {

void Evictor::Order::add(std::uint64_t number, const http::Connection& connection) noexcept {
    if (connection.step() == http::Step::close) return;  // closes in any case
    const Instant deadline = connection.deadline();
    switch (connection.close_impact()) {
        case http::CloseImpact::idle:
            if (scope_ == EvictionScope::idle || !is_younger(deadline, timeouts_.keep_alive))
                add({true, deadline, number});
            break;
        case http::CloseImpact::unfinished:
            if (scope_ == EvictionScope::past_grace && !is_younger(deadline, timeouts_.head))
                add({false, deadline, number});
            break;
        case http::CloseImpact::leaving: ++leaving_; break;
        case http::CloseImpact::working:
        case http::CloseImpact::handling: break;
    }
}

void Evictor::Order::add(const Entry& entry) noexcept {
    auto* const first = heap_.data();
    if (size_ == listed_max) {
        if (!goes_before(entry, *first)) return;
        std::pop_heap(first, first + size_--, goes_before);
    }
    first[size_++] = entry;
    std::push_heap(first, first + size_, goes_before);
}

Evictor::Wanted Evictor::wanted_by_files(Instant now) const noexcept {
    if (now < look_for_files_at_) return {};
    return {static_cast<std::size_t>(net::descriptors().missing()), EvictionScope::idle};
}

void Evictor::note_files(Wanted wanted, std::size_t evicted, Instant now) noexcept {
    // Connections that are leaving keep their descriptors for a moment longer.
    if (net::descriptors().missing() != 0) look_for_files_at_ = now + ConnectionLimit::pause;
    if (evicted < wanted.count) ask(wanted.count - evicted, wanted.scope);
}

Evictor::Wanted Evictor::asked_by_others() noexcept {
    const std::uint32_t number = requests_.number();
    if (number == seen_) return {};
    seen_ = number;
    return requests_.claim();
}

Evictor::Wanted Evictor::wanted_by_newcomers(std::size_t waiting, Instant now) const noexcept {
    constexpr std::size_t per_turn = 64;
    const bool is_first_look = now >= in_vain_until_;
    return {std::min(waiting, per_turn),
            is_first_look ? EvictionScope::idle_past_grace : EvictionScope::past_grace};
}

void Evictor::note_newcomers(Wanted wanted, std::size_t evicted, Instant now) noexcept {
    constexpr std::chrono::milliseconds until_all_is_forgotten{1'000};
    if (evicted == wanted.count) return;
    in_vain_until_ = now + until_all_is_forgotten;
    ask(wanted.count - evicted, wanted.scope);
}

void Evictor::ask(std::size_t count, EvictionScope scope) noexcept {
    requests_.ask(count, scope, self_);
    seen_ = requests_.number();
}

}  // namespace weir::engines
