#include "support/fake_tls.h"

#include <algorithm>
#include <utility>

namespace weir::tests {
namespace fake_tls {
namespace {

constexpr std::size_t header_bytes = 3;

std::string turned_over(std::string_view bytes) {
    std::string out{bytes};
    for (char& byte : out) byte = static_cast<char>(~byte);
    return out;
}

}  // namespace

std::string encode(Type type, std::string_view content) {
    std::string out{static_cast<char>(type), static_cast<char>(content.size() >> 8),
                    static_cast<char>(content.size() & 0xff)};
    return out + turned_over(content);
}

bool take(std::string_view& bytes, Record& record) {
    if (bytes.size() < header_bytes) return false;
    const auto size = static_cast<std::size_t>(static_cast<unsigned char>(bytes[1]) << 8 |
                                               static_cast<unsigned char>(bytes[2]));
    if (bytes.size() < header_bytes + size) return false;
    record = {static_cast<Type>(bytes[0]), turned_over(bytes.substr(header_bytes, size))};
    bytes.remove_prefix(header_bytes + size);
    return true;
}

}  // namespace fake_tls

using fake_tls::Type;

FakeSession::FakeSession(std::size_t flight_bytes) {
    flight_.resize(flight_bytes, '.');
    std::ranges::copy(fake_tls::flight.substr(0, flight_bytes), flight_.begin());
}

FakeSession::Status FakeSession::shake_hands(std::string_view& in, tls::Ciphertext& out) {
    Status status = flush(out);
    for (fake_tls::Record record; status == Status::wants_input && next(in, record);) {
        if (take_handshake(record) == Status::failed) {
            out.append(fake_tls::encode(Type::alert, {}));
            return Status::failed;
        }
        status = flush(out);
    }
    return status;
}

FakeSession::Status FakeSession::take_handshake(const fake_tls::Record& record) {
    if (record.type != Type::handshake) return Status::failed;
    if (std::exchange(awaits_, Awaits::finished) == Awaits::hello) {
        protocol_ = record.content;
        for (std::string_view rest = flight_; !rest.empty();) {
            const auto piece = rest.substr(0, tls::record_plain_max);
            to_say_ += fake_tls::encode(Type::handshake, piece);
            rest.remove_prefix(piece.size());
        }
        return Status::going_on;
    }
    if (record.content != "finished") return Status::failed;
    awaits_ = Awaits::data;
    to_say_ += fake_tls::encode(Type::handshake, fake_tls::ticket);
    return Status::going_on;
}

FakeSession::Status FakeSession::flush(tls::Ciphertext& out) {
    to_say_.erase(0, out.append(to_say_));
    if (!to_say_.empty()) return Status::wants_room;
    is_open_ = awaits_ == Awaits::data;
    return is_open_ ? Status::going_on : Status::wants_input;
}

FakeSession::Read FakeSession::read(std::string_view& in, std::span<char> plain,
                                    tls::Ciphertext& out) {
    for (fake_tls::Record record; next(in, record);) {
        if (record.type == Type::close) return {Status::ended};
        if (record.type == Type::update) {
            const std::string reply = fake_tls::encode(Type::update, "updated");
            if (out.append(reply) != reply.size()) return {Status::wants_room};
            continue;
        }
        if (record.type != Type::data || record.content.size() > plain.size()) {
            out.append(fake_tls::encode(Type::alert, {}));
            return {Status::failed};
        }
        if (record.content.empty()) continue;
        std::ranges::copy(record.content, plain.begin());
        return {Status::going_on, record.content.size()};
    }
    return {Status::wants_input};
}

bool FakeSession::write(std::string_view plain, tls::Ciphertext& out) {
    const std::string record = fake_tls::data(plain);
    return out.append(record) == record.size();
}

void FakeSession::close(tls::Ciphertext& out) noexcept { out.append(fake_tls::close_notify()); }

bool FakeSession::next(std::string_view& in, fake_tls::Record& record) {
    if (partial_.empty() && fake_tls::take(in, record)) return true;
    // As OpenSSL does it: no more is taken than belongs to this record.
    while (!in.empty()) {
        partial_ += in.front();
        in.remove_prefix(1);
        std::string_view bytes = partial_;
        if (!fake_tls::take(bytes, record)) continue;
        partial_.clear();
        return true;
    }
    return false;
}

}  // namespace weir::tests
