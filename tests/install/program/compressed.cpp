#include <weir/compress/compress.h>
#include <weir/web.h>
#include <weir/web/probe.h>
#include <iostream>

/// Prints the status and the coding of an answer.
int main() {
    weir::web::Router router;
    router.use(weir::web::compression());
    router.get("/", [] { return weir::web::text(std::string(5000, 'x')); });
    weir::web::Probe probe{router};
    const std::string coding = weir::compress::available().front();
    const auto answer = probe.get("/", {{"Accept-Encoding", coding}});
    std::cout << answer.status << ", " << answer.field("Content-Encoding") << '\n';
    return answer.field("Content-Encoding") == coding ? 0 : 1;
}
