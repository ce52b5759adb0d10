#include "base/trimmed.h"
#include "http/frames/protocol.h"
#include "http/syntax/field_list.h"

namespace weir::http::http2 {

Priority read_priority(std::string_view field) noexcept {
    Priority priority;
    for_each_member(field, [&](std::string_view member) {
        member = trimmed(member.substr(0, member.find(';')));  // parameters have no meaning yet
        if (member.size() == 3 && member.starts_with("u=") && member[2] >= '0' && member[2] <= '7')
            priority.urgency = static_cast<std::uint8_t>(member[2] - '0');
        if (member == "i" || member == "i=?1") priority.incremental = true;
        if (member == "i=?0") priority.incremental = false;
    });
    return priority;
}

}  // namespace weir::http::http2
