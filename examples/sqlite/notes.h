// Notes in SQLite. Its calls block, so one thread makes them all, and coroutines await it: no event
// loop waits for the disk, and the database needs no lock.
#pragma once

#include <weir/web.h>

#include <cstdint>
#include <optional>
#include <string>

#include "database.h"

class Notes {
   public:
    /// ":memory:" is a database for tests.
    explicit Notes(const std::string& path) : database_{path} {
        database_.run("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)");
    }

    void add_routes(weir::web::Routes& routes) {
        using namespace weir::web;
        routes.get("/notes", [this](Call) -> Task<Response> {
            co_return json_text(co_await offload(thread_, [this] { return all(); }));
        });
        routes.post("/notes", [this](Call call) -> Task<Response> {
            const std::string text{co_await call.body().all()};
            const auto id = co_await offload(thread_, [&] { return add(text); });
            Response created{Status::created};
            created.add("Location", "/notes/" + std::to_string(id));
            co_return created;
        });
        routes.get("/notes/{id}", [this](Call call) -> Task<Response> {
            const auto id = call.parameter<std::int64_t>("id").value_or(0);
            const auto note = co_await offload(thread_, [&] { return find(id); });
            co_return note ? text(*note) : Response{Status::not_found};
        });
        routes.del("/notes/{id}", [this](Call call) -> Task<Response> {
            const auto id = call.parameter<std::int64_t>("id").value_or(0);
            const bool was_there = co_await offload(thread_, [&] { return remove(id); });
            co_return Response{was_there ? Status::no_content : Status::not_found};
        });
    }

   private:
    // Only `thread_` calls these.

    std::string all() {
        Statement rows{database_,
                       "SELECT json_group_array(json_object('id', id, 'text', text)) FROM notes"};
        return rows.step() ? rows.text(0) : "[]";
    }
    std::int64_t add(const std::string& text) {
        // Parameters are bytes.
        Statement{database_, "INSERT INTO notes (text) VALUES (CAST(? AS TEXT))", text}.step();
        return database_.last_id();
    }
    std::optional<std::string> find(std::int64_t id) {
        Statement row{database_, "SELECT text FROM notes WHERE id = ?", id};
        if (!row.step()) return std::nullopt;
        return row.text(0);
    }
    bool remove(std::int64_t id) {
        Statement{database_, "DELETE FROM notes WHERE id = ?", id}.step();
        return database_.changes() != 0;
    }

    Database database_;
    weir::web::Workers thread_{1};
};
