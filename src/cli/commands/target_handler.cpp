#include "cli/commands/target_handler.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "base/troubles.h"
#include "cli/launch/busy.h"
#include "cli/option/quantities.h"

namespace weir::cli {
namespace {

constexpr std::string_view plain_text = "Content-Type: text/plain\r\n";
constexpr std::string_view json = "Content-Type: application/json\r\n";
constexpr std::string_view any_bytes = "Content-Type: application/octet-stream\r\n";

/// Makes lines of 64 letters, which a person can read.
std::string make_content(std::uint64_t bytes) {
    std::string content(bytes, '\0');
    for (std::size_t at = 0; at < content.size(); ++at)
        content[at] = at % 64 == 63 ? '\n' : static_cast<char>('a' + at % 64 % 26);
    return content;
}

/// A source of `bytes` letters. Each pull() fills its buffer.
class Letters final : public http::Source {
   public:
    Letters(std::uint64_t bytes, bool sized) : bytes_{bytes}, left_{bytes}, sized_{sized} {}

    Pulled pull(std::span<char> into) override {
        const std::size_t size = std::min<std::uint64_t>(left_, into.size());
        if (size == 0) return End{};
        std::memset(into.data(), 'x', size);
        left_ -= size;
        return Ready{size};
    }
    std::optional<std::uint64_t> size() const override {
        return sized_ ? std::optional{bytes_} : std::nullopt;
    }

   private:
    const std::uint64_t bytes_;
    std::uint64_t left_;
    const bool sized_;
};

/// The value of `name` in "a=1&b&c=3"; empty if the parameter has no value, nothing if it is
/// missing.
std::optional<std::string_view> parameter(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const auto end = query.find('&');
        const auto pair = query.substr(0, end);
        const auto equals = pair.find('=');
        if (pair.substr(0, equals) == name)
            return equals == pair.npos ? std::string_view{} : pair.substr(equals + 1);
        query.remove_prefix(end == query.npos ? query.size() : end + 1);
    }
    return std::nullopt;
}

/// `content` must outlive the response.
http::Response view_of(std::string_view content, std::string_view fields) {
    http::Response response;
    response.prepared_fields(fields).content_view(content);
    return response;
}

}  // namespace

TargetHandler::TargetHandler(const TargetAnswer& answer)
    : answer_{answer}, content_{make_content(answer.bytes)} {}

http::Reply TargetHandler::handle(const http::Request& request) {
    if (request.path() == "/echo" && request.content_pending()) return http::ReadContent{};
    switch (answer_.waiting) {
        case TargetAnswer::Waiting::none: break;
        case TargetAnswer::Waiting::sleep: std::this_thread::sleep_for(answer_.delay); break;
        case TargetAnswer::Waiting::spin: keep_busy(answer_.delay); break;
        case TargetAnswer::Waiting::timer: return answer_later(request);
    }
    return answer_to(request);
}

http::Reply TargetHandler::answer_later(const http::Request& request) {
    timer_.start();  // may throw, so it comes before defer(): a Deferred must get a response
    timer_.run_after(answer_.delay,
                     [promise = request.defer(), response = answer_to(request)]() mutable {
                         try {
                             promise.respond(std::move(response));
                         } catch (const std::bad_alloc&) {  // the handler's timeout responds
                             troubles().note(Trouble::memory);
                         }
                     });
    return http::Later{};
}

http::Response TargetHandler::answer_to(const http::Request& request) const {
    http::Response response = fixed_answer(request);
    if (answer_.close) response.close();
    return response;
}

http::Response TargetHandler::fixed_answer(const http::Request& request) const {
    const auto path = request.path();
    if (path == "/plaintext") return view_of("Hello, World!", plain_text);
    if (path == "/json") return view_of(R"({"message":"Hello, World!"})", json);
    if (path == "/stream") return stream(request);
    if (path != "/echo") return view_of(content_, plain_text);
    http::Response echo;
    echo.prepared_fields(any_bytes).content(std::string{request.content()});
    return echo;
}

http::Response TargetHandler::stream(const http::Request& request) const {
    std::uint64_t bytes = answer_.bytes;
    if (const auto text = parameter(request.query(), "bytes")) {
        const auto wanted = parse_size(*text);
        if (!wanted) return http::error_response(http::Status::bad_request, wanted.error());
        bytes = *wanted;
    }
    const bool sized = parameter(request.query(), "sized").has_value();
    http::Response response;
    response.prepared_fields(plain_text).content(std::make_unique<Letters>(bytes, sized));
    return response;
}

}  // namespace weir::cli
