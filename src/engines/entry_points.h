#pragma once

#include <string_view>
#include <system_error>

#include "engines/contract/host.h"

/// The functions that the table calls. An engine is its file: nothing else of it is visible
/// outside.
namespace weir::engines {

// engines: begin entry_points; tools/engine_rows.py writes them from engines.toml
std::error_code run_blocking(Host& host);
std::error_code run_fork_per_connection(Host& host);
std::error_code run_thread_per_connection(Host& host);
std::error_code run_select_threads(Host& host);
std::error_code run_thread_pool(Host& host);
std::error_code run_select(Host& host);
std::error_code run_poll(Host& host);
std::error_code run_epoll_blocking(Host& host);
std::error_code run_epoll_level(Host& host);
std::error_code run_epoll_edge(Host& host);
std::error_code run_coroutines(Host& host);
std::error_code run_reactor(Host& host);
std::error_code run_epoll_workers(Host& host);
std::error_code run_per_core(Host& host);
std::error_code run_prefork(Host& host);
std::error_code run_io_uring(Host& host);
std::string_view io_uring_unavailable();
std::error_code run_asio(Host& host);
std::string_view asio_unavailable();
// engines: end

}  // namespace weir::engines
