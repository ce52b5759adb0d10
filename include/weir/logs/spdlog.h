#pragma once

#include <memory>

#include "weir/server/log.h"

namespace spdlog {
class logger;  // NOLINT(readability-identifier-naming): the name is spdlog's
}  // namespace spdlog

namespace weir::logs {

/// Gives messages to a logger of spdlog, as info, warn and err. Sinks may block, so a thread of its
/// own does it (see server::QueuedLog): `logger` must be thread-safe if the program uses it too (a
/// sink with `_mt`), and need not be asynchronous. An exception of the logger goes to its error
/// handler.
///
///     const auto log = weir::logs::to_spdlog(spdlog::default_logger());
///     weir::server::Server server{handler, {}, *log};
std::unique_ptr<server::Log> to_spdlog(std::shared_ptr<spdlog::logger> logger);

}  // namespace weir::logs
