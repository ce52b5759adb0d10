#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "server/log/target/log_file.h"
#include "server/log/target/log_socket.h"

namespace weir::server {

/// The place where the lines of a log go: a file, or the socket of a daemon. Only one thread may
/// use it.
class LogTarget {
   public:
    explicit(false) LogTarget(LogFile file) : target_{std::move(file)} {}
    explicit(false) LogTarget(LogSocket socket) : target_{std::move(socket)} {}

    LogFile::Written write(std::string_view bytes, const std::atomic<bool>& stopping) {
        return std::visit([&](auto& each) { return each.write(bytes, stopping); }, target_);
    }
    void wait_for_nobody() noexcept {
        std::visit([](auto& each) { each.wait_for_nobody(); }, target_);
    }
    const std::string& name() const noexcept {
        return std::visit([](auto& each) -> const std::string& { return each.name(); }, target_);
    }
    /// A daemon needs no reopening: each line has the path of its socket.
    std::error_code reopen() {
        LogFile* const to = file();
        return to ? to->reopen() : std::error_code{};
    }
    /// Null for a daemon. Only a file can be rotated.
    LogFile* file() noexcept { return std::get_if<LogFile>(&target_); }

   private:
    std::variant<LogFile, LogSocket> target_;
};

}  // namespace weir::server
