// The wishes without a socket.

#include <weir/web/probe.h>

#include <iostream>

#include "wishes.h"

namespace {

int failures = 0;

void expect(std::string_view what, std::string_view is, std::string_view wanted) {
    if (is == wanted) return;
    std::cerr << what << " is " << is << ", not " << wanted << '\n';
    ++failures;
}

}  // namespace

int main() {
    Wishes wishes;
    weir::web::Router router;
    wishes.add_routes(router);
    weir::web::Probe probe{router};
    const weir::web::Probe::Fields json{{"Accept", "application/json"}};

    const auto created =
        probe.post("/wishes", R"({"title": "A boat", "stars": 5})", "application/json");
    expect("the place", created.field("Location"), "/wishes/1");
    expect("the wish", probe.get("/wishes/1").content, R"({"stars":5,"tags":[],"title":"A boat"})");
    expect("the list", probe.get("/wishes?stars=6").content, "[]");
    expect(
        "two mistakes", probe.post("/wishes", R"({"stars": 9})", "application/json", json).content,
        R"({"status": 422, "title": "Unprocessable Content", "detail": "title must not be empty, )"
        R"(and stars must be from 1 to 5", "errors": [{"name": "title", "message": "must not be )"
        R"(empty"}, {"name": "stars", "message": "must be from 1 to 5"}]})"
        "\n");
    expect("no JSON", std::to_string(probe.post("/wishes", "{", "application/json").status), "400");
    expect("no number", std::to_string(probe.get("/wishes/one").status), "400");
    expect("no wish", std::to_string(probe.get("/wishes/2").status), "404");
    return failures == 0 ? 0 : 1;
}
