#include "weir/web/events.h"

#include <stdexcept>

#include "web/stream/outflow.h"

namespace weir::web {
namespace {

void check_value(std::string_view value) {
    using namespace std::string_view_literals;
    if (value.find_first_of("\r\n\0"sv) != value.npos)
        throw std::invalid_argument{"the name or the id of an event has a line end or NUL"};
}

void append_line(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\n");
}

void append_value(std::string& out, std::string_view name, std::string_view value) {
    if (!value.empty()) append_line(out, name, value);
}

/// The size of the first line: up to CRLF, LF or CR.
std::size_t line_size(std::string_view text) noexcept { return text.find_first_of("\r\n"); }

}  // namespace

void detail::check(const Event& event) {
    check_value(event.name);
    check_value(event.id);
}

std::string detail::rendered(const Event& event) {
    check(event);
    std::string out;
    append_value(out, "event", event.name);
    append_value(out, "id", event.id);
    if (event.retry && event.retry->count() > 0)
        append_line(out, "retry", std::to_string(event.retry->count()));
    std::string_view data = event.data;
    for (;;) {
        const std::size_t size = line_size(data);
        append_line(out, "data", data.substr(0, size));
        if (size == data.npos) break;
        data.remove_prefix(data.substr(size).starts_with("\r\n") ? size + 2 : size + 1);
    }
    return out += '\n';
}

std::shared_ptr<detail::Outbox> Events::outbox() const { return stream_.outflow_->outbox(); }

}  // namespace weir::web
