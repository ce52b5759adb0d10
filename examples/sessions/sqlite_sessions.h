// A store of sessions in SQLite. Its calls block, so one thread makes them all, and coroutines
// await it. Sessions outlive the server, and the processes of `prefork` share them.
#pragma once

#include <weir/web.h>

#include <optional>
#include <string>
#include <utility>

#include "../sqlite/database.h"

class SqliteSessions final : public weir::web::SessionStore {
    using Time = std::chrono::sys_seconds;
    using Stored = weir::web::StoredSession;
    using Changes = weir::web::SessionChanges;
    template <typename Value = void>
    using Task = weir::web::Task<Value>;

   public:
    explicit SqliteSessions(std::string path) : path_{std::move(path)} {}

    Task<std::optional<Stored>> load(std::string id) override {
        co_return co_await weir::web::offload(thread_, [&] { return find(id); });
    }
    Task<> insert(std::string id, Stored session, Time now) override {
        co_await weir::web::offload(thread_, [&] { add(id, session, now); });
    }
    Task<bool> update(std::string id, Changes changes) override {
        co_return co_await weir::web::offload(thread_, [&] { return change(id, changes); });
    }
    Task<> remove(std::string id) override {
        co_await weir::web::offload(thread_, [&] {
            Statement{database(), "DELETE FROM sessions WHERE id = ?", id}.step();
        });
    }

   private:
    // Only `thread_` calls these.

    /// Opened by the first call: a process that is forked must not use a database from before.
    Database& database() {
        if (!database_) {
            auto& opened = database_.emplace(path_);
            opened.run(
                "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;"
                "CREATE TABLE IF NOT EXISTS sessions ("
                "  id BLOB PRIMARY KEY, begun INTEGER, expires INTEGER);"
                "CREATE INDEX IF NOT EXISTS ends ON sessions (expires);"
                "CREATE TABLE IF NOT EXISTS session_values ("
                "  id BLOB REFERENCES sessions ON DELETE CASCADE, key BLOB, value BLOB,"
                "  PRIMARY KEY (id, key));");
        }
        return *database_;
    }

    std::optional<Stored> find(const std::string& id) {
        Statement rows{database(),
                       "SELECT begun, expires, key, value FROM sessions "
                       "LEFT JOIN session_values USING (id) WHERE id = ?",
                       id};
        std::optional<Stored> session;
        while (rows.step()) {
            if (!session)
                session = Stored{.values = {}, .begun = rows.time(0), .expires = rows.time(1)};
            if (!rows.is_null(2)) session->values.emplace(rows.text(2), rows.text(3));
        }
        return session;
    }

    void add(const std::string& id, const Stored& session, Time now) {
        Transaction transaction{database()};
        Statement{database(), "DELETE FROM sessions WHERE expires <= ?", now}.step();
        Statement{database(), "INSERT INTO sessions VALUES (?, ?, ?)", id, session.begun,
                  session.expires}
            .step();
        for (const auto& [key, value] : session.values) put(id, key, value);
        transaction.commit();
    }

    bool change(const std::string& id, const Changes& changes) {
        Transaction transaction{database()};
        Statement{database(), "UPDATE sessions SET expires = ? WHERE id = ?", changes.expires, id}
            .step();
        if (database().changes() == 0) return false;
        for (const auto& [key, value] : changes.values)
            if (value)
                put(id, key, *value);
            else
                Statement{database(), "DELETE FROM session_values WHERE id = ? AND key = ?", id,
                          key}
                    .step();
        transaction.commit();
        return true;
    }

    void put(const std::string& id, const std::string& key, const std::string& value) {
        Statement{database(), "INSERT OR REPLACE INTO session_values VALUES (?, ?, ?)", id, key,
                  value}
            .step();
    }

    const std::string path_;
    std::optional<Database> database_{};
    weir::web::Workers thread_{1};
};
