#include "support/incoming.h"

#include <algorithm>

namespace weir::tests {

bool Incoming::fill_more() {
    if (read_ == buffer_.size()) {
        buffer_.clear();
        read_ = 0;
    }
    return fill(buffer_);
}

int Incoming::peek() {
    if (unread().empty() && !fill_more()) return -1;
    return static_cast<unsigned char>(unread().front());
}

std::string Incoming::line() {
    std::size_t end;
    while ((end = unread().find('\n')) == std::string_view::npos)
        if (!fill_more()) throw Unexpected{"the end within a line: " + std::string{unread()}};
    std::string text{unread().substr(0, end)};
    read_ += end + 1;
    if (text.empty() || text.back() != '\r') throw Unexpected{"a bare LF after: " + text};
    text.pop_back();
    if (text.find('\r') != std::string::npos) throw Unexpected{"a bare CR in: " + text};
    return text;
}

void Incoming::pass(std::size_t size, const std::function<void(std::string_view)>& visit) {
    while (size > 0) {
        if (peek() < 0)
            throw Unexpected{"the end, with " + std::to_string(size) + " bytes still to come"};
        const auto piece = unread().substr(0, size);
        visit(piece);
        size -= piece.size();
        read_ += piece.size();
    }
}

std::string Incoming::take(std::size_t size) {
    std::string taken;
    pass(size, [&](std::string_view piece) { taken += piece; });
    return taken;
}

std::string Incoming::take_unread() {
    std::string taken{unread()};
    read_ = buffer_.size();
    return taken;
}

std::string Incoming::rest() {
    std::string taken;
    while (peek() >= 0) taken += take_unread();
    return taken;
}

}  // namespace weir::tests
