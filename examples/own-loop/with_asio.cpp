// weir in a program that runs Asio.

#define ASIO_STANDALONE
#include <asio.hpp>
#include <map>

#include "app.h"
#include "peer.h"

namespace {

using asio::posix::stream_descriptor;

/// A peer, and what Asio waits for on its behalf.
class Session : public std::enable_shared_from_this<Session> {
    /// Goes on after a wait, with what came of it.
    template <typename Note>
    auto then(Note note) {
        return [self = shared_from_this(), note](const asio::error_code& error) {
            if (error) return;  // cancelled
            note(*self->peer);
            if (!self->go_on()) self->ended();
        };
    }
    template <typename Note>
    void wait(stream_descriptor::wait_type what, Note note) {
        descriptor_.async_wait(what, then(note));
    }

   public:
    Session(asio::io_context& context, std::shared_ptr<Peer> peer)
        : peer{std::move(peer)},
          descriptor_{context, ::dup(this->peer->socket())},
          timer_{context} {}

    /// Drives the peer, and then waits again. False once it is over.
    bool go_on() {
        descriptor_.cancel();
        timer_.cancel();
        if (!peer->drive()) return false;
        const short events = peer->events();
        if ((events & POLLIN) != 0) wait(stream_descriptor::wait_read, [](Peer&) {});
        if ((events & POLLOUT) != 0) wait(stream_descriptor::wait_write, [](Peer&) {});
        if (events == 0)
            wait(stream_descriptor::wait_error, [](Peer& broken) { broken.note_error(); });
        if (const int left = peer->wait_milliseconds(); left >= 0) {
            timer_.expires_after(std::chrono::milliseconds{left});
            timer_.async_wait(then([](Peer& late) { late.note_time(); }));
        }
        return true;
    }

    const std::shared_ptr<Peer> peer;
    std::function<void()> ended;

   private:
    stream_descriptor descriptor_;
    asio::steady_timer timer_;
};

struct Program {
    explicit Program(const char* port)
        : stop{context, stop_signals()},
          listener{context, listen_on(port)},
          mail{context, ::dup(loop.mail_fd())} {
        accept();
        take_mail();
        stop.async_wait(stream_descriptor::wait_read, [this](const asio::error_code&) {
            listener.close();
            for (auto& session : std::map{sessions}) session.second->peer->note_stop();
            for (auto& session : std::map{sessions}) go_on(session.second);
            if (sessions.empty()) mail.close();
        });
    }
    void go_on(const std::shared_ptr<Session>& session) {
        if (!session->go_on()) session->ended();
    }
    void accept() {
        listener.async_wait(stream_descriptor::wait_read, [this](const asio::error_code& error) {
            if (error) return;
            const int socket =
                ::accept4(listener.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (socket >= 0) open(socket);
            accept();
        });
    }
    void open(int socket) {
        const auto number = ++last;
        const auto session =
            std::make_shared<Session>(context, std::make_shared<Peer>(loop, socket, number));
        session->ended = [this, number] {
            sessions.erase(number);
            if (sessions.empty() && !listener.is_open()) mail.close();
        };
        sessions.emplace(number, session);
        go_on(session);
    }
    void take_mail() {
        mail.async_wait(stream_descriptor::wait_read, [this](const asio::error_code& error) {
            if (error) return;
            for (auto& letter : loop.collect()) {
                const auto found = sessions.find(letter.connection());
                if (found == sessions.end()) continue;
                const auto session = found->second;
                session->peer->note_mail(letter);
                go_on(session);
            }
            take_mail();
        });
    }

    asio::io_context context;
    weir::web::Router router;
    weir::server::OwnLoop loop{router};
    stream_descriptor stop, listener, mail;
    std::map<std::uint64_t, std::shared_ptr<Session>> sessions;
    std::uint64_t last = 0;
};

}  // namespace

int main(int count, char** arguments) {
    Program program{count > 1 ? arguments[1] : "8000"};
    add_routes(program.router);
    program.context.run();
}
