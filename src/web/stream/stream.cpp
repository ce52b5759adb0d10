#include "weir/web/stream.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "web/calling/conversation.h"
#include "web/routing/route.h"
#include "web/stream/outflow.h"
#include "weir/web/events.h"

namespace weir::web {
namespace detail {
namespace {

/// Gives the pieces of a producer to the connection.
class StreamSource final : public http::Source {
   public:
    StreamSource(http::Waker waker, AbandonedJobs* jobs, std::shared_ptr<Producer> producer,
                 std::optional<std::uint64_t> size, const EventOptions* events)
        : producer_{std::move(producer)},
          outflow_{std::make_shared<Outflow>(std::move(waker),
                                             events != nullptr ? events->queue_bytes_max : 0)},
          runner_{outflow_->waker(), jobs},
          size_{size},
          are_events_{events != nullptr},
          heartbeat_{events != nullptr ? events->heartbeat : std::chrono::milliseconds{0}} {}
    ~StreamSource() override { finish(false); }

    Pulled pull(std::span<char> into) override {
        if (are_events_ && outflow_->is_retired()) end_early();
        if (std::exchange(asked_to_send_, false)) outflow_->note_sent();
        run();
        if (const std::size_t size = outflow_->take(into)) return given(size);
        if (outflow_->has_taken()) {  // their writers go on once the kernel has the bytes
            asked_to_send_ = true;
            due_ = Instant::min();
            return NotReady{};
        }
        if (outflow_->is_complete()) return end();
        if (outflow_->has_failed()) return Failed{};
        return wait(into);
    }
    std::optional<std::uint64_t> size() const override { return size_; }
    Instant due() const noexcept override { return due_; }
    void retire() noexcept override { outflow_->note_retired(); }
    bool ends_with_peer() const noexcept override { return true; }
    void done(http::Outcome outcome) noexcept override { finish(outcome == http::Outcome::sent); }

   private:
    void run() {
        if (!has_started_) start();
        runner_.run();
        if (!runner_.is_done()) return;
        frame_.promise().take();  // rethrows
        outflow_->end();
    }
    void start() {
        has_started_ = true;
        if (heartbeat_.count() != 0) quiet_since_ = runner_.now();
        auto task = producer_->start(outflow_);
        if (!task) return;
        outflow_->belong_to_coroutine();
        frame_ = task->release();
        runner_.adopt(frame_);
    }
    /// Events never end by themselves, and a browser connects again. A second call does nothing.
    void end_early() noexcept {
        has_started_ = true;
        if (runner_.awaited() != nullptr) runner_.awaited()->end();
        runner_.end(producer_);
        outflow_->end();
    }
    Pulled given(std::size_t size) {
        if (heartbeat_.count() != 0) quiet_since_ = runner_.now();
        given_ += size;
        if (size_ && given_ >= *size_) note_last();
        return Ready{size};
    }
    /// The connection does not ask for more. The writer learns that all is taken, and goes on.
    void note_last() {
        outflow_->note_sent();
        run();
        if (given_ > *size_ || outflow_->has_pieces())
            throw std::length_error{"a stream has written more bytes than its size"};
    }
    Pulled end() const {
        if (size_) throw std::length_error{"a stream has written fewer bytes than its size"};
        return End{};
    }
    /// Waits for the producer, or for the next heartbeat.
    Pulled wait(std::span<char> into) {
        constexpr std::string_view beat = ":\n\n";
        due_ = runner_.due();
        if (heartbeat_.count() == 0) return NotReady{};
        if (runner_.now() < quiet_since_ + heartbeat_) {
            due_ = std::min(due_, quiet_since_ + heartbeat_);
            return NotReady{};
        }
        std::memcpy(into.data(), beat.data(), beat.size());
        return given(beat.size());
    }
    void finish(bool was_sent) noexcept {
        if (std::exchange(is_finished_, true)) return;
        outflow_->close(was_sent);
        runner_.end(producer_);
    }

    std::shared_ptr<Producer> producer_;
    std::shared_ptr<Outflow> outflow_;
    Runner runner_;
    std::coroutine_handle<Promise<void>> frame_{};
    std::optional<std::uint64_t> size_;  // of the content
    std::uint64_t given_ = 0;            // bytes of it
    bool are_events_;
    std::chrono::milliseconds heartbeat_;  // 0: none
    Instant quiet_since_{};
    Instant due_ = never;
    bool has_started_ = false;
    bool asked_to_send_ = false;
    bool is_finished_ = false;
};

}  // namespace

bool StreamStop::begin(Runner&) const noexcept { return !outflow_.is_retired(); }
bool StreamStop::is_ready(Instant) noexcept { return outflow_.is_retired(); }

bool Write::begin(Runner&) {
    if (bytes().empty()) return false;
    outflow_.put(bytes(), *this);
    return true;
}

bool Write::end() noexcept {
    outflow_.withdraw(*this);
    return true;
}

Response stream_of(const Call& call, std::string_view media_type,
                   std::unique_ptr<Producer> producer, const StreamOptions& options,
                   const EventOptions* events) {
    const auto& conversation = call.conversation();
    auto waker = conversation ? conversation->waker() : call.request().waker();
    Response response{options.status};
    response.add("Content-Type", media_type)
        .content(std::make_unique<StreamSource>(std::move(waker), &call.state().route->common->jobs,
                                                std::move(producer), options.size, events));
    return response;
}

}  // namespace detail

Stream::Stream(std::shared_ptr<detail::Outflow> outflow) noexcept : outflow_{std::move(outflow)} {}
Stream::Stream(Stream&&) noexcept = default;
Stream::~Stream() {
    if (outflow_) outflow_->abandon();
}

void Stream::put(std::string data, std::unique_ptr<detail::Done> done) {
    outflow_->put(std::move(data), std::move(done));
}
void Stream::end() noexcept { outflow_->end(); }
std::stop_token Stream::stopping_token() const { return outflow_->stopping_token(); }
std::stop_token Stream::stop_token() const noexcept { return outflow_->stop_token(); }

}  // namespace weir::web
