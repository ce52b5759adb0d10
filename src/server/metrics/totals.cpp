#include "server/metrics/totals.h"

#include <algorithm>

namespace weir::server {
namespace {

template <std::size_t count>
void add_to(std::array<std::uint64_t, count>& sums, const std::array<Counter, count>& more) {
    for (std::size_t i = 0; i < count; ++i) sums[i] += more[i].load();
}

}  // namespace

Totals::Totals(SlotTable& table) {
    table.each([this, &table](const Counts& counts, std::size_t slot) {
        add(counts, slot);
        const int owner = slot < SlotTable::slots ? table.owner(slot) : 0;
        if (owner != 0 && std::ranges::find(processes, owner) == processes.end())
            processes.push_back(owner);
    });
}

void Totals::add(const Counts& counts, std::size_t slot) {
    for (std::size_t protocol = 0; protocol < answers.size(); ++protocol)
        for (std::size_t status = 0; status < status_classes.size(); ++status) {
            answers[protocol][status].duration.add(counts.answers[protocol][status].duration);
            answers[protocol][status].size.add(counts.answers[protocol][status].size);
        }
    add_to(outcomes, counts.outcomes);
    add_to(accepted, counts.accepted);
    add_to(handshakes, counts.handshakes);
    handlers_ended += counts.handlers_ended.load();  // first: more may begin meanwhile
    handlers_begun += counts.handlers_begun.load();
    Loop loop{.number = slot, .turns = {}, .turn_began = counts.turn_began.load()};
    loop.turns.add(counts.turns);
    if (loop.turns.values() != 0 || loop.turn_began != Instant{}) loops.push_back(loop);
}

std::chrono::milliseconds Totals::longest_turn(Instant now) const noexcept {
    std::chrono::milliseconds longest{0};
    for (const Loop& loop : loops)
        if (loop.turn_began != Instant{}) longest = std::max(longest, now - loop.turn_began);
    return longest;
}

}  // namespace weir::server
