#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/handler.h"
#include "weir/web/middleware.h"

/// Compression of answers while they are sent: the library weir-compress, which needs zlib, brotli or
/// zstd, or several of them.
///
///     router.use(weir::web::compression());
///
/// An answer over TLS that has both a secret and text that an attacker chooses may tell the secret by
/// its compressed size (BREACH, https://breachattack.com). Leave such answers out: "Cache-Control:
/// no-transform", or a media type that is not in Options::types. Answers that set a cookie are left out
/// unless Options::with_cookies.
namespace weir::compress {

/// The codings of this build, as in Content-Encoding: "zstd", "br", "gzip". By default, the first that
/// a client likes best is taken. Empty: the build found none of the libraries.
std::vector<std::string> available();

/// The media types that are compressed by default.
std::vector<std::string> usual_types();

struct Options {
    /// Tokens as in available(). The first counts more among those that a client likes equally.
    /// Empty: available().
    std::vector<std::string> codings{};
    /// From 1, fastest, to 9, smallest; brotli and zstd stop at 6, because more takes many times the
    /// memory. 0: gzip 6, brotli 4, zstd 3.
    int level = 0;
    /// Bytes. Shorter content is sent as it is.
    std::uint64_t size_min = 1024;
    /// "text/html"; "text/*"; "+json": what ends with it. An event stream holds its memory for as long as
    /// it lasts.
    std::vector<std::string> types = usual_types();
    /// Compresses answers with Set-Cookie, too. See above: BREACH.
    bool with_cookies = false;
    /// Bytes of compressed contents that are kept, with what finds them; 0: none. One content may take a
    /// quarter. An evicted content of up to 64 KB can live on among the 32 latest of a thread. A forked
    /// process has a cache of its own.
    std::size_t cache_bytes = 16 * 1024 * 1024;
    /// What compression may take at a time, in bytes; a content takes 0.3 MB (gzip) to 4 MB. Past it,
    /// answers are sent as they are. Up to four encoders of each coding are kept beyond that, for the
    /// next contents: 15 MB by default.
    std::size_t stream_bytes_max = 64 * 1024 * 1024;
    /// A path and a strong entity tag stand for one content, whatever the query, the host and the user
    /// are, as those of a Site do. The cache then ignores these. Otherwise a tag counts for its URL
    /// alone, and answers to requests with Authorization or Cookie are kept only if Cache-Control says
    /// "public".
    bool tags_are_unique = false;
};

/// What a handler has compressed so far. Each process counts by itself.
struct Counts {
    std::uint64_t compressed = 0;  // contents, from their first byte
    std::uint64_t not_smaller = 0;
    std::uint64_t without_memory =
        0;                         // sent as they were, because of stream_bytes_max or bad_alloc
    std::uint64_t evicted = 0;     // from the cache
    std::size_t cached = 0;        // contents in the cache now
    std::size_t cached_bytes = 0;  // what they take
    std::size_t stream_bytes = 0;  // what compression takes now
};

/// A handler around a handler. It compresses the content of answers if the client accepts that
/// (Accept-Encoding, RFC 9110 12.5.3), and adds Vary. It leaves alone: content that has a
/// Content-Encoding or a digest, "Cache-Control: no-transform", answers to requests with Range, 204, 206
/// and 304, answers that set a cookie, and what Options say. HEAD is answered as GET is.
///
/// A compressed answer has an entity tag of its own: "v1" becomes "v1-gzip". If-None-Match and If-Match
/// know these tags, for every method. The handler sees "v1" in If-Match beside "v1-gzip".
///
/// Content up to 4 KB is compressed at once, longer content by up to four threads as the peer takes it;
/// an event loop serves others meanwhile. What the answer retains (Response::retain()) may be released on
/// one of these threads. A source that pauses, as an event stream does, is flushed. What has a strong
/// entity tag and is not too long is kept, so that the next client costs what a precompressed file does.
/// Where memory is short, answers are sent as they are. A file that changes while it is compressed fails:
/// the connection closes.
///
/// Answers that come through a Deferred are left alone. Those of a router's callbacks and coroutines are
/// not.
class Compressor final : public http::Handler {
   public:
    struct State;
    explicit Compressor(std::unique_ptr<State> state) noexcept;
    ~Compressor() override;

    http::Reply handle(const http::Request& request) override;
    /// Any thread may ask.
    Counts counts() const;

   private:
    std::unique_ptr<State> state_;
};

/// `handler` must outlive what is returned. The error is one sentence: a coding that is unknown or not
/// in this build, a level or a media type that is none.
std::expected<std::unique_ptr<Compressor>, std::string> around(http::Handler& handler,
                                                               Options options);

}  // namespace weir::compress

namespace weir::web {

/// The same for the answers of some routes: see Routes::use(). Throws std::invalid_argument for what is
/// an error there. Middleware that was added before it sees compressed answers in after().
std::shared_ptr<Middleware> compression(compress::Options options = {});

}  // namespace weir::web
