// Wishes as a JSON API. Try it:
//
//     curl --json '{"title": "A boat", "stars": 5}' http://127.0.0.1:8000/wishes
//     curl --json '{"stars": 9}' -H 'Accept: application/json' http://127.0.0.1:8000/wishes
//     curl http://127.0.0.1:8000/wishes?stars=4

#include <iostream>

#include "wishes.h"

int main(int count, char** arguments) {
    Wishes wishes;
    weir::web::Router router;
    router.use(weir::web::request_ids()).use(weir::web::cors({.origins = {"*"}}));
    wishes.add_routes(router);
    std::cerr << router.routes();

    weir::server::Options options{.addresses = {count > 1 ? arguments[1] : "127.0.0.1:8000"}};
    options.finished = [&router](const weir::server::Finished& end) {
        if (end.request == nullptr) return;
        const std::string line = std::string{router.pattern_of(*end.request)} + ' ' +
                                 std::to_string(weir::http::code(end.status)) + ' ' +
                                 std::to_string(end.duration.count()) + " us\n";
        std::cerr << line;
    };
    weir::server::Server server{router, options};
    if (const auto served = server.run_until_signal(); !served) {
        std::cerr << served.error().message() << '\n';
        return 1;
    }
}
