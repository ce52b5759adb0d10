#include "site/listing/listing_task.h"

#include <ctime>

#include "site/answer/entity_tag.h"

namespace weir::site {

namespace {

FileTime wall_clock() {
    timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    return {now.tv_sec, now.tv_nsec};
}

/// Some 4 ms of work: 4,000 names are read and merged.
constexpr int pieces_at_once = 8;

}  // namespace

std::expected<ListingTask, std::error_code> ListingTask::begin(ListingDesk& desk,
                                                               std::unique_ptr<FolderSource> source,
                                                               FolderReader::Choice choice) {
    const auto state = source->state();
    if (!state) return std::unexpected{state.error()};
    ListingTask task{desk, *state, wall_clock()};
    task.folder_ = desk.find(*state, choice.order);
    task.reader_.emplace(std::move(source), choice);
    return task;
}

std::expected<ListingTask::Progress, std::error_code> ListingTask::start() {
    for (int i = 0; i < pieces_at_once && !folder_; ++i)
        if (const auto progress = advance(); !progress) return progress;
    return folder_ ? Progress::done : Progress::more;
}

std::expected<ListingTask::Progress, std::error_code> ListingTask::step() {
    if (!turn_) {
        turn_ = desk_->take_turn();
        if (!turn_) return Progress::waits;
        folder_ = desk_->find(state_, reader_->order());  // another one may have read it
    }
    return folder_ ? Progress::done : advance();
}

std::expected<ListingTask::Progress, std::error_code> ListingTask::advance() {
    const auto is_done = reader_->advance();
    if (!is_done) return std::unexpected{is_done.error()};
    return *is_done ? finish() : Progress::more;
}

/// A folder that changed meanwhile, or a moment before, is not kept.
std::expected<ListingTask::Progress, std::error_code> ListingTask::finish() {
    const auto after = reader_->source().state();
    folder_ = std::make_shared<const Folder>(reader_->take());
    const bool stays = after && *after == state_ && is_settled(state_, begun_at_);
    if (turn_ && stays && folder_->lasts()) desk_->keep(folder_, state_);
    return Progress::done;
}

}  // namespace weir::site
