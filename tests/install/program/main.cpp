#include <weir/server/server.h>
#include <iostream>

class Hello final : public weir::http::Handler {
   public:
    weir::http::Reply handle(const weir::http::Request& request) override {
        weir::http::Response response;
        response.add("Content-Type", "text/plain");
        response.content("Hello from " + std::string{request.path()} + '\n');
        return response;
    }
};

int main() {
    Hello hello;
    weir::server::Server server{hello, {.addresses = {"127.0.0.1"}, .port = 0}};
    if (auto listening = server.listen(); !listening) {
        std::cerr << listening.error().message() << '\n';
        return 1;
    }
    std::cout << "http://" << server.addresses()[0] << '/' << std::endl;
    return server.run_until_signal() ? 0 : 1;
}
