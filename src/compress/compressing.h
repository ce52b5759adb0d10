#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compress/answer/answer_fields.h"
#include "compress/answer/media_type_list.h"
#include "compress/cache/body_cache.h"
#include "compress/cache/body_thread_cache.h"
#include "compress/coding/codings.h"
#include "compress/coding/encoder_pool.h"
#include "compress/stream/helpers.h"
#include "weir/compress/compress.h"
#include "weir/http/handler.h"

namespace weir::compress {

/// Compresses the responses of a handler.
class Compressing {
   public:
    Compressing(Options options, std::vector<CodingInUse> codings, MediaTypeList types);

    /// The error is one sentence.
    static std::expected<std::unique_ptr<Compressing>, std::string> from(Options options);

    /// To call before the handler gets `request`: adds the handler's own tags to If-Match, and lets
    /// it ignore Range if the client refuses uncompressed content.
    void prepare(const http::Request& request) const;
    /// `response` is the handler's response to `request`. If there is no memory, the response stays
    /// unchanged.
    void complete(const http::Request& request, http::Response& response) noexcept;
    /// True if the client refuses uncompressed content, but accepts a coding in use.
    bool could_code(const http::Request& request) const noexcept;
    Counts counts() const;

   private:
    struct Work;

    bool answer_from_front(const http::Request& request, http::Response& response) const;
    void complete_by_fields(const http::Request& request, http::Response& response);
    bool can_be_coded(const http::Response& response, const AnswerFields& fields) const;
    bool is_worthwhile(const http::Response& response, const AnswerFields& fields) const;
    std::string key_of(const Work& work) const;
    void code(Work& work);
    bool answer_not_modified(Work& work) const;
    bool answer_from_cache(Work& work);
    bool is_cacheable(const Work& work) const;
    void compress_whole(Work& work, std::string_view content, EncoderPool::Lease lease);
    void stream(Work& work, EncoderPool::Lease lease);
    void send_better(Work& work, std::shared_ptr<const Body> body) const;
    void send(Work& work, std::shared_ptr<const Body> body) const;

    const Options options_;
    const std::vector<CodingInUse> codings_;
    const MediaTypeList types_;
    const std::uint64_t number_;
    const std::shared_ptr<EncoderPool> encoders_;
    const std::shared_ptr<BodyCache> cache_;
    const std::shared_ptr<Helpers> helpers_ = std::make_shared<Helpers>();
    std::atomic<std::uint64_t> compressed_{0};
    std::atomic<std::uint64_t> not_smaller_{0};
    std::atomic<std::uint64_t> without_memory_{0};
};

}  // namespace weir::compress
