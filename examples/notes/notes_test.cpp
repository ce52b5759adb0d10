// The notes without a socket: two clients, their notes, files and windows.

#include <weir/web/probe.h>

#include <filesystem>
#include <iostream>
#include <random>
#include <string>

#include "api.h"

namespace {

using weir::web::Probe;

int failures = 0;

void expect(std::string_view what, std::string_view is, std::string_view wanted) {
    if (is.contains(wanted)) return;
    std::cerr << what << " is " << is << ", without " << wanted << '\n';
    ++failures;
}
void expect(std::string_view what, unsigned status, unsigned wanted) {
    expect(what, std::to_string(status), std::to_string(wanted));
}

Probe::Fields log_in(Probe& probe, const std::string& user) {
    const auto answer = probe.post("/login", "user=" + user + "&password=secret");
    const std::string_view line = answer.field("Set-Cookie");
    return {{"Cookie", std::string{line.substr(0, line.find(';'))}}};
}

}  // namespace

int main() {
    const auto folder = std::filesystem::temp_directory_path() /
                        ("weir-notes-" + std::to_string(std::random_device{}()));
    {
        Notes notes{":memory:", folder, "secret"};
        weir::web::Router router;
        notes.add_routes(router);
        Probe probe{router};

        expect("a stranger", probe.get("/api/notes").status, 401);
        expect("a wrong password", probe.post("/login", "user=ann&password=no").status, 403);
        const auto ann = log_in(probe, "ann"), bob = log_in(probe, "bob");
        auto window = probe.open("GET", "/api/changes", ann);
        auto of_bob = probe.open("GET", "/api/changes", bob);

        const auto made = probe.post("/api/notes", R"({"title": "Milk", "text": "two"})",
                                     "application/json", ann);
        expect("a new note", made.status, 201);
        const std::string note{made.field("Location")};
        expect("the window", window.wait_for("data: changed").content, "data: changed");
        expect("no title",
               probe.post("/api/notes", R"({"title": "", "text": ""})", "application/json", ann)
                   .status,
               422);
        expect("the note", probe.get(note, ann).content, R"("title":"Milk")");
        expect("the note of another", probe.get(note, bob).status, 404);
        expect("no number", probe.get("/api/notes/x", ann).status, 400);

        const std::string bytes(3'000'000, 'f');
        expect("a file", probe.ask("PUT", note + "/file", ann, bytes).status, 204);
        expect("a file of another", probe.ask("PUT", note + "/file", bob, "x").status, 404);
        expect("a large file",
               probe.ask("PUT", note + "/file", ann, std::string(20'000'001, 'x')).status, 413);
        expect("the whole file", std::to_string(probe.get(note + "/file", ann).content == bytes),
               "1");
        auto range = ann;
        range.emplace_back("Range", "bytes=0-2");
        expect("a part of the file", probe.get(note + "/file", range).content, "fff");

        auto forged = ann;
        forged.emplace_back("Sec-Fetch-Site", "cross-site");
        expect("a forged request", probe.ask("DELETE", note, forged).status, 403);
        expect("a removed note", probe.ask("DELETE", note, ann).status, 204);
        expect("no note", probe.get("/api/notes", ann).content, "[]");
        if (!std::filesystem::is_empty(folder)) expect("the folder", "full", "empty");
        if (!of_bob.answer().content.empty()) expect("the window of bob", "told", "silent");
        expect("the description", probe.get("/openapi.json").content, "\"/api/notes/{id}/file\"");
        probe.ask("POST", "/logout", ann, "");
        expect("after the logout", probe.get("/api/notes", ann).status, 401);
    }
    std::filesystem::remove_all(folder);
    return failures == 0 ? 0 : 1;
}
