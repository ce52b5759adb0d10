#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unit/http/driver.h"

namespace weir::http {

/// What a continuation of a test shares with its test.
struct Script {
    std::function<Reply()> resume = [] { return Later{}; };
    std::function<std::optional<Response>(Status)> refused = [](Status) { return std::nullopt; };
    Instant due = never;
    std::size_t bytes = 0;
    bool ends_with_peer = false;
    int resumed = 0;
    int cuts = 0;
    int destroyed = 0;
    std::vector<std::string> taken{};  // by the sink
    int sink_cuts = 0;
};

struct Scripted final : Continuation {
    explicit Scripted(Script& of_test) : script{of_test} {}
    ~Scripted() override { ++script.destroyed; }
    Reply resume() override {
        ++script.resumed;
        return script.resume();
    }
    Instant due() const noexcept override { return script.due; }
    std::size_t bytes() const noexcept override { return script.bytes; }
    std::optional<Response> refused(Status status, std::string_view /*reason*/) override {
        return script.refused(status);
    }
    bool ends_with_peer() const noexcept override { return script.ends_with_peer; }
    void cut() noexcept override { ++script.cuts; }
    Script& script;
};

/// Pauses at each piece.
struct PausingSink final : Sink {
    explicit PausingSink(Script& of_test) : script{of_test} {}
    Taken take(std::string_view bytes) override {
        script.taken.emplace_back(bytes);
        return Taken::paused;
    }
    void cut() noexcept override { ++script.sink_cuts; }
    Script& script;
};

}  // namespace weir::http
