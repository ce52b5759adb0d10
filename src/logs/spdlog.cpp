#include "weir/logs/spdlog.h"

#include <spdlog/logger.h>

#include <utility>

#include "weir/server/queued_log.h"

namespace weir::logs {
namespace {

using server::Severity;

spdlog::level::level_enum level_of(Severity severity) noexcept {
    switch (severity) {
        case Severity::info: return spdlog::level::info;
        case Severity::warning: return spdlog::level::warn;
        case Severity::error: return spdlog::level::err;
    }
    std::unreachable();
}

}  // namespace

std::unique_ptr<server::Log> to_spdlog(std::shared_ptr<spdlog::logger> logger) {
    return std::make_unique<server::QueuedLog>(
        [logger = std::move(logger)](Severity severity, std::string_view message) {
            logger->log(level_of(severity), spdlog::string_view_t{message.data(), message.size()});
        });
}

}  // namespace weir::logs
