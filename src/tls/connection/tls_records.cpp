// TlsConnection: decryption, encryption, and the memory of data that outlasts a call.
#include "tls/connection/tls_connection.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "net/uninterrupted.h"

namespace weir::tls {

using http::Outcome;
using http::Step;

namespace {

constexpr std::size_t replies_bytes_max = 4 * 1024;

// The memory of a session of OpenSSL 3.0 outside of the workspace, while it waits and during its
// handshake, for the budget.
constexpr std::size_t session_bytes = 12 * 1024;
constexpr std::size_t handshake_bytes = 48 * 1024;

/// Returns the number of bytes read; 0 if the file has ended or can't be read.
std::size_t read_file(const http::FileRange& file, std::uint64_t from,
                      std::span<char> into) noexcept {
    const auto size = net::uninterrupted([&] {
        return ::pread(file.fd, into.data(), into.size(), static_cast<off_t>(file.offset + from));
    });
    return static_cast<std::size_t>(std::max<ssize_t>(size, 0));
}

}  // namespace

bool TlsConnection::decrypt(Now now) {
    if (input_.empty() || !http::reads(inner_->step())) return false;
    if (input_ended_ || inner_->step() == Step::drain) {  // the plaintext does not matter
        const std::string_view thrown_away = std::exchange(input_, {});
        if (inner_->step() == Step::drain) inner_->receive(thrown_away, now);
        return false;
    }
    const auto [status, size] = read_record();
    switch (status) {
        case Session::Status::going_on:
            inner_->receive({buffers().plain.data(), size}, now);
            return true;
        case Session::Status::wants_input: return false;
        case Session::Status::ended:
            input_ended_ = true;
            input_ = {};
            inner_->receive_end(now);
            return false;
        case Session::Status::wants_room:
        case Session::Status::failed: break_off(now); return false;
    }
    return false;
}

/// A batch that is being sent can't grow. Messages of the session itself wait for the next batch.
Session::Read TlsConnection::read_record() {
    if (!batch_.is_sealed) {
        begin_batch();
        const auto read = session_->read(input_, buffers().plain, cipher_);
        batch_.unsent = cipher_.bytes();
        return read;
    }
    std::array<char, replies_bytes_max> room;
    Ciphertext replies{std::span{room}.first(replies_bytes_max - replies_.size())};
    const auto read = session_->read(input_, buffers().plain, replies);
    replies_.append(replies.bytes());
    return read;
}

void TlsConnection::encrypt(Now now) {
    while (http::sends(inner_->step()) && !batch_.is_sealed && !batch_.ends) {
        const http::Transmission what = inner_->transmit();
        const std::uint64_t left = what.part_bytes() + what.file.size - ahead_;
        begin_batch();
        if (left == 0) {
            if (what.ends) say_close();
            return;
        }
        if (batch_.count == batch_.records.size() ||
            cipher_.left() < record_plain_max + record_overhead_max)
            return;
        if (!encrypt_record(what, std::min<std::uint64_t>(left, record_plain_max), now)) return;
    }
    // The inner protocol may have reached its end after it had sent all data.
    if (inner_->step() != Step::drain || said_close_ || batch_.is_sealed) return;
    begin_batch();
    say_close();
}

bool TlsConnection::encrypt_record(const http::Transmission& what, std::size_t size, Now now) {
    const std::string_view plain = gather(what, size);
    if (plain.empty()) {  // the file ended early, so the promised bytes do not exist
        inner_->fail(Outcome::source_failed, now);
        return false;
    }
    if (!session_->write(plain, cipher_)) {
        break_off(now);
        return false;
    }
    batch_.unsent = cipher_.bytes();
    batch_.records[batch_.count++] = {static_cast<std::uint32_t>(cipher_.size()),
                                      static_cast<std::uint32_t>(plain.size())};
    ahead_ += plain.size();
    return true;
}

/// Returns the next `size` bytes that are not encrypted yet, or fewer. Small pieces share a record.
std::string_view TlsConnection::gather(const http::Transmission& what, std::size_t size) noexcept {
    std::uint64_t skip = ahead_;
    Ciphertext pieces{std::span{buffers().gather}.first(size)};
    for (const std::string_view part : what.parts) {
        const auto skipped = std::min<std::uint64_t>(skip, part.size());
        skip -= skipped;
        const std::string_view rest = part.substr(skipped);
        if (pieces.size() == 0 && rest.size() >= size) return rest.substr(0, size);
        pieces.append(rest);
    }
    const std::span<char> room = std::span{buffers().gather}.subspan(pieces.size(), pieces.left());
    const std::size_t read = room.empty() ? 0 : read_file(what.file, skip, room);
    return {buffers().gather.data(), pieces.size() + read};
}

// ---- borrowed memory and own memory ----

/// Begins a batch in the buffer that all connections of the thread share, if no byte waits to be
/// sent.
void TlsConnection::begin_batch() noexcept {
    if (!batch_.unsent.empty() || batch_.is_sealed) return;
    batch_ = {};
    cipher_ = Ciphertext{buffers().cipher};
    cipher_.append(replies_);
    batch_.unsent = cipher_.bytes();
    replies_ = {};
}

/// Throws std::bad_alloc if the budget of all connections is used up.
void TlsConnection::take_memory() {
    std::size_t bytes = kept_input_.capacity() + kept_output_.capacity() + replies_.capacity();
    if (session_) bytes += permit_ ? handshake_bytes : session_bytes;
    if (!share_.resize(bytes)) throw std::bad_alloc{};
}

void TlsConnection::keep_output() {
    if (batch_.unsent.empty() || !kept_output_.empty()) return;
    kept_output_ = batch_.unsent;
    batch_.unsent = kept_output_;
    batch_.is_sealed = true;
}

void TlsConnection::keep_input() {
    if (input_.empty()) {
        kept_input_ = {};
        return;
    }
    if (input_.data() >= kept_input_.data() &&
        input_.data() < kept_input_.data() + kept_input_.size())
        return;
    kept_input_.assign(input_);
    input_ = kept_input_;
}

}  // namespace weir::tls
