#include "weir/web/call.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "http/syntax/field_list.h"
#include "web/calling/conversation.h"
#include "web/content/form.h"
#include "web/routing/route.h"
#include "weir/http/field_name.h"

namespace weir::web {

using http::FieldName;

std::string_view detail::CallState::text_of(const Parameter& parameter) const noexcept {
    const std::string_view whole =
        parameter.is_decoded ? std::string_view{decoded} : request->path();
    return whole.substr(parameter.begin, parameter.size);
}

namespace {

/// Without this error, a misspelled name would silently be an empty text.
[[noreturn, gnu::cold]] void refuse_parameter(std::string_view name, std::string_view pattern) {
    throw std::invalid_argument{"the pattern \"" + std::string{pattern} + "\" has no parameter \"" +
                                std::string{name} + "\""};
}

}  // namespace

Call::Call(std::shared_ptr<detail::Conversation> conversation) noexcept
    : state_{&conversation->call()}, conversation_{std::move(conversation)} {}

Call::Call(std::shared_ptr<detail::Conversation> conversation, Owed) noexcept
    : Call{std::move(conversation)} {
    is_owed_ = true;
}

Call::~Call() {
    if (conversation_ && is_owed_) conversation_->drop();
}

void* Call::keep(std::type_index type, std::unique_ptr<void, void (*)(void*)> value) const {
    auto& others = state_->own_notes().others;
    const auto at = std::ranges::find(others, type, &detail::AnyNote::type);
    if (at == others.end()) return others.emplace_back(type, std::move(value)).value.get();
    at->value = std::move(value);
    return at->value.get();
}

void* Call::kept(std::type_index type) const noexcept {
    if (!state_->notes) return nullptr;
    for (const detail::AnyNote& note : state_->notes->others)
        if (note.type == type) return note.value.get();
    return nullptr;
}

std::string_view Call::parameter(std::string_view name) const {
    const Pattern& pattern = state_->route->pattern;
    const std::vector<std::string>& names = pattern.names();
    for (std::uint32_t i = 0; i < state_->count; ++i)
        if (names[i] == name) return state_->text_of(state_->parameters[i]);
    if (!pattern.text().empty()) refuse_parameter(name, pattern.text());
    return {};
}

bool Call::has_parameter(std::string_view name) const noexcept {
    const std::vector<std::string>& names = state_->route->pattern.names();
    return std::ranges::find(names, name) != names.end();
}

std::optional<std::string> Call::query(std::string_view name) const {
    std::optional<std::string> found;
    for_each_pair(request().query(), [&](std::string_view key, std::string_view value) {
        if (found || form_decoded(key) != name) return;
        found = form_decoded(value);
    });
    return found;
}

std::optional<std::string_view> Call::cookie(std::string_view name) const noexcept {
    std::optional<std::string_view> found;
    request().each(FieldName::cookie, [&](std::string_view line) {
        while (!found && !line.empty()) {
            const std::size_t end = line.find(';');
            const std::string_view pair = trimmed(line.substr(0, end));
            line.remove_prefix(end == line.npos ? line.size() : end + 1);
            const std::size_t equals = pair.find('=');
            if (equals == pair.npos || pair.substr(0, equals) != name) continue;
            std::string_view value = pair.substr(equals + 1);
            if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
                value = value.substr(1, value.size() - 2);
            found = value;
        }
    });
    return found;
}

std::string Call::content_type() const {
    const std::string_view value = request().field(FieldName::content_type).value_or("");
    std::string type{trimmed(value.substr(0, value.find(';')))};
    std::ranges::transform(type, type.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return type;
}

std::string Call::peer_address() const {
    if (conversation_) return conversation_->peer_address();
    std::string address;
    request().origin().append_address(address);
    return address;
}

std::string_view Call::user() const noexcept {
    return state_->notes ? std::string_view{state_->notes->user} : std::string_view{};
}
std::string_view Call::request_id() const noexcept {
    return state_->notes ? std::string_view{state_->notes->request_id} : std::string_view{};
}
std::string_view Call::trace_id() const noexcept {
    return state_->notes ? std::string_view{state_->notes->trace_id} : std::string_view{};
}
std::string Call::traceparent() const {
    if (trace_id().empty()) return {};
    return "00-" + state_->notes->trace_id + "-" + state_->notes->span_id + "-01";
}

Instant Call::now() const {
    return conversation_ ? conversation_->waker().now() : request().waker().now();
}

std::stop_token Call::stop_token() const noexcept {
    return conversation_ ? conversation_->stop_token() : std::stop_token{};
}

void Call::respond(Response response) noexcept {
    if (conversation_) conversation_->respond(std::move(response));
}

}  // namespace weir::web
