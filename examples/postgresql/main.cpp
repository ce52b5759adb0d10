// Notes over HTTP, kept by PostgreSQL, without a thread that waits for it. Try it:
//
//     postgresql 127.0.0.1:8000 'dbname=postgres'
//     curl -d 'Buy milk' http://127.0.0.1:8000/notes
//     curl http://127.0.0.1:8000/notes/1

#include <cstdio>

#include "database.h"

namespace {

using weir::web::Call;
using weir::web::Response;
using weir::web::Status;
using weir::web::Task;

void add_routes(weir::web::Router& router, Database& database) {
    router.post("/table", [&database](Call) -> Task<Response> {
        co_await database.run(
            "create table if not exists notes (id bigserial primary key, text text not null)");
        co_return Response{Status::no_content};
    });
    router.post("/notes", [&database](Call call) -> Task<Response> {
        const std::string text{co_await call.body().all()};
        const auto rows =
            co_await database.run("insert into notes (text) values ($1) returning id", text);
        Response created{Status::created};
        created.add("Location", "/notes/" + std::string{rows.text(0)});
        co_return created;
    });
    router.get("/notes/{id}", [&database](Call call) -> Task<Response> {
        const auto id = weir::web::path_as<std::uint32_t>(call, "id");
        const auto rows = co_await database.run(
            "select json_build_object('id', id, 'text', text) from notes where id = $1::bigint",
            std::to_string(id));
        if (rows.size() == 0) throw weir::web::Refusal{Status::not_found, "There is no such note"};
        co_return weir::web::json_text(std::string{rows.text(0)});
    });
    router.get("/slow", [&database](Call) -> Task<Response> {
        co_await weir::web::with_timeout(std::chrono::seconds{5},
                                         database.run("select pg_sleep(1)"));
        co_return weir::web::text("slept\n");
    });
}

}  // namespace

int main(int count, char** arguments) {
    Database database{count > 2 ? arguments[2] : "dbname=postgres"};
    weir::web::Router router;
    add_routes(router, database);
    weir::server::Server server{router,
                                {.addresses = {count > 1 ? arguments[1] : "127.0.0.1:8000"}}};
    if (const auto listening = server.listen(); !listening) {
        std::fprintf(stderr, "%s\n", listening.error().message().c_str());
        return 1;
    }
    std::printf("http://%s/\n", server.addresses()[0].c_str());
    std::fflush(stdout);
    return server.run_until_signal() ? 0 : 1;
}
