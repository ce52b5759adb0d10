#include <algorithm>
#include <stdexcept>

#include "web/content/form.h"
#include "weir/web/body.h"
#include "weir/web/form.h"

namespace weir::web {
namespace {

void check_type(const Call& call) {
    if (call.content_type() != "application/x-www-form-urlencoded")
        throw Refusal{Status::unsupported_media_type, "The content is not a form"};
}

}  // namespace

Form Form::from(std::string_view encoded, std::size_t fields_max) {
    Form form;
    for_each_pair(encoded, [&](std::string_view name, std::string_view value) {
        if (form.fields_.size() == fields_max)
            throw Refusal{Status::content_too_large, "The form has too many fields"};
        form.fields_.emplace_back(form_decoded(name), form_decoded(value));
    });
    return form;
}

Form Form::of(const Call& call) {
    check_type(call);
    if (call.request().content_pending())
        throw std::logic_error{
            "Form::of() was called before the content of the request has come: in a coroutine, "
            "take co_await Form::read(call)"};
    return from(call.content());
}

Task<Form> Form::read(Call& call) {
    check_type(call);
    co_return from(co_await call.body().all());
}

std::optional<std::string_view> Form::get(std::string_view name) const& noexcept {
    const auto found =
        std::ranges::find(fields_, name, &std::pair<std::string, std::string>::first);
    return found != fields_.end() ? std::optional<std::string_view>{found->second} : std::nullopt;
}

std::optional<std::string> Form::get(std::string_view name) && {
    const auto text = std::as_const(*this).get(name);
    return text ? std::optional<std::string>{*text} : std::nullopt;
}

}  // namespace weir::web
