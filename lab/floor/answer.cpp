#include "answer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <string>

#include "run.h"

namespace lab {
namespace {

constexpr std::size_t copies_max = 64;
constexpr std::size_t memory_max = 1 << 20;  // of several copies; a single one may be larger

/// Now, as servers say it; it stays what it was when the program began.
std::string date() {
    const std::time_t now = std::time(nullptr);
    std::array<char, 40> text{};
    std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", std::gmtime(&now));
    return text.data();
}

std::string head(std::size_t body_bytes, std::string_view connection) {
    return "HTTP/1.1 200 OK\r\nDate: " + date() + "\r\nLast-Modified: " + date() +
           "\r\nAccept-Ranges: bytes\r\nETag: \"400-1c7a740f88e9194e\"\r\n"
           "Content-Type: application/octet-stream\r\nX-Content-Type-Options: nosniff\r\n"
           "Content-Length: " +
           std::to_string(body_bytes) + "\r\n" + std::string{connection} + "\r\n";
}

/// Without a name, in the file system that the lab's site is in. One write(2) lets the kernel keep it
/// in pages as large as a site's files have, which costs sendfile(2) less than small ones.
int file_of(const std::string& content) {
    const int fd = checked(::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600), "O_TMPFILE");
    for (std::size_t at = 0; at < content.size();) {
        const ssize_t written = ::write(fd, content.data() + at, content.size() - at);
        checked(static_cast<int>(std::min<ssize_t>(written, 1)), "write");
        at += static_cast<std::size_t>(written);
    }
    return fd;
}

}  // namespace

Answer::Answer(std::size_t body_bytes, std::string_view connection) {
    const std::string text = head(body_bytes, connection) + std::string(body_bytes, 'x');
    size_ = text.size();
    copies_ = std::clamp<std::size_t>(memory_max / size_, 1, copies_max);
    std::string every;
    for (std::size_t i = 0; i < copies_; ++i) every += text;
    fd_ = file_of(every);
    void* const memory = ::mmap(nullptr, every.size(), PROT_READ, MAP_SHARED, fd_, 0);
    checked(memory == MAP_FAILED ? -1 : 0, "mmap");
    memory_ = static_cast<const char*>(memory);
}

std::string_view Answer::next(std::size_t owed) const noexcept {
    // All copies are the same: what is owed ends where one of them ends.
    const std::size_t offset = (size_ - owed % size_) % size_;
    return {memory_ + offset, std::min(owed, size_ * copies_ - offset)};
}

Answers::Answers(std::size_t body_bytes, std::size_t sendfile_from)
    : plain_{body_bytes, ""},
      keep_alive_{body_bytes, "Connection: keep-alive\r\n"},
      close_{body_bytes, "Connection: close\r\n"},
      sendfile_from_{sendfile_from} {}

void Answers::owe(Peer& peer, std::string_view received) const noexcept {
    std::size_t heads = 0;
    bool is_old = false, is_kept = false;
    const char *line = received.data(), *const end = line + received.size();
    // A head ends with an empty line; the line before it may have come earlier.
    std::array<char, 2> before = peer.before;
    while (const auto* const line_feed =
               static_cast<const char*>(std::memchr(line, '\n', end - line))) {
        const std::string_view text{line, line_feed};
        const bool is_empty =
            text == "\r" ? before[1] == '\n' : text.empty() && before == std::array{'\n', '\r'};
        if (is_empty) ++heads;
        // How a line ends is enough: no name or address that a client sends ends like these.
        is_old |= heads == 0 && text.ends_with("HTTP/1.0\r");
        is_kept |= text.ends_with("live\r");       // Connection: Keep-Alive
        peer.closing |= text.ends_with("lose\r");  // Connection: close
        before = {'\r', '\n'};
        line = line_feed + 1;
    }
    if (received.size() >= 2)
        peer.before = {end[-2], end[-1]};
    else if (received.size() == 1)
        peer.before = {peer.before[1], end[-1]};
    if (heads == 0) return;
    peer.closing |= is_old && !is_kept;
    if (!peer.answer) peer.answer = peer.closing ? &close_ : is_old ? &keep_alive_ : &plain_;
    peer.owed += heads * peer.answer->size();
}

}  // namespace lab
