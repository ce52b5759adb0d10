// The API: each client logs in, and has notes with files. Its open pages hear of changes.
#pragma once

#include <weir/web.h>
#include <weir/web/openapi.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include "../json/json.h"
#include "files.h"
#include "metrics.h"
#include "page.h"
#include "store.h"

template <>
struct weir::web::Schema<Text> {
    static std::string json() {
        return ObjectSchema{}.has<std::string>("title").has<std::string>("text").json();
    }
};
template <>
struct weir::web::Schema<Note> {
    static std::string json() {
        ObjectSchema note;
        note.has<int>("id").has<std::string>("title").has<std::string>("text");
        return note.has<bool>("has_file").json();
    }
};

class Notes {
   public:
    using Call = weir::web::Call;
    using Response = weir::web::Response;
    using Status = weir::web::Status;

    /// ":memory:" is a database for tests. All clients have the same password.
    Notes(const std::string& database, std::filesystem::path folder, std::string password)
        : store_{database}, files_{std::move(folder)}, password_{std::move(password)} {}

    void add_routes(weir::web::Router& router) {
        using namespace weir::web;
        router.use(request_ids()).use(security_headers()).use(cross_origin_protection());
        router.use(sessions(memory_sessions(), {.outlives_browser = true}));
        router.use(content_limit(64'000));

        router.get("/{$}", [] { return html(std::string{page}); });
        router.get("/metrics", [this] { return text(metrics_.text()); });
        router.post("/login", [this](const Call& call) { return log_in(call); });
        router.post("/logout", [](const Call& call) {
            Session::of(call).clear();
            return redirect("/");
        });

        auto api = router.group("/api");
        api.use([](const Call& call) { user_of(call); });
        api.get("/changes", [this](const Call& call) { return changes(call); });
        api.get("/notes", [this](Call call) { return all(std::move(call)); });
        api.post("/notes", [this](Call call) { return add(std::move(call)); });
        api.get("/notes/{id}", [this](Call call) { return get(std::move(call)); });
        api.put("/notes/{id}", [this](Call call) { return put(std::move(call)); });
        api.del("/notes/{id}", [this](Call call) { return remove(std::move(call)); });
        api.get("/notes/{id}/file", [this](Call call) { return download(std::move(call)); });
        api.put("/notes/{id}/file", [this](Call call) { return upload(std::move(call)); });
        api.group("/notes/{id}/file").use(content_limit(20'000'000));
        router.get("/openapi.json", [text = description(router)] { return json_text(text); });
    }
    Metrics& metrics() { return metrics_; }

   private:
    template <typename Value>
    using Task = weir::web::Task<Value>;

    static std::string user_of(const Call& call) {
        const auto user = weir::web::Session::of(call).get("user");
        if (!user) throw weir::web::Refusal{Status::unauthorized, "Log in first"};
        return std::string{*user};
    }
    static int id_of(const Call& call) { return weir::web::path_as<int>(call, "id"); }
    static Text checked(const Call& call, std::string_view content) {
        auto text = weir::web::json_as<Text>(call, content);
        weir::web::Checks checks;
        checks.check(!text.title.empty(), "title", "must not be empty");
        checks.check(text.title.size() <= 200, "title", "must have 200 bytes at most");
        checks.done();
        return text;
    }
    [[noreturn]] static void refuse_unknown() {
        throw weir::web::Refusal{Status::not_found, "There is no such note"};
    }

    Response log_in(const Call& call) {
        const auto form = weir::web::Form::of(call);
        const std::string user{form.get("user").value_or("")};
        if (user.empty() || !weir::web::same_secret(form.get("password").value_or(""), password_))
            throw weir::web::Refusal{Status::forbidden, "The name or the password is wrong"};
        auto& session = weir::web::Session::of(call);
        session.renew();  // an id from before the login opens nothing
        session.set("user", user);
        return weir::web::redirect("/");
    }

    /// A call of the store, on the thread that has it.
    template <typename Result, typename... Given, typename... Arguments>
    auto ask(Result (Store::*what)(Given...), const Arguments&... arguments) {
        return weir::web::offload(database_, what, &store_, arguments...);
    }
    void tell(const std::string& user) { topics_.publish(user, "changed"); }

    Response changes(const Call& call) {
        return weir::web::events(call,
                                 [this, user = user_of(call)](weir::web::Events out) -> Task<void> {
                                     const auto subscription = topics_.subscribe(user, out);
                                     co_await out.stopping();
                                 });
    }
    Task<Response> all(Call call) {
        co_return weir::web::json_from(co_await ask(&Store::all, user_of(call)));
    }
    Task<Response> add(Call call) {
        const auto text = checked(call, co_await call.body().all());
        const auto note = co_await ask(&Store::add, user_of(call), text);
        tell(user_of(call));
        auto response = weir::web::json_from(note, Status::created);
        response.add("Location", "/api/notes/" + std::to_string(note.id));
        co_return response;
    }
    Task<Response> get(Call call) {
        const auto note = co_await ask(&Store::find, user_of(call), id_of(call));
        if (!note) refuse_unknown();
        co_return weir::web::json_from(*note);
    }
    Task<Response> put(Call call) {
        const auto text = checked(call, co_await call.body().all());
        const bool is_there = co_await ask(&Store::change, user_of(call), id_of(call), text);
        if (!is_there) refuse_unknown();
        tell(user_of(call));
        co_return Response{Status::no_content};
    }
    Task<Response> remove(Call call) {
        const bool was_there = co_await ask(&Store::remove, user_of(call), id_of(call));
        if (!was_there) refuse_unknown();
        co_await weir::web::offload(disk_, &Files::remove, &files_, id_of(call));
        tell(user_of(call));
        co_return Response{Status::no_content};
    }

    Task<Response> upload(Call call) {
        const auto note = co_await ask(&Store::find, user_of(call), id_of(call));
        if (!note) refuse_unknown();
        NewFile file{files_, id_of(call)};
        auto body = call.body();
        while (const auto piece = co_await body.next()) {
            const auto write = [&] { file.write(*piece); };
            co_await weir::web::offload(disk_, write);
        }
        co_await weir::web::offload(disk_, &NewFile::finish, &file);
        co_await ask(&Store::attach, user_of(call), id_of(call));
        tell(user_of(call));
        co_return Response{Status::no_content};
    }
    Task<Response> download(Call call) {
        const auto note = co_await ask(&Store::find, user_of(call), id_of(call));
        if (!note || !note->has_file) refuse_unknown();
        auto response =
            weir::web::resource_file(call, "application/octet-stream", files_.path(id_of(call)));
        response.add("Content-Disposition",
                     "attachment");  // a page of a stranger must not run here
        co_return response;
    }

    static std::string description(const weir::web::Router& router) {
        weir::web::OpenApi api{{.title = "Notes"}};
        api.describe("GET /api/notes").answers<std::vector<Note>>(Status::ok, "All notes");
        api.describe("POST /api/notes").takes<Text>().answers<Note>(Status::created, "The note");
        api.describe("GET /api/notes/{id}").path<int>("id").answers<Note>(Status::ok, "The note");
        api.describe("PUT /api/notes/{id}").path<int>("id").takes<Text>();
        return api.document(router);
    }

    Store store_;
    Files files_;
    const std::string password_;
    Metrics metrics_;
    weir::web::Topics topics_;
    weir::web::Workers disk_{4};
    weir::web::Workers database_{1};  // one thread, and so no lock
};
