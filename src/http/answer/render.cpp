#include "http/answer/render.h"

#include <array>
#include <cstring>

namespace weir::http {

namespace {

/// Memory for the parts of a head that are not the response's own text: the status line,
/// Connection, Content-Length or Transfer-Encoding, and the empty line.
constexpr std::size_t fixed_bytes_max = 256;

/// Writes without bounds checks: the caller reserves the memory first.
class LineWriter {
   public:
    explicit LineWriter(char* at) noexcept : at_{at}, start_{at} {}

    LineWriter& write(std::string_view text) noexcept {
        at_ += text.copy(at_, text.size());  // unlike memcpy, it allows a null pointer
        return *this;
    }
    /// The size of a DateLine is a constant, so this copy is a few instructions.
    LineWriter& write(const DateLine& line) noexcept {
        std::memcpy(at_, line.data(), line.size());
        at_ += line.size();
        return *this;
    }
    /// Renders two digits at a time, the last two first.
    LineWriter& write_number(std::uint64_t number) noexcept {
        std::array<char, 2 * digits_max> digits{};
        std::size_t begin = digits_max;
        for (; number >= 100; number /= 100)
            std::memcpy(&digits[begin -= 2], &pairs[number % 100], 2);
        std::memcpy(&digits[begin -= 2], &pairs[number], 2);
        if (number < 10) ++begin;
        std::memcpy(at_, &digits[begin], digits_max);  // the next write replaces the excess bytes
        at_ += digits_max - begin;
        return *this;
    }
    std::size_t written() const noexcept { return static_cast<std::size_t>(at_ - start_); }

   private:
    static constexpr std::size_t digits_max = 20;
    static constexpr auto pairs = [] {
        std::array<std::array<char, 2>, 100> texts;
        for (std::size_t i = 0; i < texts.size(); ++i)
            texts[i] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
        return texts;
    }();

    char* at_;
    char* start_;
};

void write_status_line(LineWriter& writer, Status status) {
    if (status == Status::ok) {
        writer.write("HTTP/1.1 200 OK\r\n");
        return;
    }
    writer.write("HTTP/1.1 ").write_number(code(status)).write(" ");
    writer.write(reason(status)).write("\r\n");
}

void write_delimiter(LineWriter& writer, const HeadFacts& facts) {
    if (facts.delimiter == Delimiter::length)
        writer.write("Content-Length: ").write_number(facts.content_length).write("\r\n");
    else if (facts.delimiter == Delimiter::chunked)
        writer.write("Transfer-Encoding: chunked\r\n");
}

}  // namespace

void render(OutputBuffer& output, const Response& response, const HeadFacts& facts,
            std::string_view content) {
    const std::string_view own = response.own_fields(), prepared = response.prepared_fields();
    LineWriter writer{output.room(fixed_bytes_max + own.size() + prepared.size() + content.size())};
    write_status_line(writer, response.status());
    if (facts.date_line != nullptr) writer.write(*facts.date_line);
    writer.write(prepared).write(own);
    write_delimiter(writer, facts);
    if (facts.close)
        writer.write("Connection: close\r\n");
    else if (facts.keep_alive_1_0)
        writer.write("Connection: keep-alive\r\n");
    writer.write("\r\n").write(content);
    output.commit(writer.written());
}

}  // namespace weir::http
