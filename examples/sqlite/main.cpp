// Notes over HTTP, kept by SQLite in notes.db. Try it:
//
//     curl -d 'Buy milk' http://127.0.0.1:8000/notes
//     curl http://127.0.0.1:8000/notes

#include <cstdio>

#include "notes.h"

int main(int count, char** arguments) {
    Notes notes{count > 2 ? arguments[2] : "notes.db"};
    weir::web::Router router;
    notes.add_routes(router);
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
