#include "support/secure_client.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <optional>

#include "support/fake_tls.h"
#include "support/time_limit.h"
#include "tls/openssl/context.h"
#include "unit/tls/openssl_client.h"

namespace weir::tests {
namespace {

class FakeWire final : public Wire {
   public:
    explicit FakeWire(std::string_view protocol) : out_{fake_tls::hello(protocol)} {}

    void give(std::string_view ciphertext) override {
        in_ += ciphertext;
        std::string_view rest = in_;
        for (fake_tls::Record record; fake_tls::take(rest, record);) take(record);
        in_.erase(0, in_.size() - rest.size());
    }
    std::string take() override { return std::exchange(out_, {}); }
    bool is_open() override { return handshakes_ == 2; }
    void write(std::string_view plain) override {
        for (; !plain.empty(); plain.remove_prefix(std::min(plain.size(), record_max)))
            out_ += fake_tls::data(plain.substr(0, record_max));
    }
    std::string read() override { return std::exchange(plain_, {}); }
    bool was_closed() override { return was_closed_; }

   private:
    static constexpr std::size_t record_max = 16'384;

    void take(const fake_tls::Record& record) {
        if (record.type == fake_tls::Type::data) plain_ += record.content;
        if (record.type == fake_tls::Type::close) was_closed_ = true;
        if (record.type == fake_tls::Type::handshake && ++handshakes_ == 1)
            out_ += fake_tls::finished();
    }

    std::string in_;
    std::string out_;
    std::string plain_;
    int handshakes_ = 0;
    bool was_closed_ = false;
};

/// A process that an engine forks has the locks of OpenSSL as they are at that moment. So no client,
/// which is another thread of the same process, may be within OpenSSL then.
class WithinOpenSsl {
   public:
    WithinOpenSsl() {
        static const int registered = ::pthread_atfork(lock, unlock, unlock);
        EXPECT_EQ(registered, 0);
        lock();
    }
    ~WithinOpenSsl() { unlock(); }
    WithinOpenSsl(const WithinOpenSsl&) = delete;
    WithinOpenSsl& operator=(const WithinOpenSsl&) = delete;

   private:
    static void lock() { mutex_.lock(); }
    static void unlock() { mutex_.unlock(); }
    static inline std::mutex mutex_;
};

class OpenSslWire final : public Wire {
   public:
    explicit OpenSslWire(std::string_view protocol) {
        const WithinOpenSsl within;
        client_.emplace(
            tls::OpenSslClient::Options{.protocols = tls::on_the_wire({std::string{protocol}})});
        client_->shake_hands();
    }
    ~OpenSslWire() override {
        const WithinOpenSsl within;
        client_.reset();
    }

    void give(std::string_view ciphertext) override {
        const WithinOpenSsl within;
        client_->give(ciphertext);
        client_->shake_hands();
    }
    std::string take() override {
        const WithinOpenSsl within;
        return client_->take();
    }
    bool is_open() override {
        const WithinOpenSsl within;
        return SSL_is_init_finished(client_->ssl()) == 1;
    }
    void write(std::string_view plain) override {
        const WithinOpenSsl within;
        client_->write(plain);
    }
    std::string read() override {
        const WithinOpenSsl within;
        return client_->read();
    }
    bool was_closed() override {
        const WithinOpenSsl within;
        client_->read();  // OpenSSL looks at an alert when it is asked for what comes next
        return client_->was_closed();
    }

   private:
    std::optional<tls::OpenSslClient> client_;
};

}  // namespace

std::unique_ptr<Wire> make_fake_wire(std::string_view protocol) {
    return std::make_unique<FakeWire>(protocol);
}
std::unique_ptr<Wire> make_openssl_wire(std::string_view protocol) {
    return std::make_unique<OpenSslWire>(protocol);
}

void SecureClient::shake_hands(std::size_t size) {
    for (flush(size); !wire_->is_open(); flush(size))
        if (!read_some()) throw Unexpected{"the end before that of the handshake"};
    flush(size);
}

void SecureClient::flush(std::size_t size) {
    const std::string bytes = wire_->take();
    std::string_view rest = bytes;
    while (!rest.empty()) {
        const auto piece = rest.substr(0, size == 0 ? rest.size() : size);
        socket_.send(piece);
        rest.remove_prefix(piece.size());
    }
}

bool SecureClient::read_some() {
    pollfd waited{socket_.fd(), POLLIN, 0};
    if (::poll(&waited, 1, static_cast<int>(std::chrono::milliseconds{time_limit}.count())) <= 0)
        throw TimedOut{"waited too long for bytes"};
    std::array<char, 65'536> bytes;
    const auto size = ::recv(socket_.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size < 0 && errno != ECONNRESET) throw Unexpected{"recv"};
    if (size <= 0) return false;
    wire_->give({bytes.data(), static_cast<std::size_t>(size)});
    return true;
}

bool SecureClient::fill(std::string& buffer) {
    for (;;) {
        const std::string plain = wire_->read();
        buffer += plain;
        if (!plain.empty()) return true;
        if (!read_some()) return false;
    }
}

}  // namespace weir::tests
