// weir in the main loop of a program that uses GLib, such as one with GTK.

#include <glib-unix.h>
#include <glib.h>

#include <map>

#include "app.h"
#include "peer.h"

namespace {

struct Program;

/// A peer, and the sources by which GLib waits on its behalf.
struct Session {
    Session(Program& of, std::shared_ptr<Peer> its_peer) : program{of}, peer{std::move(its_peer)} {}
    ~Session() { forget(); }
    void go_on();
    void forget() {
        for (guint* const source : {&for_socket, &for_time})
            if (const guint id = std::exchange(*source, 0)) g_source_remove(id);
    }

    Program& program;
    std::shared_ptr<Peer> peer;
    guint for_socket = 0;
    guint for_time = 0;
};

struct Program {
    weir::web::Router router;
    weir::server::OwnLoop loop{router};
    GMainLoop* main = g_main_loop_new(nullptr, FALSE);
    std::map<std::uint64_t, Session> sessions;
    std::uint64_t last = 0;
    bool stops = false;
};

Session& session_of(gpointer data) { return *static_cast<Session*>(data); }
Program& program_of(gpointer data) { return *static_cast<Program*>(data); }

gboolean on_socket(gint, GIOCondition condition, gpointer data) {
    Session& session = session_of(data);
    session.for_socket = 0;  // it is removed by what this returns
    if ((condition & (G_IO_ERR | G_IO_HUP)) != 0 && session.peer->events() == 0)
        session.peer->note_error();
    session.go_on();
    return G_SOURCE_REMOVE;
}

gboolean on_time(gpointer data) {
    Session& session = session_of(data);
    session.for_time = 0;
    session.peer->note_time();
    session.go_on();
    return G_SOURCE_REMOVE;
}

/// Drives the peer, and then waits again. The session may be gone afterwards.
void Session::go_on() {
    forget();
    if (!peer->drive()) {
        Program& of = program;
        of.sessions.erase(peer->number());
        if (of.stops && of.sessions.empty()) g_main_loop_quit(of.main);
        return;
    }
    const short events = peer->events();  // GLib's conditions have the values of poll(2)
    for_socket = g_unix_fd_add(
        peer->socket(), static_cast<GIOCondition>(events | G_IO_ERR | G_IO_HUP), on_socket, this);
    if (const int left = peer->wait_milliseconds(); left >= 0)
        for_time = g_timeout_add(static_cast<guint>(left), on_time, this);
}

gboolean on_connection(gint listener, GIOCondition, gpointer data) {
    Program& program = program_of(data);
    if (program.stops) return G_SOURCE_REMOVE;
    const int socket = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return G_SOURCE_CONTINUE;
    const auto number = ++program.last;
    auto peer = std::make_shared<Peer>(program.loop, socket, number);
    program.sessions.try_emplace(number, program, std::move(peer)).first->second.go_on();
    return G_SOURCE_CONTINUE;
}

gboolean on_mail(gint, GIOCondition, gpointer data) {
    Program& program = program_of(data);
    for (auto& mail : program.loop.collect()) {
        const auto found = program.sessions.find(mail.connection());
        if (found == program.sessions.end()) continue;
        found->second.peer->note_mail(mail);
        found->second.go_on();
    }
    return G_SOURCE_CONTINUE;
}

gboolean on_stop(gpointer data) {
    Program& program = program_of(data);
    program.stops = true;
    for (auto at = program.sessions.begin(); at != program.sessions.end();) {
        Session& session = (at++)->second;
        session.peer->note_stop();
        session.go_on();
    }
    if (program.sessions.empty()) g_main_loop_quit(program.main);
    return G_SOURCE_REMOVE;
}

}  // namespace

int main(int count, char** arguments) {
    Program program;
    add_routes(program.router);
    g_unix_signal_add(SIGINT, on_stop, &program);
    g_unix_signal_add(SIGTERM, on_stop, &program);
    g_unix_fd_add(listen_on(count > 1 ? arguments[1] : "8000"), G_IO_IN, on_connection, &program);
    g_unix_fd_add(program.loop.mail_fd(), G_IO_IN, on_mail, &program);
    g_main_loop_run(program.main);
    g_main_loop_unref(program.main);
}
