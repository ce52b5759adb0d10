// The notes without a socket.

#include <weir/web/probe.h>

#include <iostream>

#include "notes.h"

namespace {

int failures = 0;

void expect(std::string_view what, std::string_view is, std::string_view wanted) {
    if (is == wanted) return;
    std::cerr << what << " is " << is << ", not " << wanted << '\n';
    ++failures;
}

}  // namespace

int main() {
    Notes notes;
    weir::web::Router router;
    notes.add_routes(router);
    weir::web::Probe probe{router};

    const auto created = probe.post("/notes", "text=Buy+%22milk%22");
    expect("the place", created.field("Location"), "/notes/1");
    const auto note = probe.get("/notes/1");
    expect("the note", note.content, "{\"id\": 1, \"text\": \"Buy \\\"milk\\\"\"}\n");
    const weir::web::Probe::Fields old{{"Content-Type", "application/x-www-form-urlencoded"},
                                       {"If-Match", "\"0\""}};
    expect("a lost race", std::to_string(probe.ask("PUT", "/notes/1", old, "text=x").status),
           "412");
    expect("what is gone", std::to_string(probe.ask("DELETE", "/notes/1").status), "204");
    expect("the list", probe.get("/notes").content, "[]\n");
    return failures == 0 ? 0 : 1;
}
