#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "base/thread_local.h"
#include "http/observer.h"
#include "server/metrics/counts.h"
#include "weir/http/request.h"

namespace weir::server {

/// Counts the requests of a process.
class Recorder final : public http::Observer {
   public:
    explicit Recorder(GenerationCounts counts) noexcept : counts_{std::move(counts)} {}
    /// A process for one connection ends without the destructors of its threads.
    ~Recorder() {
        if (OwnSlot* const of_thread = ThreadLocal<OwnSlot>::get()) of_thread->release();
    }
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    void answered(const http::Answered& answered) noexcept override {
        Series series{.status = static_cast<std::uint16_t>(answered.status)};
        if (answered.request) {
            series.method = answered.request->method();
            series.version = static_cast<std::uint8_t>(answered.request->major_version());
        }
        const ThreadCounts counts{counts_};
        counts.answered(series, answered.now.instant - answered.began, answered.content_bytes);
        if (answered.request) counts.ended();
    }
    bool counts_active() const noexcept override { return true; }
    void begun(std::uint32_t requests) noexcept override { ThreadCounts{counts_}.begun(requests); }
    void dropped() noexcept override { ThreadCounts{counts_}.ended(); }

   private:
    const GenerationCounts counts_;
};

}  // namespace weir::server
