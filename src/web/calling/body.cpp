#include "weir/web/body.h"

#include "web/calling/conversation.h"

namespace weir::web::detail {

bool Inflow::next_is_ready() const noexcept {
    return conversation_.has_piece() || conversation_.is_at_end();
}
bool Inflow::all_is_ready() const noexcept { return !conversation_.request().content_pending(); }

std::optional<std::string_view> Inflow::take_next() noexcept {
    if (!conversation_.has_piece()) return std::nullopt;
    return conversation_.take_piece();
}
std::string_view Inflow::take_all() noexcept { return conversation_.request().content(); }

void Inflow::ask(bool for_all) {
    conversation_.ask(for_all ? Conversation::Asked::all : Conversation::Asked::pieces);
}

}  // namespace weir::web::detail
