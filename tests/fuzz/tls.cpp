// A connection with a layer does the same whether its ciphertext comes whole, in two pieces, or byte
// by byte, and what it answers is what the protocol inside answers without a layer. The session is a
// fake: what OpenSSL makes of bytes is OpenSSL's.

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "http/http1/http1_connection.h"
#include "support/fake_tls.h"
#include "tls/connection/tls_connection.h"

namespace weir::tests {
namespace {

constexpr Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};

http::Reply answer(const http::Request& request) {
    if (request.content_pending()) return http::ReadContent{};
    http::Response response;
    response.content(std::string{request.target()} + std::string{request.content()});
    return response;
}

/// The engine and the client of one connection, in memory.
class Played final : public http::Origin {
   public:
    Played(const http::Limits& limits, bool has_layer, bool settles)
        : workspace_{limits, timeouts_}, settles_{settles} {
        workspace_.layer = std::make_unique<tls::Buffers>();
        factories_.session = [] { return std::make_unique<FakeSession>(); };
        factories_.protocol = [](std::string_view, http::Workspace& of, http::Origin& origin,
                                 Now at) {
            return std::make_unique<http::Http1Connection>(of, origin, at);
        };
        if (has_layer)
            connection_ = std::make_unique<tls::TlsConnection>(factories_, workspace_, *this, now);
        else
            connection_ = factories_.protocol({}, workspace_, *this, now);
    }

    void receive(std::string_view bytes) {
        const ExactCopy copy{bytes};
        if (bytes.empty() || !http::reads(connection_->step())) return;
        connection_->receive(copy.view(), now);
        for (;;) {
            if (settles_) take_ownership();
            if (connection_->step() == http::Step::handle) {
                const http::Request& request = connection_->take_request();
                const auto id = request.id();
                connection_->respond(id, answer(request), now);
            } else if (http::sends(connection_->step())) {
                transmit();
            } else if (!take_ownership()) {
                return;
            }
        }
    }

    /// All that was sent; where there is a layer, the plaintext of it.
    const std::string& sent() const { return sent_; }
    std::string plaintext() const {
        std::string plain;
        std::string_view rest = sent_;
        for (fake_tls::Record record; fake_tls::take(rest, record);)
            if (record.type == fake_tls::Type::data) plain += record.content;
        return plain;
    }

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<http::Postbox> postbox() override { return nullptr; }
    std::uint64_t number() const noexcept override { return 0; }

   private:
    bool take_ownership() { return connection_->take_ownership(now); }
    void transmit() {
        const http::Transmission what = connection_->transmit();
        for (const std::string_view part : what.parts) sent_ += part;
        require(what.part_bytes() != 0);
        connection_->transmitted(what.part_bytes(), now);
    }

    const http::Timeouts timeouts_;
    http::Workspace workspace_;
    tls::TlsFactories factories_;
    const bool settles_;
    std::unique_ptr<http::Connection> connection_;
    std::string sent_;
};

std::string opening() { return fake_tls::hello("http/1.1") + fake_tls::finished(); }

/// The text in records of `size` bytes.
std::string encrypted(std::string_view text, std::size_t size) {
    std::string out = opening();
    for (; !text.empty(); text.remove_prefix(std::min(size, text.size())))
        out += fake_tls::data(text.substr(0, size));
    return out;
}

std::string play(const FuzzInput& input, const std::vector<std::string_view>& pieces) {
    Played played{input.limits, true, (input.choice & 1) != 0};
    for (const std::string_view piece : pieces) played.receive(piece);
    return played.plaintext();
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const bool is_ciphertext = (input.choice & 2) != 0;
    const std::string bytes = is_ciphertext ? opening() + std::string{input.text}
                                            : encrypted(input.text, 1 + input.choice / 4);
    const std::string_view all = bytes;
    const std::size_t cut = opening().size() + input.cut;
    const std::string whole = play(input, {all});
    require(play(input, {all.substr(0, cut), all.substr(cut)}) == whole);
    std::vector<std::string_view> one_by_one;
    for (std::size_t at = 0; at < all.size(); ++at) one_by_one.push_back(all.substr(at, 1));
    require(play(input, one_by_one) == whole);
    if (is_ciphertext) return;

    Played plain{input.limits, false, false};
    const std::size_t size = 1 + input.choice / 4;  // the protocol inside gets these pieces
    for (std::string_view rest = input.text; !rest.empty();
         rest.remove_prefix(std::min(size, rest.size())))
        plain.receive(rest.substr(0, size));
    require(plain.sent() == whole);
}

}  // namespace weir::tests
