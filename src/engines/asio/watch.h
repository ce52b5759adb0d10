#pragma once

#include <fcntl.h>

#include <array>
#include <asio/io_context.hpp>
#include <asio/posix/basic_stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "net/unique_fd.h"
#include "weir/base/now.h"

/// What a loop asks of Asio. The executor is named, for otherwise each descriptor had one wrapped
/// up in a type that can hold any.
namespace weir::engines {

using AsioDescriptor = asio::posix::basic_stream_descriptor<asio::io_context::executor_type>;
using Wait = AsioDescriptor::wait_type;

/// A descriptor that somebody else owns and reads from, and what was asked about it and has not
/// been answered.
class Watch {
   public:
    explicit Watch(asio::io_context& context) : descriptor_{context} {}
    ~Watch() { close(); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Unless it is open already.
    std::error_code open(int fd) {
        std::error_code error;
        if (!descriptor_.is_open()) descriptor_.assign(fd, error);
        return error;
    }
    /// For a descriptor that its owner may close at any time.
    std::error_code open_duplicate(int fd) {
        duplicate_ = net::UniqueFd{::fcntl(fd, F_DUPFD_CLOEXEC, 0)};
        if (!duplicate_) return {errno, std::generic_category()};
        return open(duplicate_.get());
    }
    /// Before the descriptor is closed. What was asked comes back as canceled, unless its answer is
    /// on its way.
    void close() {
        descriptor_.release();
        duplicate_.reset();
        asked_ = {};
    }

    bool is_asked(Wait what) const noexcept { return asked_[what]; }
    void answered(Wait what) noexcept { asked_[what] = false; }
    template <typename Completion>
    void ask(Wait what, Completion completion) {
        descriptor_.async_wait(what, std::move(completion));  // throws where there is no memory
        asked_[what] = true;
    }

   private:
    net::UniqueFd duplicate_;
    AsioDescriptor descriptor_;
    std::array<bool, 3> asked_{};
};

/// The one timer of a loop.
class Alarm {
   public:
    explicit Alarm(asio::io_context& context) : timer_{context} {}

    /// In so many milliseconds; does nothing where it is set to an earlier time. What it was set to
    /// before comes back as canceled, unless it is on its way.
    template <typename Completion>
    void set(Instant now, int milliseconds, Completion completion) {
        const std::chrono::milliseconds delay{milliseconds};
        if (now + delay >= at_) return;
        at_ = never;
        timer_.expires_after(delay);
        timer_.async_wait([this, completion](std::error_code error) mutable {
            if (!error) at_ = never;
            completion(error);
        });
        at_ = now + delay;
    }

   private:
    using Clock = std::chrono::steady_clock;
    asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, asio::io_context::executor_type>
        timer_;
    Instant at_ = never;
};

}  // namespace weir::engines
