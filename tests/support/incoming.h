#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace weir::tests {

/// A difference between the expected and the actual answer. GoogleTest reports it as a failure.
class Unexpected : public std::runtime_error {
    using runtime_error::runtime_error;
};

/// The server did nothing within the time limit. Some tests accept an answer that is cut short, but
/// not this.
class TimedOut final : public Unexpected {
    using Unexpected::Unexpected;
};

/// Reads bytes from a server, by lines and by sizes. Throws Unexpected if they end too early.
class Incoming {
   public:
    virtual ~Incoming() = default;

    /// The next byte, without taking it; negative at the end.
    int peek();
    /// Takes everything up to CRLF, and returns it without CRLF. A bare CR or LF is Unexpected.
    std::string line();
    /// Takes exactly `size` bytes.
    std::string take(std::size_t size);
    /// Takes exactly `size` bytes, without keeping them: shows them to `visit` piece by piece.
    void pass(std::size_t size, const std::function<void(std::string_view)>& visit);
    /// Takes everything until the end.
    std::string rest();

   protected:
    /// Takes the bytes that have arrived and were not taken yet.
    std::string take_unread();
    /// Waits for more bytes and appends them to `buffer`; false at the end.
    virtual bool fill(std::string& buffer) = 0;

   private:
    bool fill_more();
    std::string_view unread() const { return std::string_view{buffer_}.substr(read_); }

    std::string buffer_;
    std::size_t read_ = 0;  // bytes of `buffer_` that were taken
};

/// Reads from a string, for tests of the parser.
class IncomingText final : public Incoming {
   public:
    explicit IncomingText(std::string text) : text_{std::move(text)} {}

   protected:
    bool fill(std::string& buffer) override {
        buffer += text_;
        return !std::exchange(text_, {}).empty();
    }

   private:
    std::string text_;
};

}  // namespace weir::tests
