#include "http/answer/render.h"

#include <charconv>
#include <cstring>

namespace weir::http {

namespace {

/// Memory for the parts of a head that are not the response's own text: the status line,
/// Connection, Content-Length or Transfer-Encoding, and the empty line.
constexpr std::size_t fixed_bytes_max = 256;

/// Writes without bounds checks: the caller reserved memory for everything.
class Pen {
   public:
    explicit Pen(char* at) noexcept : at_{at}, start_{at} {}

    Pen& write(std::string_view text) noexcept {
        at_ += text.copy(at_, text.size());  // unlike memcpy, it allows a null pointer
        return *this;
    }
    Pen& write_number(std::uint64_t number) noexcept {
        at_ = std::to_chars(at_, at_ + 20, number).ptr;
        return *this;
    }
    std::size_t written() const noexcept { return static_cast<std::size_t>(at_ - start_); }

   private:
    char* at_;
    char* start_;
};

void write_status_line(Pen& pen, Status status) {
    if (status == Status::ok) {
        pen.write("HTTP/1.1 200 OK\r\n");
        return;
    }
    pen.write("HTTP/1.1 ").write_number(code(status)).write(" ");
    pen.write(reason(status)).write("\r\n");
}

void write_delimiter(Pen& pen, const HeadFacts& facts) {
    if (facts.delimiter == Delimiter::length)
        pen.write("Content-Length: ").write_number(facts.content_length).write("\r\n");
    else if (facts.delimiter == Delimiter::chunked)
        pen.write("Transfer-Encoding: chunked\r\n");
}

}  // namespace

void render(OutputBuffer& output, const Response& response, const HeadFacts& facts,
            std::string_view content) {
    const std::string_view own = response.own_fields(), prepared = response.prepared_fields();
    Pen pen{output.room(fixed_bytes_max + own.size() + prepared.size() + content.size())};
    write_status_line(pen, response.status());
    pen.write(facts.date_line).write(prepared).write(own);
    write_delimiter(pen, facts);
    if (facts.close)
        pen.write("Connection: close\r\n");
    else if (facts.keep_alive_1_0)
        pen.write("Connection: keep-alive\r\n");
    pen.write("\r\n").write(content);
    output.commit(pen.written());
}

}  // namespace weir::http
