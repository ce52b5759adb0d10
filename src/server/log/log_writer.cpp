#include "server/log/log_writer.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string>
#include <utility>

#include "base/background_thread.h"
#include "base/troubles.h"
#include "net/clock.h"
#include "net/system/system_limits.h"

namespace weir::server {
namespace {

constexpr std::size_t dropped_line_bytes = 512;  // more than such a line ever has

std::uint64_t count_lines(std::string_view bytes) {
    return static_cast<std::uint64_t>(std::ranges::count(bytes, '\n'));
}

}  // namespace

/// Reports the name of the file and the text of `sentence()`. If there is no memory for that, a
/// fixed sentence replaces it.
template <typename Sentence>
void LogWriter::tell(Severity severity, Sentence sentence) noexcept try {
    errors_.write(severity, target_.name() + sentence());
} catch (const std::bad_alloc&) {
    errors_.write(severity, "the access log failed, and there is no memory to say how");
}

LogWriter::LogWriter(LogTarget target, AppendDropped append_dropped, Log& errors, Options options)
    : options_{std::move(options)},
      append_dropped_{std::move(append_dropped)},
      errors_{errors},
      target_{std::move(target)} {
    waiting_.reserve(options_.waiting_bytes_max);
    writing_.reserve(options_.waiting_bytes_max);
    dropped_line_.reserve(dropped_line_bytes);
    thread_ = start_background_thread([this] { run(); });
}

LogWriter::~LogWriter() {
    stopping_.store(true);
    event_.signal();
    thread_.join();
    if (dropped_ > 0)
        tell(Severity::warning,
             [this] { return ": the last " + std::to_string(dropped_) + " lines were dropped"; });
}

void LogWriter::append(std::string_view line) noexcept {
    bool wanted = false;
    {
        const std::lock_guard lock{mutex_};
        const auto before = waiting_.size();
        if (line.size() > options_.waiting_bytes_max - before) {
            ++dropped_;
            return note_lost(1);
        }
        waiting_ += line;
        wanted = before == 0 ||
                 (before < options_.write_bytes && waiting_.size() >= options_.write_bytes);
    }
    if (wanted) event_.signal();
}

void LogWriter::reopen() noexcept {
    reopen_.store(true);
    event_.signal();
}

void LogWriter::run() {
    for (bool last = false; !last;) {
        wait_for_lines();
        last = stopping_.load();  // read before the lines are taken, so that lines from before the
                                  // stop are written
        write(take_waiting());
        if (reopen_.exchange(false)) reopen_file();
    }
}

void LogWriter::wait_for_lines() {
    pollfd waited{.fd = event_.fd(), .events = POLLIN, .revents = 0};
    ::poll(&waited, 1, -1);
    event_.clear();
    if (is_urgent()) return;
    ::poll(&waited, 1, static_cast<int>(options_.gather.count()));
    event_.clear();  // clears signals that are handled already: they would end the next wait early
}

bool LogWriter::is_urgent() {
    const std::lock_guard lock{mutex_};
    return stopping_.load() || reopen_.load() || waiting_.size() >= options_.write_bytes;
}

std::uint64_t LogWriter::take_waiting() {
    writing_.clear();
    const std::lock_guard lock{mutex_};
    std::swap(waiting_, writing_);
    return std::exchange(dropped_, 0);
}

LogFile::Written LogWriter::write_lines() {
    if (writing_.empty() || !options_.rotation.is_on()) return target_.write(writing_, stopping_);
    rotate();
    const auto written = target_.write(writing_, stopping_);
    LogRotation::release(*target_.file());
    return written;
}

void LogWriter::write(std::uint64_t dropped) {
    const auto lines = write_lines();
    if (lines.size < writing_.size()) {
        const auto lost = std::string_view{writing_}.substr(lines.size);
        note_lost(count_lines(lost));
        return lose(dropped + count_lines(lost), lines.error);
    }
    if (!writing_.empty()) failing_ = false;
    if (dropped == 0) return;

    dropped_line_.clear();
    append_dropped_(dropped_line_, dropped, net::read_clock().unix_seconds);
    const auto line = target_.write(dropped_line_, stopping_);
    if (line.size < dropped_line_.size()) lose(dropped, line.error);
}

void LogWriter::lose(std::uint64_t lines, std::error_code error) {
    {
        const std::lock_guard lock{mutex_};
        dropped_ += lines;
    }
    if (!error || std::exchange(failing_, true)) return;
    tell(Severity::error, [&] {
        return net::with_limit("", error) + ": " + error.message() +
               "; lines are dropped until it can be written again";
    });
}

void LogWriter::note_lost(std::uint64_t lines) const noexcept {
    if (options_.losses_are_a_trouble) troubles().note(Trouble::log_lines, lines);
}

/// Without memory for the names, the next lines try again.
void LogWriter::rotate() noexcept try {
    LogRotation& rotation = options_.rotation;
    LogFile& file = *target_.file();  // rotation is off for any other target
    const auto done = rotation.prepare(file, writing_.size(), net::read_clock().unix_seconds);
    if (rotation.is_news(!done.has_value()))
        tell(Severity::error, [&] { return LogRotation::complaint(done.error()); });
} catch (const std::bad_alloc&) {
    errors_.write(Severity::error, "the access log cannot be rotated: there is no memory");
}

void LogWriter::reopen_file() {
    if (const auto error = target_.reopen())
        tell(Severity::error, [&] {
            const bool is_forbidden = error == std::errc::permission_denied;
            return " cannot be reopened: " + error.message() + "; still writing to the old file" +
                   (is_forbidden ? "; if its folder was replaced, the sandbox lets a new process "
                                   "write there: weir reload, or a restart"
                                 : "");
        });
}

}  // namespace weir::server
