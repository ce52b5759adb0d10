#include "weir/web/part.h"

#include <algorithm>
#include <utility>

namespace weir::web::detail {

// ---- a coroutine beside others ----

bool Branch::is_over(Instant now) noexcept {
    if (is_over_) return true;
    if (ends_) {
        if (runner_->awaited()->is_ready(now)) end_now();
        return is_over_;
    }
    runner_->run();
    if (!runner_->is_done()) return false;
    take_result();
    end_now();
    return true;
}

void Branch::end() noexcept {
    if (is_over_ || ends_) return;
    ends_ = true;
    if (runner_->awaited() == nullptr || runner_->awaited()->end()) end_now();
}

void Branch::end_now() noexcept {
    runner_.reset();
    is_over_ = true;
}

// ---- several waits ----

bool Parts::begin(Runner& of) noexcept {
    of_ = &of;
    return !is_ready(of.now());
}

bool Parts::run(std::size_t index, Instant now) noexcept {
    if (index == begun_) {
        ++begun_;
        part(index).begin(*of_);
    }
    if (!part(index).is_over(now)) return false;
    first_ = index;
    is_decided_ = until_ == Until::first || (until_ == Until::main && index == 0) || has_failed();
    return true;
}

bool Parts::is_ready(Instant now) noexcept {
    if (!is_decided_) run_all(now);
    return is_decided_ && have_ended(now);
}

void Parts::run_all(Instant now) noexcept {
    bool are_over = true;
    for (std::size_t i = 0; i < count() && !is_decided_; ++i) are_over = run(i, now) && are_over;
    is_decided_ = is_decided_ || are_over;
}

/// Ends the last part first. The main one waits for the others, which may use its objects.
bool Parts::have_ended(Instant now) noexcept {
    bool have = true;
    for (std::size_t i = begun_; i-- > 0;) {
        if (until_ == Until::main && i == 0 && !have) break;
        part(i).end();
        have = part(i).is_over(now) && have;
    }
    return have;
}

Instant Parts::due() const noexcept {
    Instant due = never;
    for (std::size_t i = 0; i < begun_; ++i) due = std::min(due, part(i).due());
    return due;
}

bool Parts::wants_content() const noexcept {
    for (std::size_t i = 0; i < begun_; ++i)
        if (part(i).wants_content()) return true;
    return false;
}

bool Parts::end() noexcept {
    is_decided_ = true;
    return have_ended(Instant::min());
}

/// Each thread that works for a part has a share in the frame, and so has this function.
bool Parts::takes_over(const Remains& remains) noexcept {
    remains_ = remains;
    shares_ = 1;
    bool is_left = false;
    for (std::size_t i = 0; i < begun_; ++i) {
        ++shares_;
        if (part(i).takes_over({.parts = this}))
            is_left = true;
        else
            --shares_;
    }
    if (is_left) release();
    return is_left;
}

void Parts::release() noexcept {
    if (--shares_ == 0) std::exchange(remains_, {}).release();  // destroys this object
}

}  // namespace weir::web::detail
