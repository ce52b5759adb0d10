#include "weir/logs/glog.h"

#include <glog/logging.h>

#include <utility>

#include "weir/server/queued_log.h"

namespace weir::logs {
namespace {

using server::Severity;

google::LogSeverity severity_of(Severity severity) noexcept {
    switch (severity) {
        case Severity::info: return google::GLOG_INFO;
        case Severity::warning: return google::GLOG_WARNING;
        case Severity::error: return google::GLOG_ERROR;
    }
    std::unreachable();
}

}  // namespace

std::unique_ptr<server::Log> to_glog() {
    return std::make_unique<server::QueuedLog>([](Severity severity, std::string_view message) {
        // The macro LOG() would name this file and line.
        google::LogMessage{"weir", 0, severity_of(severity)}.stream() << message;
    });
}

}  // namespace weir::logs
