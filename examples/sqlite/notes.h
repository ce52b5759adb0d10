// Notes in SQLite. Its calls block, so one thread makes them all, and coroutines await it: no event
// loop waits for the disk, and the database needs no lock.
#pragma once

#include <sqlite3.h>
#include <weir/web.h>

#include <memory>
#include <stdexcept>
#include <string>

class Notes {
   public:
    /// ":memory:" is a database for tests.
    explicit Notes(const std::string& path) : database_{open(path)} {
        Statement{*this, "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)"}
            .step();
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
    static std::unique_ptr<sqlite3, int (*)(sqlite3*)> open(const std::string& path) {
        sqlite3* opened = nullptr;
        const bool failed = sqlite3_open(path.c_str(), &opened) != SQLITE_OK;
        std::unique_ptr<sqlite3, int (*)(sqlite3*)> owner{opened, sqlite3_close};
        if (failed) throw std::runtime_error{"cannot open " + path};
        return owner;
    }

    class Statement {
       public:
        Statement(Notes& of, const char* sql) : notes_{of} {
            if (sqlite3_prepare_v2(of.database_.get(), sql, -1, &statement_, nullptr) != SQLITE_OK)
                of.fail();
        }
        ~Statement() { sqlite3_finalize(statement_); }
        Statement(const Statement&) = delete;
        Statement& operator=(const Statement&) = delete;

        Statement& bind(std::int64_t value) {
            sqlite3_bind_int64(statement_, 1, value);
            return *this;
        }
        Statement& bind(const std::string& value) {
            sqlite3_bind_text(statement_, 1, value.data(), static_cast<int>(value.size()),
                              SQLITE_TRANSIENT);
            return *this;
        }
        /// True if there is a row.
        bool step() {
            const int result = sqlite3_step(statement_);
            if (result != SQLITE_ROW && result != SQLITE_DONE) notes_.fail();
            return result == SQLITE_ROW;
        }
        std::string text() {
            const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, 0));
            return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, 0))};
        }

       private:
        Notes& notes_;
        sqlite3_stmt* statement_ = nullptr;
    };

    /// What leaves a handler is a 500, and a line in the log.
    [[noreturn]] void fail() { throw std::runtime_error{sqlite3_errmsg(database_.get())}; }

    // Only `thread_` calls these.

    std::string all() {
        Statement rows{*this,
                       "SELECT json_group_array(json_object('id', id, 'text', text)) FROM notes"};
        return rows.step() ? rows.text() : "[]";
    }
    std::int64_t add(const std::string& text) {
        Statement{*this, "INSERT INTO notes (text) VALUES (?)"}.bind(text).step();
        return sqlite3_last_insert_rowid(database_.get());
    }
    std::optional<std::string> find(std::int64_t id) {
        Statement row{*this, "SELECT text FROM notes WHERE id = ?"};
        if (!row.bind(id).step()) return std::nullopt;
        return row.text();
    }
    bool remove(std::int64_t id) {
        Statement{*this, "DELETE FROM notes WHERE id = ?"}.bind(id).step();
        return sqlite3_changes(database_.get()) != 0;
    }

    std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
    weir::web::Workers thread_{1};
};
