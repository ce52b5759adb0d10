// Server-sent events: a coroutine for each listener of /clock, and a topic for all listeners of
// /news. Open http://127.0.0.1:8000/ in two windows.

#include <weir/web.h>

#include <charconv>
#include <cstdio>

using namespace weir::web;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view page = R"(<!doctype html>
<title>Events</title>
<p>The server counts: <b id=tick></b>
<form id=say><input name=text autofocus><button>Say</button></form>
<ul id=news></ul>
<script>
new EventSource('/clock').onmessage = event => tick.textContent = event.data;
new EventSource('/news').onmessage = event => {
    const item = document.createElement('li');
    item.textContent = event.data;
    news.prepend(item);
};
say.onsubmit = event => {
    event.preventDefault();
    fetch('/news', {method: 'POST', body: new URLSearchParams(new FormData(say))});
    say.reset();
};
</script>
)";

}  // namespace

int main(int count, char** arguments) {
    Topics topics;
    Router router;
    router.get("/{$}", [](const Call& call) {
        return resource(call, "text/html; charset=utf-8", {.entity_tag = "\"1\""},
                        std::string{page});
    });
    router.get("/clock", [](const Call& call) {
        int seen = 0;  // a browser that connects again says what it has seen
        std::from_chars(last_event_id(call).data(),
                        last_event_id(call).data() + last_event_id(call).size(), seen);
        return events(call, [seen](Events out) -> Task<> {
            for (int i = seen + 1;; ++i) {
                const std::string number = std::to_string(i);
                co_await out.send({.data = number, .id = number, .retry = 1s});
                co_await sleep_for(1s);
            }
        });
    });
    router.get("/news", [&](const Call& call) {
        return events(call, [&](Events out) -> Task<> {
            const auto subscription = topics.subscribe("news", out);
            co_await out.stopping();
        });
    });
    router.post("/news", [&](const Call& call) {
        topics.publish("news", Form::of(call).get("text").value_or(""));
        return Response{Status::no_content};
    });

    weir::server::Server server{router,
                                {.addresses = {count > 1 ? arguments[1] : "127.0.0.1:8000"}}};
    if (const auto listening = server.listen(); !listening) {
        std::fprintf(stderr, "%s\n", listening.error().message().c_str());
        return 1;
    }
    std::printf("http://%s/\n", server.addresses()[0].c_str());
    std::fflush(stdout);
    server.run_until_signal();
}
