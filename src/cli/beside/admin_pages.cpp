#include "cli/beside/admin_pages.h"

#include <string>
#include <string_view>
#include <utility>

#include "cli/beside/engine_drawings.h"
#include "cli/beside/live_page.h"
#include "cli/help/version_number.h"
#include "http/syntax/get_or_head.h"
#include "weir/http/response.h"

namespace weir::cli {
namespace {

using server::Metrics;

constexpr std::string_view plain = "text/plain; charset=utf-8";

http::Response page(std::string_view media_type, std::string content,
                    http::Status status = http::Status::ok) {
    http::Response response{status};
    response.set("Content-Type", media_type)
        .set("Cache-Control", "no-store")
        .content(std::move(content));
    return response;
}

http::Response metrics_page(const Metrics& metrics, const AcceptQueues& queues,
                            const http::Request& request) {
    const auto format = Metrics::format_for(request.field("Accept").value_or(std::string_view{}));
    auto response = page(Metrics::content_type(format), metrics.text(format, queues.length()));
    response.set("Vary", "Accept");
    return response;
}

/// Ready: a balancer may send requests.
http::Response ready_page(const Metrics& metrics) {
    const auto state = metrics.state();
    return page(
        plain, std::string{Metrics::name_of(state)} + '\n',
        state == Metrics::State::serving ? http::Status::ok : http::Status::service_unavailable);
}

/// [{"place":0,"requests":7,"active":1},...]
std::string threads_text(const Metrics& metrics) {
    std::string json = "[";
    for (const Metrics::Thread& each : metrics.threads()) {
        if (json.size() > 1) json += ',';
        (json += "{\"place\":") += std::to_string(each.place);
        (json += ",\"requests\":") += std::to_string(each.requests);
        ((json += ",\"active\":") += std::to_string(each.active)) += '}';
    }
    return json + ']';
}

/// No text in it needs an escape.
http::Response status_page(const Metrics& metrics, const AcceptQueues& queues) {
    const auto connections = metrics.connections();
    const auto requests = metrics.requests();
    std::string json = "{";
    const auto add = [&json](std::string_view name, const std::string& value) {
        if (!json.ends_with('{')) json += ',';
        (((json += '"') += name) += "\":") += value;
    };
    const auto quoted = [](std::string_view text) { return '"' + std::string{text} + '"'; };
    add("version", quoted(version_number));
    add("engine", quoted(metrics.engine()));
    add("state", quoted(Metrics::name_of(metrics.state())));
    add("uptime_seconds", std::to_string(metrics.uptime().count()));
    add("connections_opened", std::to_string(connections.opened));
    add("connections_open", std::to_string(connections.open));
    if (const auto waiting = queues.length()) add("connections_waiting", std::to_string(*waiting));
    add("requests_active", std::to_string(metrics.active_requests()));
    add("requests", std::to_string(requests.count));
    add("requests_refused", std::to_string(requests.refused));
    add("requests_failed", std::to_string(requests.failed));
    if (const unsigned workers = metrics.workers(); workers != 0) {
        add("workers", std::to_string(workers));
        add("threads", threads_text(metrics));
    }
    if (const auto queue = metrics.queue()) {
        add("queue_length", std::to_string(queue->length));
        add("queue_places", std::to_string(queue->places));
        add("workers_busy", std::to_string(queue->workers_busy));
    }
    if (const auto processes = metrics.processes()) add("processes", std::to_string(*processes));
    if (const auto delays = metrics.loop_delays(); delays.count != 0) {
        add("loop_delays", std::to_string(delays.count));
        add("loop_delays_us", std::to_string(delays.duration.count()));
    }
    add("content_bytes", std::to_string(requests.content_bytes));
    add("duration_us", std::to_string(requests.duration.count()));
    return page("application/json", json + "}\n");
}

/// The page asks for it again when the engine has changed.
http::Response drawing_page(std::string drawing) {
    if (drawing.empty()) return http::error_response(http::Status::not_found);
    return page("image/svg+xml", std::move(drawing));
}

/// A page that loads nothing from elsewhere. A page of this machine may have it in a frame: it
/// changes nothing.
http::Response live_page() {
    auto response = page("text/html; charset=utf-8", std::string{live_document});
    response.set("Content-Security-Policy",
                 "default-src 'none'; script-src 'self'; connect-src 'self'; "
                 "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
                 "frame-ancestors http://127.0.0.1:*");
    return response;
}

class Pages final : public http::Handler {
   public:
    Pages(const Metrics& metrics, const AcceptQueues& queues, std::string settings) noexcept
        : metrics_{metrics}, queues_{queues}, settings_{std::move(settings)} {}

    http::Reply handle(const http::Request& request) override {
        if (!http::is_get_or_head(request.method())) {
            auto refusal = http::error_response(http::Status::method_not_allowed);
            refusal.set("Allow", "GET, HEAD");
            return refusal;
        }
        const std::string_view path = request.path();
        if (path == "/metrics") return metrics_page(metrics_, queues_, request);
        if (path == "/livez") return page(plain, "alive\n");
        if (path == "/readyz") return ready_page(metrics_);
        if (path == "/status") return status_page(metrics_, queues_);
        if (path == "/config" && !settings_.empty()) return page(plain, settings_);
        if (path == "/") return live_page();
        if (path == "/engine.svg") return drawing_page(drawing_of(metrics_.engine()));
        if (path == "/live.js")
            return page("text/javascript; charset=utf-8", std::string{live_script});
        return http::error_response(http::Status::not_found);
    }

   private:
    const Metrics& metrics_;
    const AcceptQueues& queues_;
    const std::string settings_;
};

}  // namespace

std::unique_ptr<http::Handler> admin_pages(const Metrics& metrics, const AcceptQueues& queues,
                                           std::string settings) {
    return std::make_unique<Pages>(metrics, queues, std::move(settings));
}

}  // namespace weir::cli
