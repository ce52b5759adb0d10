#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace weir::tests {

/// What a client expected and did not get. GoogleTest reports it as the test's failure.
class Unexpected : public std::runtime_error {
    using runtime_error::runtime_error;
};

/// The server did nothing at all. For tests that put up with an answer that is cut, but not with
/// this.
class TimedOut final : public Unexpected {
    using Unexpected::Unexpected;
};

/// Bytes as they come from a server, cut into lines and stretches. Throws Unexpected where they
/// end too early.
class Incoming {
   public:
    virtual ~Incoming() = default;

    /// The next byte without taking it; nothing at the end. Negative: the end.
    int peek();
    /// Up to CRLF, which is taken and left out. A bare CR or LF is Unexpected.
    std::string line();
    /// Exactly so many bytes.
    std::string take(std::size_t size);
    /// The same for bytes too many to keep: shown to `visit` piece by piece.
    void pass(std::size_t size, const std::function<void(std::string_view)>& visit);
    /// All there is until the end.
    std::string rest();

   protected:
    /// What was filled in and not yet taken.
    std::string take_unread();
    /// Waits for more and adds it to `buffer`; false at the end.
    virtual bool fill(std::string& buffer) = 0;

   private:
    bool fill_more();
    std::string_view unread() const { return std::string_view{buffer_}.substr(read_); }

    std::string buffer_;
    std::size_t read_ = 0;  // bytes of `buffer_` that were taken
};

/// For tests of what reads it: a text that ends.
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
