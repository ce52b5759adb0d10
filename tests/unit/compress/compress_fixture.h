#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "unit/compress/decompressed.h"
#include "weir/compress/compress.h"
#include "weir/web/probe.h"

namespace weir::compress {

using Answer = web::Probe::Answer;
using Fields = web::Probe::Fields;

/// A handler that a test writes.
struct Written final : http::Handler {
    std::function<http::Reply(const http::Request&)> answer;
    int calls = 0;

    http::Reply handle(const http::Request& request) override {
        ++calls;
        return answer(request);
    }
};

/// Words in no order that a coding could guess, but that it makes smaller.
inline std::string text_of(std::size_t bytes) {
    std::string text;
    std::uint32_t state = 1;
    while (text.size() < bytes) {
        state = state * 1'664'525 + 1'013'904'223;
        text += std::to_string(state >> 16) + " weirs measure a stream\n";
    }
    text.resize(bytes);
    return text;
}

/// What no coding makes smaller.
inline std::string noise_of(std::size_t bytes) {
    std::string noise;
    std::uint64_t state = 88172645463325252u;
    while (noise.size() < bytes) {
        state ^= state << 13u;
        state ^= state >> 7u;
        state ^= state << 17u;
        noise += static_cast<char>(state >> 24u);
    }
    return noise;
}

class CompressTest : public ::testing::Test {
   protected:
    CompressTest() {
        handler.answer = [this](const http::Request&) { return page(); };
    }

    /// With `options` as they are when it is first called.
    Compressor& compressor() {
        if (!compressor_) {
            auto made = around(handler, options);
            if (!made) throw std::invalid_argument{made.error()};
            compressor_ = std::move(*made);
        }
        return *compressor_;
    }
    /// The next compressor has `options` as they are then.
    void restart() {
        probe_.reset();
        compressor_.reset();
    }
    web::Probe& probe() {
        if (!probe_) probe_.emplace(compressor());
        return *probe_;
    }

    Answer get(const Fields& fields, std::string_view target = "/") {
        return probe().get(target, fields);
    }
    Answer get_gzip(Fields fields = {}, std::string_view target = "/") {
        fields.emplace_back("Accept-Encoding", "gzip");
        return probe().get(target, fields);
    }

    /// The answer of the handler, unless a test writes another.
    http::Response page() const {
        http::Response response;
        response.add("Content-Type", media_type);
        if (!tag.empty()) response.add("ETag", tag);
        if (!cache_control.empty()) response.add("Cache-Control", cache_control);
        response.content(content);
        return response;
    }

    static std::string content_of(const Answer& answer) {
        return tests::decompressed(answer.field("Content-Encoding"), answer.content);
    }

    Options options;
    Written handler;
    std::string media_type = "text/html; charset=utf-8";
    std::string tag;
    std::string cache_control;
    std::string content = text_of(4000);

   private:
    std::unique_ptr<Compressor> compressor_;
    std::optional<web::Probe> probe_;
};

}  // namespace weir::compress
