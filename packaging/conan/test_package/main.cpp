#include <weir/web.h>
#include <weir/web/probe.h>

int main() {
    weir::web::Router router;
    router.get("/", [] { return weir::web::text("it works"); });
    weir::web::Probe probe{router};
    return probe.get("/").content == "it works" ? 0 : 1;
}
