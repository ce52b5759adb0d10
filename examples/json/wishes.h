#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "json.h"

// Wishes as a JSON API: GET and POST /wishes, GET and PUT /wishes/{id}. Several threads may call a
// handler at once, so the wishes have a lock.

struct Wish {
    std::string title;
    unsigned stars = 1;
    std::vector<std::string> tags;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Wish, title, stars, tags)

class Wishes {
   public:
    void add_routes(weir::web::Routes routes) {
        routes.get("/wishes", [this](const Call& call) { return list(call); });
        routes.post("/wishes", [this](const Call& call) { return add(call); });
        routes.get("/wishes/{id}", [this](const Call& call) { return get(call); });
        routes.put("/wishes/{id}", [this](const Call& call) { return put(call); });
    }

   private:
    using Call = weir::web::Call;
    using Response = weir::web::Response;
    using Status = weir::web::Status;

    static Wish wish_in(const Call& call) {
        auto wish = weir::web::json_as<Wish>(call);
        weir::web::Checks checks;
        checks.check(!wish.title.empty(), "title", "must not be empty");
        checks.check(wish.stars >= 1 && wish.stars <= 5, "stars", "must be from 1 to 5");
        checks.done();
        return wish;
    }

    Response list(const Call& call) {
        const auto stars = weir::web::query_as<unsigned>(call, "stars", 1);
        const std::scoped_lock lock{mutex_};
        std::vector<Wish> found;
        for (const auto& [id, wish] : wishes_)
            if (wish.stars >= stars) found.push_back(wish);
        return weir::web::json_from(found);
    }
    Response add(const Call& call) {
        Wish wish = wish_in(call);
        const std::scoped_lock lock{mutex_};
        const auto& [id, added] = *wishes_.emplace(++last_id_, std::move(wish)).first;
        return weir::web::json_from(added, Status::created)
            .add("Location", "/wishes/" + std::to_string(id));
    }
    Response get(const Call& call) {
        const std::scoped_lock lock{mutex_};
        return weir::web::json_from(find(call));
    }
    Response put(const Call& call) {
        Wish wish = wish_in(call);
        const std::scoped_lock lock{mutex_};
        return weir::web::json_from(find(call) = std::move(wish));
    }

    Wish& find(const Call& call) {
        const auto at = wishes_.find(weir::web::path_as<std::uint64_t>(call, "id"));
        if (at == wishes_.end())
            throw weir::web::Refusal{Status::not_found, "There is no such wish"};
        return at->second;
    }

    std::mutex mutex_;
    std::map<std::uint64_t, Wish> wishes_;
    std::uint64_t last_id_ = 0;
};
