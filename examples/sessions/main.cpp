// Visitors who log in, with their sessions in SQLite: sessions.db. Open http://127.0.0.1:8000/, or:
//
//     curl -L -c jar -d 'user=ann&password=correct horse' http://127.0.0.1:8000/login
//     curl -b jar http://127.0.0.1:8000/

#include <cstdio>
#include <memory>

#include "login.h"
#include "sqlite_sessions.h"

int main(int count, char** arguments) {
    weir::web::Router router;
    add_login(router, std::make_shared<SqliteSessions>(count > 2 ? arguments[2] : "sessions.db"));
    weir::server::Server server{router,
                                {.addresses = {count > 1 ? arguments[1] : "127.0.0.1:8000"}}};
    if (const auto listening = server.listen(); !listening) {
        std::fprintf(stderr, "%s\n", listening.error().message().c_str());
        return 1;
    }
    std::printf("http://%s/\n", server.addresses()[0].c_str());
    std::fflush(stdout);
    server.run_until_signal();
}
