#include "upload/results.h"

#include <algorithm>
#include <utility>

#include "site/page/json.h"
#include "site/path/shown_name.h"
#include "weir/web/response.h"

namespace weir::upload {

using http::Status;

void Results::add(std::string name, Status status, std::string why) {
    all_.push_back({std::move(name), status, std::move(why)});
}

const Results::Result* Results::first_refused() const noexcept {
    const auto found =
        std::ranges::find_if(all_, [](const Result& each) { return !each.why.empty(); });
    return found == all_.end() ? nullptr : &*found;
}

std::size_t Results::taken() const noexcept {
    return static_cast<std::size_t>(std::ranges::count(all_, std::string{}, &Result::why));
}

http::Response Results::as_json() const {
    std::string text = "{\"files\":[";
    for (const Result& each : all_) {
        text += &each == all_.data() ? "\n{\"name\":" : ",\n{\"name\":";
        site::append_json(text, each.name);
        text.append(",\"status\":").append(std::to_string(http::code(each.status)));
        if (!each.why.empty()) site::append_json(text += ",\"error\":", each.why);
        text += '}';
    }
    text += leaves_rest_ ? "\n],\"complete\":false}\n" : "\n]}\n";
    const Result* const refused = first_refused();
    return web::json_text(std::move(text), refused ? refused->status : Status::ok);
}

http::Response Results::as_page(std::string_view folder) const {
    if (const Result* const refused = first_refused())
        return http::error_response(
            refused->status, site::shown_name(refused->name) + ": " + refused->why + " (" +
                                 std::to_string(taken()) + " of " + std::to_string(all_.size()) +
                                 " files were taken" +
                                 (leaves_rest_ ? "; the rest of the form was not read)" : ")"));
    http::Response response{Status::see_other};
    response.add("Location", folder);
    return response;
}

}  // namespace weir::upload
