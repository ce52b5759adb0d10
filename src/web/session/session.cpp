#include "weir/web/session.h"

#include <stdexcept>

namespace weir::web {

Session& Session::of(const Call& call) {
    if (auto* const session = call.get<Session>()) return *session;
    throw std::logic_error{"no sessions() is around the handler of this request"};
}

std::optional<std::string_view> Session::get(std::string_view key) const noexcept {
    const auto found = state_.stored.values.find(key);
    if (found == state_.stored.values.end()) return std::nullopt;
    return found->second;
}

void Session::set(std::string_view key, std::string value) {
    const auto before = get(key);
    const std::size_t freed = before ? key.size() + before->size() : 0;
    const std::size_t bytes = state_.bytes - freed + key.size() + value.size();
    if (bytes > state_.bytes_max) throw std::length_error{"a session of too many bytes"};
    state_.changes.values.insert_or_assign(std::string{key}, value);
    state_.stored.values.insert_or_assign(std::string{key}, std::move(value));
    state_.bytes = bytes;
}

void Session::remove(std::string_view key) {
    const auto found = state_.stored.values.find(key);
    if (found == state_.stored.values.end()) return;
    state_.changes.values.insert_or_assign(std::string{key}, std::nullopt);
    state_.bytes -= found->first.size() + found->second.size();
    state_.stored.values.erase(found);
}

void Session::clear() noexcept {
    state_.stored.values.clear();
    state_.changes.values.clear();
    state_.bytes = 0;
    state_.is_left = true;
}

void Session::renew() noexcept { state_.is_left = true; }

}  // namespace weir::web
