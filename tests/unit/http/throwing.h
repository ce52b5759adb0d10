#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "http/content/failure_observer.h"
#include "weir/http/handler.h"
#include "weir/http/tunnel.h"

namespace weir::http {

/// What the observer was told: "a source threw an exception for GET /: dry".
class Failures final : public FailureObserver {
   public:
    void failed(std::string_view what, std::string_view request,
                std::exception_ptr cause) noexcept override {
        told.push_back(failure_text(what, request, std::move(cause)));
    }
    std::vector<std::string> told;
};

struct Thrown {
    std::vector<Outcome> done{};
};

/// Gives one byte, then nothing yet, and throws at the third call.
struct ThrowingSource final : Source {
    explicit ThrowingSource(Thrown& of_test) : thrown{of_test} {}
    Pulled pull(std::span<char> into) override {
        if (++calls == 2) return NotReady{};
        if (calls == 3) throw std::runtime_error{"dry"};
        into[0] = 'x';
        return Ready{1};
    }
    void done(Outcome outcome) noexcept override { thrown.done.push_back(outcome); }
    Thrown& thrown;
    int calls = 0;
};

struct SizeThrowingSource final : Source {
    explicit SizeThrowingSource(Thrown& of_test) : thrown{of_test} {}
    Pulled pull(std::span<char> /*into*/) override { return End{}; }
    std::optional<std::uint64_t> size() const override { throw std::runtime_error{"how many?"}; }
    void done(Outcome outcome) noexcept override { thrown.done.push_back(outcome); }
    Thrown& thrown;
};

struct ThrowingSink final : Sink {
    Taken take(std::string_view /*bytes*/) override { throw std::runtime_error{"full"}; }
};

struct ThrowingContinuation final : Continuation {
    Reply resume() override { throw std::runtime_error{"lost"}; }
};

/// Throws once, has a last word then, and ends.
struct ThrowingTunnel final : Tunnel {
    Pulled pull(std::span<char> into) override {
        if (calls++ == 0) throw std::runtime_error{"torn"};
        if (calls > 2) return End{};
        into[0] = '!';
        return Ready{1};
    }
    bool takes() const noexcept override { return true; }
    std::size_t take(std::string_view bytes) override { return bytes.size(); }
    void end_input() noexcept override {}
    void retire() noexcept override {}
    int calls = 0;
};

template <typename Of>
Response from_source(Thrown& thrown) {
    Response response;
    response.content(std::make_unique<Of>(thrown));
    return response;
}

}  // namespace weir::http
