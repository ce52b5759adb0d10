#pragma once

#include <libpq-fe.h>
#include <weir/web.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The rows of a statement.
class Rows {
   public:
    explicit Rows(PGresult* result) noexcept : result_{result} {}

    std::size_t size() const noexcept { return static_cast<std::size_t>(PQntuples(result_.get())); }
    /// Valid as long as the rows. A NULL is empty.
    std::string_view text(std::size_t row, int column = 0) const noexcept {
        const int at = static_cast<int>(row);
        return {PQgetvalue(result_.get(), at, column),
                static_cast<std::size_t>(PQgetlength(result_.get(), at, column))};
    }

   private:
    struct Clear {
        void operator()(PGresult* result) const noexcept { PQclear(result); }
    };
    std::unique_ptr<PGresult, Clear> result_;
};

/// PostgreSQL for coroutines: libpq without a thread that blocks. At most so many statements run at
/// once, each on a connection of its own; further ones wait in line.
class Database {
   public:
    /// `where` as in PQconnectdb(): "host=/run/postgresql dbname=notes".
    explicit Database(std::string where, std::size_t connections = 4)
        : where_{std::move(where)}, idle_{connections} {
        for (std::size_t i = 0; i < connections; ++i) idle_.try_send(nullptr);
    }

    /// `co_await database.run("select $1", text)`: PostgreSQL never reads a parameter as SQL. Throws
    /// std::runtime_error. If the request ends meanwhile, so does the statement's connection.
    template <typename... Parameters>
    weir::web::Task<Rows> run(std::string sql, Parameters... parameters) {
        return run_with(std::move(sql), {std::move(parameters)...});
    }

   private:
    template <typename Value = void>
    using Task = weir::web::Task<Value>;
    struct Finish {
        void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
    };
    using Connection = std::unique_ptr<PGconn, Finish>;  // null: not connected yet
    using Idle = weir::web::Channel<Connection>;

    /// Gives its connection back, or an empty place for one that has not finished.
    struct Lease {
        Lease(Idle& pool, Connection own) noexcept : idle{pool}, connection{std::move(own)} {}
        ~Lease() { idle.try_send(is_clean ? std::move(connection) : nullptr); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        Idle& idle;
        Connection connection;
        bool is_clean = false;
    };

    static void check(const PGconn* connection, bool is_right) {
        if (!is_right) throw std::runtime_error{PQerrorMessage(connection)};
    }

    Task<Rows> run_with(std::string sql, std::vector<std::string> parameters) {
        auto connection = co_await idle_.receive();
        Lease lease{idle_, std::move(*connection)};
        if (!lease.connection) lease.connection = co_await connect();
        PGconn* const to = lease.connection.get();
        std::vector<const char*> values;
        for (const std::string& parameter : parameters) values.push_back(parameter.c_str());
        check(to, PQsendQueryParams(to, sql.c_str(), static_cast<int>(values.size()), nullptr,
                                    values.data(), nullptr, nullptr, 0) == 1);
        co_await send(to);
        Rows rows = co_await receive(to);
        lease.is_clean = true;
        co_return rows;
    }

    Task<Connection> connect() {
        Connection connection{PQconnectStart(where_.c_str())};
        PGconn* const to = connection.get();
        check(to, to != nullptr && PQstatus(to) != CONNECTION_BAD);
        for (auto wants = PGRES_POLLING_WRITING; wants != PGRES_POLLING_OK;
             wants = PQconnectPoll(to)) {
            check(to, wants != PGRES_POLLING_FAILED);
            if (wants == PGRES_POLLING_READING)
                co_await weir::web::readable(PQsocket(to));
            else
                co_await weir::web::writable(PQsocket(to));
        }
        check(to, PQsetnonblocking(to, 1) == 0);
        co_return connection;
    }
    static Task<> send(PGconn* to) {
        for (int left = PQflush(to); left != 0; left = PQflush(to)) {
            check(to, left > 0);
            const auto first = co_await weir::web::when_any(weir::web::readable(PQsocket(to)),
                                                            weir::web::writable(PQsocket(to)));
            if (first.index() == 0) check(to, PQconsumeInput(to) == 1);
        }
    }
    static Task<Rows> receive(PGconn* from) {
        std::optional<Rows> rows;
        for (;;) {
            while (PQisBusy(from) == 1) {
                co_await weir::web::readable(PQsocket(from));
                check(from, PQconsumeInput(from) == 1);
            }
            PGresult* const result = PQgetResult(from);
            if (result == nullptr) break;  // that was all
            rows.emplace(result);
            const auto status = PQresultStatus(result);
            check(from, status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK);
        }
        check(from, rows.has_value());
        co_return std::move(*rows);
    }

    std::string where_;
    Idle idle_;
};
