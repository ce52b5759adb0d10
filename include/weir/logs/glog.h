#pragma once

#include <memory>

#include "weir/server/log.h"

/// The program's own log for the server's messages: the libraries weir-glog and weir-spdlog.
namespace weir::logs {

/// Gives messages to Google's glog, as INFO, WARNING and ERROR of the file "weir". Files may block,
/// so a thread of its own does it (see server::QueuedLog). The program calls
/// google::InitGoogleLogging() before the first message, and google::ShutdownGoogleLogging() only
/// after the log was destroyed.
///
///     const auto log = weir::logs::to_glog();
///     weir::server::Server server{handler, {}, *log};
std::unique_ptr<server::Log> to_glog();

}  // namespace weir::logs
