#include "supervisor/requests.h"

#include <array>

namespace weir::supervisor {
namespace {

struct Named {
    Request request;
    std::string_view name;
};
constexpr std::array requests{Named{Request::reload, "reload"}, Named{Request::upgrade, "upgrade"},
                              Named{Request::stop, "stop"}, Named{Request::status, "status"}};

constexpr std::string_view good = "ok ", bad = "error ";

}  // namespace

std::string_view name_of(Request request) {
    for (const Named& each : requests)
        if (each.request == request) return each.name;
    return {};
}

std::optional<Request> request_named(std::string_view name) {
    for (const Named& each : requests)
        if (each.name == name) return each.request;
    return std::nullopt;
}

RequestLine::State RequestLine::add(std::string_view bytes) {
    for (const char byte : bytes) {
        if (state_ != State::unfinished) break;
        const bool is_text = byte >= ' ' && byte <= '~';
        if (byte == '\n')
            state_ = State::finished;
        else if (!is_text || text_.size() == bytes_max)
            state_ = State::refused;
        else
            text_ += byte;
    }
    return state_;
}

std::string write_answer(const Answer& answer) {
    std::string text{answer.is_ok ? good : bad};
    return text.append(answer.text) += '\n';
}

std::optional<Answer> read_answer(std::string_view text) {
    if (text.size() > answer_bytes_max || !text.ends_with('\n')) return std::nullopt;
    text.remove_suffix(1);
    for (const auto word : {good, bad})
        if (text.starts_with(word))
            return Answer{.is_ok = word == good, .text = std::string{text.substr(word.size())}};
    return std::nullopt;
}

}  // namespace weir::supervisor
