#include <weir/server/server.h>
#include <weir/tls/tls.h>
#include <iostream>

class Hello final : public weir::http::Handler {
   public:
    weir::http::Reply handle(const weir::http::Request& request) override {
        weir::http::Response response;
        response.content(std::string{request.origin().security().value().version} + '\n');
        return response;
    }
};

/// Serves with a certificate of its own, which it keeps in the folder that it is given.
int main(int, char** arguments) {
    const auto own = weir::tls::keep_self_signed(arguments[1], {"localhost"});
    auto tls = own ? weir::tls::open({.certificates = {own->files}}) : std::unexpected{own.error()};
    if (!tls) {
        std::cerr << tls.error() << '\n';
        return 1;
    }
    Hello hello;
    weir::server::Server server{hello, {.addresses = {"127.0.0.1"}, .port = 0, .tls = *tls}};
    if (auto listening = server.listen(); !listening) return 1;
    std::cout << server.addresses()[0] << std::endl;
    return server.run() ? 0 : 1;
}
