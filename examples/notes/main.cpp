// Notes with everything that a program needs: logins, a database, files, live pages, metrics, and a
// description of its API. Open http://127.0.0.1:8000/ in two windows; the password is "correct horse",
// or that of the variable NOTES_PASSWORD.
//
//     notes [ADDRESS [DATABASE [FOLDER]]]

#include <cstdio>
#include <cstdlib>

#include "api.h"

int main(int count, char** arguments) {
    const auto argument = [&](int at, const char* otherwise) {
        return count > at ? arguments[at] : otherwise;
    };
    const char* const password = std::getenv("NOTES_PASSWORD");
    Notes notes{argument(2, "notes.db"), argument(3, "notes"),
                password != nullptr ? password : "correct horse"};
    weir::web::Router router;
    notes.add_routes(router);

    weir::server::Options options{.addresses = {argument(1, "127.0.0.1:8000")}};
    options.finished = [&](const weir::server::Finished& end) {
        if (end.request != nullptr)
            notes.metrics().count(router.pattern_of(*end.request), end.status);
    };
    weir::server::Server server{router, options};
    if (const auto listening = server.listen(); !listening) {
        std::fprintf(stderr, "%s\n", listening.error().message().c_str());
        return 1;
    }
    std::printf("http://%s/\n", server.addresses()[0].c_str());
    std::fflush(stdout);
    server.run_until_signal();
}
