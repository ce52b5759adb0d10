#pragma once

#include <weir/web.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

// Notes over HTTP: GET and POST /notes, GET, PUT and DELETE /notes/{id}. Several threads may call a
// handler at once, so the notes have a lock.
class Notes {
   public:
    void add_routes(weir::web::Routes routes) {
        using weir::web::Call;
        routes.get("/notes", [this](const Call&) { return list(); });
        routes.post("/notes", [this](const Call& call) { return add(call); });
        routes.get("/notes/{id}", [this](const Call& call) { return get(call); });
        routes.put("/notes/{id}", [this](const Call& call) { return put(call); });
        routes.del("/notes/{id}", [this](const Call& call) { return remove(call); });
    }

   private:
    using Call = weir::web::Call;
    using Response = weir::web::Response;
    using Status = weir::web::Status;

    struct Note {
        std::string text;
        std::uint64_t version = 1;
        std::string tag() const { return '"' + std::to_string(version) + '"'; }
    };

    Response list() {
        const std::scoped_lock lock{mutex_};
        std::string json = "[";
        for (const auto& [id, note] : notes_)
            json.append(json.size() > 1 ? ", " : "").append(json_of(id, note));
        return weir::web::json_text(json + "]\n");
    }
    Response add(const Call& call) {
        const std::scoped_lock lock{mutex_};
        const std::uint64_t id = ++last_id_;
        const Note& note = notes_[id] = {text_in(call)};
        Response created = weir::web::json_text(json_of(id, note) + "\n", Status::created);
        created.add("Location", "/notes/" + std::to_string(id));
        return created;
    }
    Response get(const Call& call) {
        const std::scoped_lock lock{mutex_};
        const auto& [id, note] = *find(call);
        return weir::web::resource(call, "application/json", {.entity_tag = note.tag()},
                                   json_of(id, note) + "\n");
    }
    Response put(const Call& call) {
        const std::scoped_lock lock{mutex_};
        auto& [id, note] = *find(call);
        // If-Match: nobody writes over a change that they have not seen.
        if (auto unmet = weir::web::unmet_condition(call, {.entity_tag = note.tag()}))
            return std::move(*unmet);
        note = {text_in(call), note.version + 1};
        return weir::web::json_text(json_of(id, note) + "\n");
    }
    Response remove(const Call& call) {
        const std::scoped_lock lock{mutex_};
        notes_.erase(find(call));
        return Response{Status::no_content};
    }

    // A Refusal is the answer to the request that it ends.
    std::map<std::uint64_t, Note>::iterator find(const Call& call) {
        const auto found = notes_.find(call.parameter<std::uint64_t>("id").value_or(0));
        if (found == notes_.end()) throw weir::web::Refusal{Status::not_found, "No such note"};
        return found;
    }
    static std::string text_in(const Call& call) {
        const auto form = weir::web::Form::of(call);
        const auto text = form.get("text");
        if (!text) throw weir::web::Refusal{Status::unprocessable_content, "The text is missing"};
        return std::string{*text};
    }

    // Use the JSON library that you like. This one knows only what a note needs.
    static std::string json_of(std::uint64_t id, const Note& note) {
        std::string json = "{\"id\": " + std::to_string(id) + ", \"text\": \"";
        for (const char c : note.text) {
            if (c == '"' || c == '\\') json += '\\';
            if (static_cast<unsigned char>(c) >= 0x20) json += c;
        }
        return json + "\"}";
    }

    std::mutex mutex_;
    std::map<std::uint64_t, Note> notes_;
    std::uint64_t last_id_ = 0;
};
