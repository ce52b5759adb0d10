#include "http/head/request_target.h"

#include <cstdint>
#include <string_view>

#include "http/syntax/authority.h"

namespace weir::http {
namespace {

bool is_http_scheme(std::string_view text) noexcept {
    return equals_ignoring_case(text, "http") || equals_ignoring_case(text, "https");
}

Stretch stretch(const char* head, const char* from, const char* to) noexcept {
    return {static_cast<std::uint32_t>(from - head), static_cast<std::uint32_t>(to - from)};
}

/// For an absolute-form target. Its path, its query, or its end follows.
bool end_authority(HeadIndex& index, TargetPosition position) noexcept {
    const auto [head, mark, at] = position;
    index.authority = stretch(head, mark, at);
    index.path = stretch(head, at, at);
    index.target = stretch(head, head + index.target.begin, at);
    return is_authority(index.authority.in(head), Port::optional);
}

bool end_asterisk(HeadIndex& index) noexcept {
    index.target.size = 1;
    index.path = index.target;
    index.form = TargetForm::asterisk;
    return index.method == Method::options;
}

bool end_authority_form(HeadIndex& index, TargetPosition position) noexcept {
    index.target = stretch(position.head, position.head + index.target.begin, position.at);
    index.authority = index.target;
    index.form = TargetForm::authority;
    return index.method == Method::connect &&
           is_authority(index.authority.in(position.head), Port::required);
}

bool end_scheme(HeadIndex& index, TargetPosition position) noexcept {
    index.form = TargetForm::absolute;
    // `at` is behind the colon.
    const Stretch scheme =
        stretch(position.head, position.head + index.target.begin, position.at - 1);
    return index.method != Method::connect && is_http_scheme(scheme.in(position.head));
}

}  // namespace

TargetStep act_on_target(Action action, HeadIndex& index, TargetPosition position) noexcept {
    const auto [head, mark, at] = position;
    const auto step = [](bool good, const char* next_mark) {
        return TargetStep{good ? Fault::none : Fault::malformed_target, next_mark};
    };
    switch (action) {
        case Action::begin_scheme:
        case Action::begin_asterisk:
        case Action::begin_authority_form:
            index.target = index.path = stretch(head, at, at);
            return step(true, mark);
        case Action::end_scheme: return step(end_scheme(index, position), mark);
        case Action::begin_authority: return step(true, at);
        case Action::begin_path:
        case Action::begin_absolute_query:
        case Action::end_absolute: return step(end_authority(index, position), at + 1);
        case Action::end_asterisk: return step(end_asterisk(index), mark);
        case Action::end_authority_form: return step(end_authority_form(index, position), mark);
        default: return step(true, mark);
    }
}

}  // namespace weir::http
