#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/launch_options.h"
#include "weir/http/handler.h"

namespace weir::cli {

struct Launch {
    std::string_view command;  // for messages: "weir serve"
    std::string served;        // for the banner
    http::Handler& handler;
    const LaunchOptions& options;
    bool shows_requests = false;  // on a terminal, unless the log is on standard error
    bool opens_browser = false;
    bool shows_qr_code = false;
    bool has_no_index = false;              // see BannerFacts::has_no_index
    std::vector<std::string> reads{};       // files and folders that the handler reads
    std::vector<std::string> follows{};     // folders from which it may read later
    std::vector<std::string> looks_into{};  // other folders from which it may read files later
    std::vector<std::string> writes{};      // folders into which it puts files
    std::vector<std::string> changes{};     // folders in which it makes and removes folders
    std::vector<std::uint16_t> ports{};     // TCP ports of servers to which it connects
    bool connects_to_unix_sockets = false;
    std::string admin_settings{};  // the page /config of --admin; empty: there is none
    /// Starts processes beside the server. Called before the sandbox, and not without one. Returns
    /// the reason why that is impossible, or nothing.
    std::function<std::string()> start_processes = {};
    std::function<void()> start_threads = {};  // starts the threads of the handler
    std::function<void()> stopping = {};       // the server is about to stop; async-signal-safe
    std::function<bool()> watches_files = {};  // see BannerFacts; called after start_threads
};

/// Listens, gives up needless privileges, handles the process's signals, and serves until a signal
/// stops the server. Prints the banner when the server serves clients. Returns an exit code.
int launch(const Launch& launch);

}  // namespace weir::cli
