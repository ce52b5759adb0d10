#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/connection.h"
#include "weir/http/response.h"

namespace weir::tests::multiplex {

/// Frames on their way out. What transmit() named never moves: frames that come meanwhile go behind it,
/// into blocks of their own.
class Output {
   public:
    /// What is true of a stream once the bytes that it stands behind were sent.
    struct Mark {
        std::uint32_t stream;
        std::uint64_t content_bytes;
        bool is_last;
    };

    bool empty() const noexcept { return size_ == 0; }
    std::uint64_t size() const noexcept { return size_; }

    /// Copied.
    void append(std::string_view frames, std::optional<Mark> mark = {});
    /// Sent from where it lies, which `owner` keeps.
    void append(std::string_view head, std::string_view payload, std::shared_ptr<const void> owner,
                Mark mark);
    void append(std::string_view head, http::FileRange payload, std::shared_ptr<const void> owner,
                Mark mark);

    /// The same until sent(). `ends`: nothing comes after what is in it now.
    http::Transmission transmit(bool ends);
    /// What has become true.
    std::vector<Mark> sent(std::uint64_t size);

   private:
    struct Block {
        std::string own;
        std::size_t own_sent = 0;
        std::string_view borrowed;
        http::FileRange file;
        std::shared_ptr<const void> owner;
        std::vector<Mark> marks;

        std::string_view bytes() const {
            return borrowed.empty() ? std::string_view{own}.substr(own_sent) : borrowed;
        }
        std::uint64_t size() const { return bytes().size() + file.size; }
        void sent(std::uint64_t size);
    };

    Block& block_to_append_to();
    Block& add_block();

    std::deque<Block> blocks_;
    std::size_t blocks_named_ = 0;
    std::optional<http::Transmission> named_;
    std::uint64_t size_ = 0;
};

}  // namespace weir::tests::multiplex
