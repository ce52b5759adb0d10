#pragma once

#include <cstdint>

#include "http/http2/session.h"

namespace weir::http::http2 {

/// Renders the frames of the streams in turn, as far as windows and bounds allow.
class Sender {
   public:
    explicit Sender(Session& session) noexcept : session_{session} {}

    void fill_output();

   private:
    bool can_go(const Stream& stream) const noexcept;
    void send_some(Stream& stream);
    void send_head(Stream& stream);
    bool send_content(Stream& stream);
    bool send_data(Stream& stream);
    void await_source(Stream& stream);
    void write_data(Stream& stream, std::uint32_t size, bool is_last);
    void end_content(Stream& stream);
    void finish_answer(Stream& stream);

    /// The largest frame of a file, if the peer takes it: other streams have their turn behind it.
    static constexpr std::uint32_t file_frame_bytes_max = 256 * 1024;

    Session& session_;
};

}  // namespace weir::http::http2
