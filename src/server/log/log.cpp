#include "weir/server/log.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <climits>
#include <cstdint>

#include "base/troubles.h"
#include "server/log/target/output.h"

namespace weir::server {
namespace {

std::string_view prefix_of(Severity severity) noexcept {
    switch (severity) {
        case Severity::info: return "weir: ";
        case Severity::warning: return "weir: warning: ";
        case Severity::error: return "weir: error: ";
    }
    return {};
}

/// A message in its written form, with its prefix and a line feed, in memory of its own. Its size
/// is at most PIPE_BUF, so a pipe takes it whole.
class Line {
   public:
    Line(Severity severity, std::string_view message, std::string_view more = {}) noexcept {
        for (const auto part : {prefix_of(severity), message, more}) append(part);
        if (is_cut_) add(cut);
        add("\n");
    }
    std::string_view text() const noexcept { return {bytes_.data(), size_}; }

   private:
    static constexpr std::string_view cut = "...";

    void append(std::string_view text) noexcept {
        const auto room = bytes_.size() - size_ - cut.size() - 1;
        is_cut_ = is_cut_ || text.size() > room;
        add(text.substr(0, room));
    }
    void add(std::string_view text) noexcept {
        std::ranges::copy(text, bytes_.data() + size_);
        size_ += text.size();
    }

    std::array<char, PIPE_BUF> bytes_;
    std::size_t size_ = 0;
    bool is_cut_ = false;
};

class StandardErrorLog final : public Log {
   public:
    void write(Severity severity, std::string_view message) noexcept override {
        const auto dropped = dropped_.exchange(0);
        if (dropped > 0 && !tell_dropped(dropped)) return drop(dropped + 1);
        if (!put({severity, message})) drop(1);
    }

   private:
    void drop(std::uint64_t messages) noexcept {
        dropped_ += messages;
        troubles().note(Trouble::log_lines);
    }
    static bool put(const Line& line) noexcept {
        const auto written = write_at_once(STDERR_FILENO, line.text());
        return written == static_cast<ssize_t>(line.text().size());
    }
    static bool tell_dropped(std::uint64_t messages) noexcept {
        std::array<char, 20> digits;
        auto* const end = std::to_chars(digits.begin(), digits.end(), messages).ptr;
        return put({Severity::warning, {digits.data(), end}, " messages were dropped"});
    }

    std::atomic<std::uint64_t> dropped_{0};  // since the last written message
};

}  // namespace

Log& standard_error_log() noexcept {
    static StandardErrorLog log;
    return log;
}

}  // namespace weir::server
