#include "cli/beside/admin.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <span>
#include <string_view>
#include <thread>

#include "base/background_thread.h"
#include "base/last_error.h"
#include "cli/beside/admin_pages.h"
#include "cli/beside/process.h"
#include "net/open_process.h"
#include "server/log/trouble_reports.h"
#include "weir/sandbox/sandbox.h"
#include "weir/server/log.h"

namespace weir::cli {
namespace {

constexpr std::string_view unix_prefix = "unix:";

/// Waits until the server ends, or another process has the pages.
void await_end(int of_server, int retired) noexcept {
    std::array watched{pollfd{of_server, POLLIN, 0}, pollfd{retired, POLLIN, 0}};
    while (::poll(watched.data(), watched.size(), -1) < 0) {}
}

void tell(const std::string& sentence) {
    server::standard_error_log().write(server::Severity::error, sentence);
}

/// Removes the file of a unix socket at the end of the process that listens: a listener keeps the
/// files of sockets that it was given.
class SocketFiles {
   public:
    explicit SocketFiles(std::span<const std::string> addresses) {
        for (const std::string_view address : addresses) {
            struct stat status{};
            const std::string path{address.substr(std::min(address.size(), unix_prefix.size()))};
            if (address.starts_with(unix_prefix) && ::lstat(path.c_str(), &status) == 0)
                files_.push_back({path, status.st_dev, status.st_ino});
        }
    }
    ~SocketFiles() {
        struct stat status{};
        for (const auto& [path, device, inode] : files_)
            if (::lstat(path.c_str(), &status) == 0 && status.st_dev == device &&
                status.st_ino == inode)
                ::unlink(path.c_str());
    }
    SocketFiles(const SocketFiles&) = delete;
    SocketFiles& operator=(const SocketFiles&) = delete;

   private:
    struct File {
        std::string path;
        dev_t device;
        ino_t inode;
    };
    std::vector<File> files_;
};

/// The figures of processes are in proc(5).
void enter_sandbox(const server::Server& pages) {
    sandbox::Allowed allowed{.read = {"/proc"}};
    for (const std::string_view address : pages.addresses())
        if (address.starts_with(unix_prefix))
            allowed.remove.emplace_back(address.substr(unix_prefix.size()));
    sandbox::enter(allowed);
}

}  // namespace

std::string Admin::listen(const std::string& address, const server::Options& of_server) {
    if (address.empty()) return {};
    metrics_.emplace();
    retired_.emplace();
    pages_ = admin_pages(*metrics_);
    options_ = {.addresses = {address},
                .port = 0,
                .given_sockets = of_server.given_sockets,
                .leaves_socket_files = of_server.leaves_socket_files,
                .engine = "poll",
                .connections_max = 64};
    // This object binds only. Its file of a unix socket is that of the process, which removes it.
    auto of_binding = options_;
    of_binding.leaves_socket_files = true;
    listening_ = std::make_unique<server::Server>(*pages_, std::move(of_binding));
    if (const auto bound = listening_->bind(); !bound) return "--admin: " + bound.error().message();
    const std::string& bound_to = listening_->addresses().front();
    address_ = bound_to.starts_with(unix_prefix) ? bound_to : "http://" + bound_to + "/";
    return {};
}

std::vector<int> Admin::sockets() const {
    return listening_ ? listening_->sockets() : std::vector<int>{};
}

std::string Admin::start(bool is_sandboxed) {
    if (!listening_) return {};
    server::OperatorWarnings::share_with_forks();
    const pid_t server = ::getpid();
    const pid_t started = ::fork();
    if (started == 0) serve(server, is_sandboxed);
    listening_.reset();
    return started > 0 ? std::string{}
                       : "cannot start the process of --admin: " + last_error().message();
}

/// Returns an exit code.
int Admin::serve_until_end(const net::UniqueFd& end_of_server, bool is_sandboxed) {
    server::Server pages{*pages_, options_};
    if (!pages.bind()) return 1;
    for (const int given : options_.given_sockets) ::close(given);
    std::optional<SocketFiles> files;
    if (!options_.leaves_socket_files) files.emplace(pages.addresses());
    if (is_sandboxed) enter_sandbox(pages);
    std::thread waits = start_background_thread([&] {
        await_end(end_of_server.get(), retired_->fd());
        pages.stop_now();
    });
    const auto served = pages.run();
    retired_->signal();
    waits.join();
    if (!served) tell("the pages of --admin end: " + served.error().message());
    return served ? 0 : 1;
}

void Admin::serve(pid_t of_server, bool is_sandboxed) try {
    become_process_beside("weir-admin");
    options_.given_sockets = listening_->sockets();
    const net::UniqueFd end_of_server = net::open_process(of_server);
    if (!end_of_server || ::getppid() != of_server) ::_exit(1);
    auto kept = options_.given_sockets;
    kept.insert(kept.end(), {end_of_server.get(), retired_->fd()});
    if (!keep_only(kept)) ::_exit(1);
    ::_exit(serve_until_end(end_of_server, is_sandboxed));
} catch (const std::exception& error) {
    tell(std::string{"the pages of --admin end: "} + error.what());
    ::_exit(1);
}

}  // namespace weir::cli
