#include "server/admin/admin.h"

#include <poll.h>

#include <array>
#include <new>
#include <utility>

#include "net/clock.h"
#include "server/background_thread.h"
#include "server/endpoint.h"
#include "server/entrance/given_sockets.h"
#include "server/entrance/listening.h"

namespace weir::server {

namespace {

std::expected<net::Listener, std::error_code> listen(const net::Address& address,
                                                     const Options& options) {
    auto given = GivenSockets::duplicate(options.given_sockets);
    if (!given) return std::unexpected{given.error()};
    const bool is_any_port = !address.is_unix() && address.port() == 0;
    auto taken = is_any_port ? std::nullopt : given->take(address);
    auto listener = taken ? std::move(*taken) : net::Listener::open(address);
    if (listener && options.leaves_socket_files) listener->leave_file();
    return listener;
}

}  // namespace

std::expected<std::unique_ptr<Admin>, Failure> Admin::open(const Options& of_server) try {
    const AdminOptions& options = of_server.admin;
    const auto invalid = std::make_error_code(std::errc::invalid_argument);
    const std::string& text = options.address;
    const auto addresses = parse_endpoints(text, 0);
    if (addresses.size() != 1)
        return failure("the admin's address '" + text + "' is not one address", invalid);
    if (!options.anywhere && !are_local({&text, 1}))
        return failure("the admin's address " + text + " can be reached by other machines",
                       invalid);
    auto listener = listen(addresses.front(), of_server);
    if (!listener)
        return failure("cannot listen on " + addresses.front().text(), listener.error(),
                       addresses.front().text());
    const bool names_matter = !options.anywhere && !addresses.front().is_unix();
    return std::unique_ptr<Admin>{new Admin{std::move(*listener), names_matter}};
} catch (const std::system_error& error) {
    return failure("cannot count for the admin", error.code());
}

Admin::Admin(net::Listener listener, bool names_matter)
    : listener_{std::move(listener)}, handler_{[this] { return facts(); }, names_matter} {}

Admin::~Admin() { close(); }

std::error_code Admin::begin(About about, std::function<State()> state) try {
    about_ = std::move(about);
    state_ = std::move(state);
    loop_.emplace(listener_, leaving_, handler_);
    return loop_->open();
} catch (const std::system_error& error) {
    return error.code();
}

void Admin::serve_by_a_thread() {
    thread_ = start_background_thread([this] { run(); });
}

void Admin::run() {
    std::array waited{pollfd{loop_->fd(), POLLIN, 0}, pollfd{stopping_.fd(), POLLIN, 0}};
    while (::poll(waited.data(), waited.size(), -1) < 0 || waited[1].revents == 0) loop_->turn();
}

void Admin::close() noexcept {
    stopping_.signal();
    if (thread_.joinable()) thread_.join();
    loop_.reset();
}

void Admin::forked() noexcept {
    recorder_.forked();
    if (loop_) loop_->leave();
    listener_.close();
}

Facts Admin::facts() {
    if (about_.forks) recorder_.table().reclaim();
    Totals totals{recorder_.table()};
    auto process = process_.read(about_.forks ? totals.processes : std::vector<int>{});
    return {.about = about_,
            .state = state_(),
            .totals = std::move(totals),
            .process = process,
            .now = net::read_clock()};
}

}  // namespace weir::server
