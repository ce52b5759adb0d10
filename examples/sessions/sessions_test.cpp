// The login without a socket, in a database in memory.

#include <weir/web/probe.h>

#include <iostream>
#include <memory>

#include "login.h"
#include "sqlite_sessions.h"

namespace {

using namespace std::chrono_literals;
using weir::web::Probe;

int failures = 0;

void expect(std::string_view what, std::string_view is, std::string_view wanted) {
    if (is.contains(wanted)) return;
    std::cerr << what << " is " << is << ", without " << wanted << '\n';
    ++failures;
}

/// The Cookie field for the requests behind this answer.
Probe::Fields cookie_of(const Probe::Answer& answer) {
    const std::string_view line = answer.field("Set-Cookie");
    return {{"Cookie", std::string{line.substr(0, line.find(';'))}}};
}

}  // namespace

int main() {
    std::chrono::sys_seconds now{std::chrono::seconds{1'000'000'000}};
    weir::web::Router router;
    add_login(router, std::make_shared<SqliteSessions>(":memory:"), {.clock = [&] { return now; }});
    Probe probe{router};
    constexpr auto form = "application/x-www-form-urlencoded";
    const auto log_in = [&](std::string_view content, Probe::Fields fields = {}) {
        return probe.post("/login", content, form, std::move(fields));
    };

    const auto first = probe.get("/");
    expect("the first page", first.content, "<form method=post action=/login>");
    if (!first.field("Set-Cookie").empty()) expect("a visitor", "known", "unknown");
    expect("a wrong password", std::to_string(log_in("user=ann&password=x").status), "403");

    const auto ann = log_in("user=ann&password=correct+horse");
    const auto cookie = cookie_of(ann);
    expect("the cookie", ann.field("Set-Cookie"), "; HttpOnly; SameSite=Lax");
    expect("the page", probe.get("/", cookie).content, "You are ann. Visits: 1<");
    expect("the next page", probe.get("/", cookie).content, "You are ann. Visits: 2<");
    expect("a stranger", probe.get("/").content, "/login");

    auto forged = cookie;
    forged.emplace_back("Sec-Fetch-Site", "cross-site");
    expect("a forged logout", std::to_string(probe.ask("POST", "/logout", forged, "").status),
           "403");

    const auto bob = cookie_of(log_in("user=bob&password=correct+horse", cookie));
    expect("another user", probe.get("/", bob).content, "You are bob. Visits: 3<");
    expect("the id from before", probe.get("/", cookie).content, "/login");

    now += 29min;
    expect("after a while", probe.get("/", bob).content, "You are bob");
    probe.ask("POST", "/logout", bob, "");
    expect("after the logout", probe.get("/", bob).content, "/login");

    const auto late = cookie_of(log_in("user=ann&password=correct+horse"));
    now += 30min;
    expect("after a longer while", probe.get("/", late).content, "/login");
    return failures == 0 ? 0 : 1;
}
