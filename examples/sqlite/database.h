// A database of SQLite, and its statements.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

class Database {
   public:
    /// ":memory:" is a database for tests.
    explicit Database(const std::string& path) : handle_{open(path)} {
        sqlite3_busy_timeout(handle_.get(), 5000);  // other processes use the file, too
    }

    /// Several statements without a result.
    void run(const char* sql) {
        if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
    }
    /// Of the last INSERT.
    std::int64_t last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }
    int changes() const { return sqlite3_changes(handle_.get()); }

    [[noreturn]] void fail() const { throw std::runtime_error{sqlite3_errmsg(handle_.get())}; }
    sqlite3* handle() const { return handle_.get(); }

   private:
    static std::unique_ptr<sqlite3, int (*)(sqlite3*)> open(const std::string& path) {
        sqlite3* opened = nullptr;
        const bool failed = sqlite3_open(path.c_str(), &opened) != SQLITE_OK;
        std::unique_ptr<sqlite3, int (*)(sqlite3*)> owner{opened, sqlite3_close};
        if (failed) throw std::runtime_error{"cannot open " + path};
        return owner;
    }

    std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle_;
};

/// A statement with its parameters. Texts are borrowed.
class Statement {
   public:
    template <typename... Values>
    Statement(Database& of, const char* sql, const Values&... values) : database_{of} {
        if (sqlite3_prepare_v2(of.handle(), sql, -1, &statement_, nullptr) != SQLITE_OK) of.fail();
        int place = 0;
        (bind(++place, values), ...);
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    /// True if there is a row.
    bool step() {
        const int result = sqlite3_step(statement_);
        if (result != SQLITE_ROW && result != SQLITE_DONE) database_.fail();
        return result == SQLITE_ROW;
    }
    /// Of the row.
    std::string text(int column) {
        const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
        return size == 0 ? std::string{} : std::string{bytes, size};
    }
    std::int64_t number(int column) { return sqlite3_column_int64(statement_, column); }
    bool is_null(int column) { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
    std::chrono::sys_seconds time(int column) {
        return std::chrono::sys_seconds{std::chrono::seconds{number(column)}};
    }

   private:
    void bind(int place, std::int64_t number) { sqlite3_bind_int64(statement_, place, number); }
    void bind(int place, std::chrono::sys_seconds time) {
        bind(place, std::int64_t{time.time_since_epoch().count()});
    }
    void bind(int place, std::string_view bytes) {
        sqlite3_bind_blob(statement_, place, bytes.data(), static_cast<int>(bytes.size()),
                          SQLITE_STATIC);
    }

    Database& database_;
    sqlite3_stmt* statement_ = nullptr;
};

/// Statements that have an effect together, or none.
class Transaction {
   public:
    explicit Transaction(Database& of) : database_{of} { of.run("BEGIN IMMEDIATE"); }
    ~Transaction() {
        if (!is_done_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    void commit() {
        database_.run("COMMIT");
        is_done_ = true;
    }

   private:
    Database& database_;
    bool is_done_ = false;
};
