#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "weir/http/handler.h"
#include "weir/http/response.h"

namespace weir::http {

/// A source and a sink that pause once.
class Pausing final : public Source, public Sink {
   public:
    Pulled pull(std::span<char> into) override {
        ++calls_;
        if (calls_ == 1) return NotReady{};
        if (calls_ == 3) return End{};
        into[0] = 'x';
        return Ready{1};
    }
    Taken take(std::string_view) override { return calls_++ == 0 ? Taken::paused : Taken::more; }

   private:
    int calls_ = 0;
};

/// A source without an end, until the server stops.
class Endless final : public Source {
   public:
    Pulled pull(std::span<char> into) override {
        if (is_retired_) return End{};
        if (has_begun_) return NotReady{};
        has_begun_ = true;
        into[0] = 'x';
        return Ready{1};
    }
    void retire() noexcept override { is_retired_ = true; }

   private:
    bool has_begun_ = false;
    bool is_retired_ = false;
};

inline Reply stream_endlessly(const Request&) {
    Response response;
    response.content(std::make_unique<Endless>());
    return response;
}
inline Reply read_content(const Request& request) {
    if (request.content_pending()) return ReadContent{};
    return Response{};
}
inline Reply sink_content(const Request& request) {
    if (request.content_pending()) return StreamContent{std::make_unique<Pausing>()};
    return Response{};
}
inline Reply stream(const Request&) {
    Response response;
    response.content(std::make_unique<Pausing>());
    return response;
}

}  // namespace weir::http
