// Notes over HTTP. Try it:
//
//     curl -d 'text=Buy milk' http://127.0.0.1:8000/notes
//     curl http://127.0.0.1:8000/notes

#include <iostream>

#include "notes.h"

int main(int count, char** arguments) {
    Notes notes;
    weir::web::Router router;
    router.use(weir::web::security_headers()).use(weir::web::rate_limit({.per_second = 100}));
    notes.add_routes(router);

    weir::server::Options options{.addresses = {count > 1 ? arguments[1] : "127.0.0.1:8000"}};
    weir::server::Server server{router, options};
    if (const auto served = server.run_until_signal(); !served) {
        std::cerr << served.error().message() << '\n';
        return 1;
    }
}
