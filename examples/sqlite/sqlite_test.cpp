// The notes without a socket, in a database in memory.

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
    Notes notes{":memory:"};
    weir::web::Router router;
    notes.add_routes(router);
    weir::web::Probe probe{router};

    expect("the first list", probe.get("/notes").content, "[]");
    expect("the place", probe.post("/notes", "Buy \"milk\"").field("Location"), "/notes/1");
    expect("the note", probe.get("/notes/1").content, "Buy \"milk\"");
    expect("the list", probe.get("/notes").content, R"([{"id":1,"text":"Buy \"milk\""}])");
    expect("what is gone", std::to_string(probe.ask("DELETE", "/notes/1").status), "204");
    expect("what was gone", std::to_string(probe.ask("DELETE", "/notes/1").status), "404");
    expect("no note", std::to_string(probe.get("/notes/x").status), "404");
    return failures == 0 ? 0 : 1;
}
