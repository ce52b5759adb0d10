#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "weir/http/handler.h"
#include "weir/http/tunnel.h"

namespace weir::http {

/// Gives back what it takes, at most `room` bytes at a time, and ends behind a full stop.
class EchoTunnel final : public Tunnel {
   public:
    struct Notes {
        std::size_t taken = 0;
        bool input_ended = false;
        bool retired = false;
        bool fails = false;
        bool size_throws = false;
        int pulls = 0;
        std::string extra{};  // to be said
        Instant due = never;
        std::size_t held = 0;  // what it says of its memory
        std::size_t room = 8;
        std::string done{};
    };
    explicit EchoTunnel(Notes& notes) : notes_{notes} {}

    bool takes() const noexcept override { return held_.size() < notes_.room; }
    std::size_t take(std::string_view bytes) override {
        const std::size_t size = std::min(bytes.size(), notes_.room - held_.size());
        held_ += bytes.substr(0, size);
        notes_.taken += size;
        return size;
    }
    void end_input() noexcept override { notes_.input_ended = true; }
    void retire() noexcept override { notes_.retired = true; }
    Pulled pull(std::span<char> into) override {
        ++notes_.pulls;
        if (notes_.fails) return Failed{};
        if (held_.empty()) held_ = std::exchange(notes_.extra, {});
        if (!held_.empty()) {
            const std::size_t size = held_.copy(into.data(), into.size());
            ends_ = ends_ || held_.substr(0, size).ends_with('.');
            held_.erase(0, size);
            return Ready{size};
        }
        if (ends_ || notes_.input_ended || notes_.retired) return End{};
        return NotReady{};
    }
    std::optional<std::uint64_t> size() const override {
        if (notes_.size_throws) throw std::runtime_error{"no size"};
        return std::nullopt;
    }
    Instant due() const noexcept override { return notes_.due; }
    std::size_t bytes() const noexcept override { return notes_.held; }
    void done(Outcome outcome) noexcept override {
        notes_.done = outcome == Outcome::sent        ? "sent"
                      : outcome == Outcome::peer_gone ? "gone"
                      : outcome == Outcome::timed_out ? "late"
                      : outcome == Outcome::stopped   ? "stopped"
                                                      : "failed";
    }

   private:
    Notes& notes_;
    std::string held_;
    bool ends_ = false;
};

/// A handler that upgrades to it, whatever was asked for.
inline auto echo_tunnel(EchoTunnel::Notes& notes) {
    return [&notes](const Request&) -> Reply {
        Response response;
        response.upgrade("echo", std::make_unique<EchoTunnel>(notes));
        return response;
    };
}

}  // namespace weir::http
