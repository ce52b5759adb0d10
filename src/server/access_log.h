#pragma once

#include <expected>
#include <memory>
#include <system_error>

#include "http/observer.h"
#include "server/log_writer.h"
#include "weir/server/access_log_options.h"
#include "weir/server/log.h"

namespace weir::server {

/// Writes a line for each answer, without ever making the loop that calls it wait.
class AccessLog final : public http::Observer {
   public:
    /// `errors` lives longer. Throws std::system_error where the system has no thread left.
    static std::expected<std::unique_ptr<AccessLog>, std::error_code> open(
        const AccessLogOptions& options, Log& errors);

    AccessLog(LogFile file, AccessLogOptions::Format format, Log& errors);

    void answered(const http::Answered& answered) noexcept override;

    /// The file was renamed: go on in a new one of the old name. Async-signal-safe.
    void reopen() noexcept { writer_.reopen(); }

   private:
    AccessLogOptions::Format format_;
    LogWriter writer_;
};

}  // namespace weir::server
