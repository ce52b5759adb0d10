#include "engines/peer/giving_way.h"

#include <algorithm>
#include <new>

#include "base/troubles.h"
#include "engines/peer/connection_limit.h"

namespace weir::engines {

void Candidates::add(std::uint64_t number, const http::Connection& connection) {
    if (connection.step() == http::Step::close) return;  // it goes in any case
    const Instant deadline = connection.deadline();
    switch (connection.standing()) {
        case http::Standing::idle:
            if (reach_ == Reach::idle || !is_younger(deadline, timeouts_.keep_alive))
                idle_.push_back({deadline, number});
            break;
        case http::Standing::unfinished:
            if (reach_ == Reach::resting_or_unfinished && !is_younger(deadline, timeouts_.head))
                unfinished_.push_back({deadline, number});
            break;
        case http::Standing::working: break;
    }
}

std::size_t Candidates::give_up(std::size_t count, Crowd& crowd) {
    std::ranges::sort(idle_, {}, &Candidate::deadline);
    std::ranges::sort(unfinished_, std::ranges::greater{}, &Candidate::deadline);
    std::size_t given = 0;
    for (const auto* const all : {&idle_, &unfinished_})
        for (auto each = all->begin(); each != all->end() && given < count; ++each)
            given += crowd.give_up(each->number) ? 1 : 0;
    return given;
}

void GivingWay::make_room(std::size_t waiting, Instant now, Crowd& crowd) noexcept {
    make_room_for_files(now, crowd);
    make_room_for_others(now, crowd);
    make_room_for_newcomers(waiting, now, crowd);
}

void GivingWay::make_room_for_files(Instant now, Crowd& crowd) noexcept {
    const auto missing = static_cast<std::size_t>(net::descriptors().missing());
    if (missing == 0 || now < look_for_files_at_) return;
    const std::size_t given = give_up({missing, Reach::idle}, now, crowd);
    if (given == missing) return;
    look_for_files_at_ = now + ConnectionLimit::pause;
    ask(missing - given, Reach::idle);
}

void GivingWay::make_room_for_others(Instant now, Crowd& crowd) {
    const std::uint32_t number = requests_.number();
    if (number == seen_) return;
    seen_ = number;
    const auto wanted = requests_.claim();
    const std::size_t given = wanted.count == 0 ? 0 : give_up(wanted, now, crowd);
    if (given < wanted.count) requests_.put_back(wanted.count - given);
}

void GivingWay::make_room_for_newcomers(std::size_t waiting, Instant now, Crowd& crowd) {
    constexpr std::size_t per_turn = 64;
    constexpr std::chrono::milliseconds until_all_is_forgotten{1'000};
    if (waiting == 0) return;
    const std::size_t wanted = std::min(waiting, per_turn);
    const bool is_first_look = now >= in_vain_until_;
    const Reach reach = is_first_look ? Reach::resting : Reach::resting_or_unfinished;
    const std::size_t given = give_up({wanted, reach}, now, crowd);
    if (given == wanted) return;
    in_vain_until_ = now + until_all_is_forgotten;
    ask(wanted - given, reach);
}

std::size_t GivingWay::give_up(RoomRequests::Request wanted, Instant now,
                               Crowd& crowd) const noexcept try {
    Candidates candidates{wanted.reach, timeouts_, now};
    crowd.add_all(candidates);
    return candidates.give_up(wanted.count, crowd);
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
    return 0;
}

void GivingWay::ask(std::size_t count, Reach reach) {
    requests_.ask(count, reach, self_);
    seen_ = requests_.number();
}

}  // namespace weir::engines
