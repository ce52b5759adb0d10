#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "http/hpack/prepared_fields.h"
#include "weir/http/handler.h"
#include "weir/http/origin.h"

// The request whose instructions are counted, and the file that answers it.
namespace weir::instructions {

// What a browser says.
inline constexpr std::string_view request =
    "GET /1k.txt HTTP/1.1\r\nHost: www.example.org\r\nConnection: keep-alive\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/130.0.0.0 Safari/537.36\r\nAccept: text/html,application/xhtml+xml,application/xml;"
    "q=0.9,image/avif,image/webp,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"
    "Accept-Language: en-GB,en;q=0.9\r\n\r\n";
inline constexpr std::size_t content_bytes = 1024;
inline constexpr int left_out = 77;  // by this build

[[noreturn]] inline void give_up(const std::string& why) { throw std::runtime_error{why}; }

/// Everything is borrowed, nothing is allocated.
class CachedFile final : public http::Handler {
   public:
    http::Reply handle(const http::Request&) override {
        http::Response response;
        fields_.lend(response);
        response.content_view(*content_).retain(content_);
        return response;
    }

   private:
    const http::PreparedFields fields_{
        "Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
        "ETag: \"1a2b3c4d5e6f\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"};
    const std::shared_ptr<const std::string> content_ =
        std::make_shared<const std::string>(content_bytes, 'x');
};

class Nobody final : public http::Origin {
   public:
    void append_address(std::string&) const override {}
    std::shared_ptr<http::Postbox> postbox() override { return nullptr; }
    std::uint64_t number() const noexcept override { return 0; }
};

}  // namespace weir::instructions
