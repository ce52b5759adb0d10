#include "site/listing/listing_task.h"

#include <ctime>

#include "site/fields/entity_tag.h"

namespace weir::site {

namespace {

FileTime wall_clock() {
    timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    return {now.tv_sec, now.tv_nsec};
}

/// About 4 ms of work: 4,000 names are read and merged.
constexpr int pieces_at_once = 8;

}  // namespace

std::expected<void, std::error_code> ListingTask::begin(std::uint64_t since) {
    auto source = open_();
    if (!source) return std::unexpected{source.error()};
    const auto state = (*source)->state();
    if (!state) return std::unexpected{state.error()};
    state_ = *state;
    begun_at_ = wall_clock();
    find_since(since);
    reader_.emplace(std::move(*source), choice_);
    return {};
}

void ListingTask::find_since(std::uint64_t since) {
    if (is_shared_) folder_ = desk_->find_since(since, state_, choice_.order);
}

std::expected<ListingTask::Progress, std::error_code> ListingTask::start() {
    if (const auto begun = begin(ListingDesk::no_turn); !begun)
        return std::unexpected{begun.error()};
    for (int i = 0; i < pieces_at_once && !folder_; ++i)
        if (const auto progress = advance(); !progress) return progress;
    return folder_ ? Progress::done : Progress::more;
}

std::expected<ListingTask::Progress, std::error_code> ListingTask::step() {
    if (!turn_) {
        if (waits_since_ == 0) waits_since_ = desk_->turn_now();
        turn_ = desk_->take_turn();
        if (!turn_) {
            reader_.reset();
            return Progress::waits;
        }
        if (reader_) find_since(waits_since_);
    }
    if (!reader_)
        if (const auto begun = begin(waits_since_); !begun) return std::unexpected{begun.error()};
    return folder_ ? Progress::done : advance();
}

std::expected<ListingTask::Progress, std::error_code> ListingTask::advance() {
    const auto is_done = reader_->advance();
    if (!is_done) return std::unexpected{is_done.error()};
    return *is_done ? finish() : Progress::more;
}

/// A folder that changed while it was read, or a moment before, is not kept as a lasting one.
std::expected<ListingTask::Progress, std::error_code> ListingTask::finish() {
    const auto after = reader_->source().state();
    folder_ = std::make_shared<const Folder>(reader_->take());
    const bool stays = after && *after == state_ && is_settled(state_, begun_at_);
    if (turn_ && is_shared_) desk_->keep(folder_, state_, stays && folder_->lasts());
    return Progress::done;
}

}  // namespace weir::site
