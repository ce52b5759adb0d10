#include <weir/compress/compress.h>
#include <weir/web.h>
#include <weir/web/probe.h>
#include <iostream>

/// Prints the status and the coding of an answer.
int main() {
    weir::web::Router router;
    router.get("/", [] { return weir::web::text(std::string(5000, 'x')); });
    auto compressed = weir::compress::around(router, {});
    if (!compressed) {
        std::cerr << compressed.error() << '\n';
        return 1;
    }
    weir::web::Probe probe{**compressed};
    const std::string coding = weir::compress::available().front();
    const auto answer = probe.get("/", {{"Accept-Encoding", coding}});
    std::cout << answer.status << ", " << answer.field("Content-Encoding") << '\n';
    return answer.field("Content-Encoding") == coding ? 0 : 1;
}
