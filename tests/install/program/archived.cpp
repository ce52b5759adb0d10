#include <weir/archive/archive.h>
#include <weir/web/probe.h>

#include <chrono>
#include <iostream>

int main(int, char** arguments) {
    const weir::site::Options options{.root = arguments[1]};
    const auto site = weir::site::Site::open(options);
    if (!site) return 1;
    const auto archives = weir::archive::around(**site, options);
    if (!archives) return 2;
    weir::web::Probe probe{**archives};
    auto exchange = probe.open("GET", "/?archive=zip");
    while (!exchange.answer().is_complete) probe.advance(std::chrono::milliseconds{1});
    const auto answer = exchange.answer();
    std::cout << answer.status << ' ' << answer.field("content-type") << '\n';
}
