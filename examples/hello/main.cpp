#include <weir/web.h>
#include <cstdio>

int main() {
    weir::web::Router router;
    router.get("/hello/{name}", [](const weir::web::Call& call) {
        return weir::web::text("Hello, " + std::string{call.parameter("name")} + "!\n");
    });
    weir::server::Server server{router};  // http://127.0.0.1:8000
    const auto served = server.run_until_signal();
    if (!served) std::fprintf(stderr, "%s\n", served.error().message().c_str());
}
