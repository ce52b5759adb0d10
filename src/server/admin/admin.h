#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "net/event_fd.h"
#include "net/listener.h"
#include "server/admin/admin_handler.h"
#include "server/admin/admin_loop.h"
#include "server/admin/facts.h"
#include "server/metrics/recorder.h"
#include "weir/server/options.h"
#include "weir/server/server.h"

namespace weir::server {

/// What an operator asks a server: its listener, the counts, and what answers. All of it is apart from
/// the engine, which it watches.
class Admin {
   public:
    /// Binds the address, and opens what it reads while it runs: before the process gives up its
    /// rights, and before forks.
    /// A socket of Options::given_sockets that has this address is taken; port 0 takes none.
    static std::expected<std::unique_ptr<Admin>, Failure> open(const Options& options);
    ~Admin();
    Admin(const Admin&) = delete;
    Admin& operator=(const Admin&) = delete;

    /// "127.0.0.1:9000", "unix:/run/weir/admin.sock"
    std::string address() const { return listener_.address().text(); }
    Recorder& recorder() noexcept { return recorder_; }
    /// The observer for engines, which passes on to `next`.
    http::Observer* observe(http::Observer* next) noexcept {
        recorder_.pass_on_to(next);
        return &recorder_;
    }

    /// Begins to answer. `state` may be called until close(). After it, either a thread serves, or the
    /// caller does, by turn() whenever fd() is readable.
    std::error_code begin(About about, std::function<State()> state);
    /// Throws std::system_error if the system has no thread left.
    void serve_by_a_thread();
    int socket() const noexcept { return listener_.fd(); }
    /// Another process has the socket, and answers from now on. Any thread; async-signal-safe.
    void leave_address() const noexcept { leaving_.signal(); }
    int fd() const noexcept { return loop_->fd(); }
    void turn() { loop_->turn(); }
    /// Ends at once, whatever clients do.
    void close() noexcept;

    /// First in a process that the engine has forked, and last in it.
    void forked() noexcept;
    void process_ends() noexcept { recorder_.thread_ends(); }

   private:
    Admin(net::Listener listener, bool names_matter);
    Facts facts();
    void run();

    net::Listener listener_;
    Recorder recorder_;
    ProcessFigures process_;
    About about_;
    std::function<State()> state_;
    AdminHandler handler_;
    std::optional<AdminLoop> loop_;
    net::EventFd stopping_, leaving_;
    std::thread thread_;
};

}  // namespace weir::server
