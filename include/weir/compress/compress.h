#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/handler.h"
#include "weir/web/content_decoding.h"
#include "weir/web/middleware.h"

/// Compression of responses while they are sent: the library weir-compress, which needs zlib,
/// brotli or zstd, or several of them.
///
///     router.use(weir::web::compression());
///
/// If a response over TLS contains both a secret and text that an attacker chooses, its compressed
/// size may reveal the secret (BREACH, https://breachattack.com). To exclude such responses, use
/// "Cache-Control: no-transform", or a media type that is not in Options::types. Responses that set
/// a cookie are excluded unless Options::with_cookies is true.
namespace weir::compress {

/// The codings of this build, as in Content-Encoding: "zstd", "br", "gzip". By default, a response
/// gets the first of them that has the highest weight in the client's Accept-Encoding. Empty: the
/// build found none of the libraries.
std::vector<std::string> available();

/// The names and versions of the libraries of these codings, "zlib 1.2.13", as they run: they may
/// be newer than those of the build. Empty if available() is empty. Any thread may call it.
std::vector<std::string> libraries();

/// The media types that are compressed by default.
std::vector<std::string> usual_types();

struct Options {
    /// Tokens as in available(). If a client gives equal weights to several codings, the first of
    /// them is taken. Empty: available().
    std::vector<std::string> codings{};
    /// From 1, fastest, to 9, smallest; brotli and zstd stop at 6, because higher levels take many
    /// times the memory. 0: gzip 6, brotli 4, zstd 3.
    int level = 0;
    /// Bytes. Shorter content is sent uncompressed.
    std::uint64_t size_min = 1024;
    /// "text/html"; "text/*"; or "+json" for all types with that suffix. An event stream holds the
    /// memory of its encoder as long as it lasts.
    std::vector<std::string> types = usual_types();
    /// Also compresses responses with Set-Cookie. See above: BREACH.
    bool with_cookies = false;
    /// The most bytes of the cache of compressed contents, with its index; 0: no cache. One content
    /// may take a quarter. An evicted content of up to 64 KB can stay among the 32 latest of a
    /// thread. A forked process has a cache of its own.
    std::size_t cache_bytes = 16 * 1024 * 1024;
    /// The most bytes that compression may use at a time; a content takes 0.3 MB (gzip) to 4 MB.
    /// Beyond this limit, responses are sent uncompressed. In addition, up to four encoders of each
    /// coding are kept for later contents: 15 MB by default.
    std::size_t stream_bytes_max = 64 * 1024 * 1024;
    /// States that a path and a strong entity tag identify one content, independent of the query,
    /// the host and the user, as in a Site. The cache then ignores these. Otherwise a tag is valid
    /// for its URL only, and responses to requests with Authorization or Cookie are cached only if
    /// Cache-Control has "public".
    bool tags_are_unique = false;
};

/// Counts of a handler's compression so far. Each process counts by itself.
struct Counts {
    std::uint64_t compressed = 0;  // contents whose compression has begun
    std::uint64_t not_smaller = 0;
    std::uint64_t without_memory =
        0;                         // sent uncompressed, because of stream_bytes_max or bad_alloc
    std::uint64_t evicted = 0;     // from the cache
    std::size_t cached = 0;        // contents in the cache now
    std::size_t cached_bytes = 0;  // the size of these contents
    std::size_t stream_bytes = 0;  // the memory that compression uses now
};

/// A handler around a handler. It compresses the content of responses if the client accepts that
/// (Accept-Encoding, RFC 9110 12.5.3), and adds Vary to what it compresses for some clients. It does
/// not change: content that has a Content-Encoding or a digest, "Cache-Control: no-transform",
/// responses to requests with Range, 204, 206 and 304, responses that set a cookie, and responses
/// that Options exclude. HEAD is treated like GET. For a client that refuses uncompressed content,
/// it ignores Range, and what Options exclude.
///
/// A compressed response has an entity tag of its own: "v1" becomes "v1-gzip". If-None-Match and
/// If-Match accept these tags, for every method. The handler sees "v1" in If-Match in addition to
/// "v1-gzip".
///
/// Content up to 4 KB is compressed at once. Up to four threads compress longer content as the peer
/// takes it, while the event loop serves other connections. One of these threads may release the
/// object that the response retains (Response::retain()). If a source pauses, as an event stream
/// does, the encoder is flushed. Compressed content with a strong entity tag is cached if it is not
/// too long, so that the next client costs no more than a precompressed file. If memory is short,
/// responses are sent uncompressed. If a file changes while it is compressed, the response fails,
/// and the connection closes.
///
/// Responses through a Deferred are not compressed. Those of a router's callbacks and coroutines
/// are.
class Compressor final : public http::Handler {
   public:
    struct State;
    explicit Compressor(std::unique_ptr<State> state) noexcept;
    ~Compressor() override;

    http::Reply handle(const http::Request& request) override;
    /// Any thread may call it.
    Counts counts() const;

   private:
    std::unique_ptr<State> state_;
};

/// `handler` must outlive the result. The error is one sentence: about a coding that is unknown or
/// not in this build, an invalid level, or an invalid media type.
std::expected<std::unique_ptr<Compressor>, std::string> around(http::Handler& handler,
                                                               Options options);

/// For web::ClientOptions::decoding: "zstd" and "gzip", as far as this build has the libraries.
/// Content in zstd with a window of more than 8 MB (RFC 9659) is malformed.
std::shared_ptr<const web::ContentDecoding> decoding();

}  // namespace weir::compress

namespace weir::web {

/// The same for the responses of some routes: see Routes::use(). Throws std::invalid_argument for
/// the errors of around(). Middleware that was added before it sees compressed responses in
/// after().
std::shared_ptr<Middleware> compression(compress::Options options = {});

}  // namespace weir::web
