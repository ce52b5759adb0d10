#include "cli/beside/admin.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "base/background_thread.h"
#include "base/troubles.h"
#include "cli/beside/admin_pages.h"
#include "cli/beside/own_hosts.h"
#include "cli/beside/process.h"
#include "server/entrance/endpoint.h"
#include "weir/sandbox/sandbox.h"

namespace weir::cli {
namespace {

constexpr std::string_view unix_prefix = "unix:";

/// A process that dies again and again is started about once a minute.
constexpr net::RestartLimits pauses{.soon = std::chrono::seconds{10},
                                    .first = std::chrono::milliseconds{100},
                                    .most = std::chrono::seconds{60}};

/// Waits until one of them was signalled.
void await(const net::EventFd& one, const net::EventFd& other) noexcept {
    std::array watched{pollfd{one.fd(), POLLIN, 0}, pollfd{other.fd(), POLLIN, 0}};
    while (::poll(watched.data(), watched.size(), -1) < 0) {}
}

/// The files of the unix sockets among these addresses: a listener keeps the files of sockets that
/// it was given.
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
    /// Removes those that are still the same.
    void remove() const {
        struct stat status{};
        for (const auto& [path, device, inode] : files_)
            if (::lstat(path.c_str(), &status) == 0 && status.st_dev == device &&
                status.st_ino == inode)
                ::unlink(path.c_str());
    }

   private:
    struct File {
        std::string path;
        dev_t device;
        ino_t inode;
    };
    std::vector<File> files_;
};

/// The troubles of its peers are no news of the site: the options that would help are the site's.
void leave_out_peers() noexcept {
    for (const Trouble each : {Trouble::connections, Trouble::slow_peers})
        troubles().leave_out(each);
}

/// The figures of processes are in proc(5).
void enter_sandbox() { sandbox::enter({.read = {"/proc"}}); }

}  // namespace

std::string Admin::listen(const std::string& address, std::string settings,
                          const server::Options& of_server) {
    if (address.empty()) return {};
    metrics_.emplace();
    retired_.emplace();
    pages_ = admin_pages(*metrics_, queues_, std::move(settings));
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
    address_ = listening_->addresses().front();
    return {};
}

std::vector<int> Admin::sockets() const {
    return listening_ ? listening_->sockets() : std::vector<int>{};
}

std::string Admin::start(std::span<const std::string> served, bool is_sandboxed) {
    if (!listening_) return {};
    queues_.watch(served);
    options_.given_sockets = listening_->sockets();
    auto descriptors = options_.given_sockets;
    descriptors.push_back(retired_->fd());
    const SocketFiles files{options_.leaves_socket_files ? std::span<const std::string>{}
                                                         : listening_->addresses()};
    auto why = start_beside({.name = "weir-admin",
                             .in_words = "the process of --admin",
                             .pauses = pauses,
                             .descriptors = std::move(descriptors),
                             .run = [&] { return serve(is_sandboxed); },
                             .ended = [&] { files.remove(); }});
    listening_.reset();
    options_.given_sockets.clear();
    return why;
}

/// Returns an exit status.
int Admin::serve(bool is_sandboxed) {
    leave_out_peers();
    auto options = options_;
    options.leaves_socket_files = true;
    OwnHosts own{*pages_};
    const bool is_loopback = server::are_loopback(std::array{address_});
    server::Server pages{is_loopback ? own : *pages_, options};
    const auto bound = pages.bind();
    if (!bound) throw std::runtime_error{bound.error().message()};
    for (const int given : options.given_sockets) ::close(given);
    if (is_sandboxed) enter_sandbox();
    const net::EventFd ended;
    std::thread waits = start_background_thread([&] {
        await(*retired_, ended);
        pages.stop_now();
    });
    const auto served = pages.run();
    ended.signal();
    waits.join();
    if (!served) throw std::runtime_error{served.error().message()};
    return 0;
}

}  // namespace weir::cli
