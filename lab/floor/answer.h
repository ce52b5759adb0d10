#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace lab {

/// One answer, written many times over into one piece of memory, so that all that is owed to a peer
/// leaves in one call however many requests came together.
class Answer {
   public:
    /// The head has the fields that weir's has, and `connection` ("Connection: close\r\n" or none).
    Answer(std::size_t body_bytes, std::string_view connection);

    std::size_t size() const noexcept { return size_; }
    /// What comes next where `owed` bytes are, as much as lies in one piece.
    std::string_view next(std::size_t owed) const noexcept;
    /// For sendfile(2): a file that holds the same bytes as the memory does.
    int fd() const noexcept { return fd_; }
    std::size_t offset_of(std::string_view next) const noexcept { return next.data() - memory_; }

   private:
    int fd_ = -1;
    const char* memory_ = nullptr;
    std::size_t size_ = 0;
    std::size_t copies_ = 1;
};

/// A connection, as far as a floor knows it.
struct Peer {
    const Answer* answer = nullptr;  // chosen when the first request is complete
    std::size_t owed = 0;            // bytes of it, and of more of the same, not yet sent
    bool closing = false;            // once nothing is owed any more
    std::array<char, 2> before{};    // the last bytes received, where a head may go on
};

/// The answers that there are, and which one is due. This is all that a floor reads of HTTP: where a
/// head ends, and whether the connection ends after it. Requests have no content.
class Answers {
   public:
    /// A floor that can use sendfile(2) does so where it owes at least `sendfile_from` bytes.
    Answers(std::size_t body_bytes, std::size_t sendfile_from);

    std::size_t sendfile_from() const noexcept { return sendfile_from_; }

    /// Adds an answer to what is owed for each head that ends in `received`.
    void owe(Peer& peer, std::string_view received) const noexcept;

   private:
    Answer plain_;
    Answer keep_alive_;  // for HTTP/1.0, which wants to be told
    Answer close_;
    std::size_t sendfile_from_;
};

}  // namespace lab
