// weir in a loop around poll(2).

#include <algorithm>
#include <map>
#include <vector>

#include "app.h"
#include "peer.h"

int main(int count, char** arguments) {
    weir::web::Router router;
    add_routes(router);
    weir::server::OwnLoop loop{router};
    const int stop = stop_signals();
    const int listener = listen_on(count > 1 ? arguments[1] : "8000");
    std::map<std::uint64_t, std::shared_ptr<Peer>> peers;
    std::uint64_t last = 0;
    bool stops = false;

    while (!stops || !peers.empty()) {
        std::vector<pollfd> waited{{stops ? -1 : stop, POLLIN, 0},
                                   {stops ? -1 : listener, POLLIN, 0},
                                   {loop.mail_fd(), POLLIN, 0}};
        int milliseconds = -1;
        for (const auto& [number, peer] : peers) {
            waited.push_back({peer->socket(), peer->events(), 0});
            const int left = peer->wait_milliseconds();
            if (left >= 0) milliseconds = milliseconds < 0 ? left : std::min(milliseconds, left);
        }
        ::poll(waited.data(), waited.size(), milliseconds);

        auto at = waited.begin() + 3;
        for (const auto& [number, peer] : peers) {
            // An answer that waits for its peer must hear of an error. Reading finds out itself.
            if ((at->revents & (POLLERR | POLLHUP)) != 0 && at->events == 0) peer->note_error();
            if (peer->wait_milliseconds() == 0) peer->note_time();
            ++at;
        }
        if (waited[0].revents != 0) {
            stops = true;
            ::close(listener);
            for (const auto& [number, peer] : peers) peer->note_stop();
        }
        for (auto& mail : loop.collect())
            if (const auto found = peers.find(mail.connection()); found != peers.end())
                found->second->note_mail(mail);
        if (waited[1].revents != 0 && !stops) {
            const int socket = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (socket >= 0) peers.emplace(++last, std::make_shared<Peer>(loop, socket, last));
        }
        std::erase_if(peers, [](const auto& each) { return !each.second->drive(); });
    }
}
