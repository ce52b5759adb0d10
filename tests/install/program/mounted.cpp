#include <weir/dav/dav.h>
#include <weir/web/probe.h>

#include <iostream>

/// Makes a folder in the folder of its argument.
int main(int, char** arguments) {
    const weir::site::Options options{.root = arguments[1]};
    const auto site = weir::site::Site::open(options);
    if (!site) return 1;
    const auto handler = weir::dav::around(**site, options, {}, {});
    if (!handler) return 2;
    weir::web::Probe probe{**handler};
    std::cout << probe.ask("MKCOL", "/mounted").status << '\n';
}
