#include "rules/maintenance.h"

#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

#include "access/password/small_file.h"
#include "access/request/client.h"
#include "net/clock.h"
#include "weir/rules/maintenance.h"

namespace weir::rules {
namespace {

constexpr std::size_t page_bytes_max = std::size_t{1} << 20U;
constexpr std::string_view retry_after_seconds = "300";
constexpr std::chrono::seconds look_pause{1};

std::string_view media_type_of(std::string_view file) noexcept {
    if (file.ends_with(".txt")) return "text/plain; charset=utf-8";
    if (file.ends_with(".json")) return "application/json";
    return "text/html; charset=utf-8";
}

bool is_missing(const std::error_code& error) noexcept {
    return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

}  // namespace

http::Reply Maintenance::handle(const http::Request& request) {
    if (is_time()) look();
    if (!is_on_.load(std::memory_order_relaxed)) return inner_.handle(request);
    if (access::any_contains(except_, access::Client::of(request))) return inner_.handle(request);
    return answer();
}

/// True for one of several threads that ask at once.
bool Maintenance::is_time() noexcept {
    const Instant now = clock_().instant;
    auto due = look_at_.load(std::memory_order_relaxed);
    return now.time_since_epoch().count() >= due &&
           look_at_.compare_exchange_strong(due, (now + look_pause).time_since_epoch().count());
}

void Maintenance::look() {
    auto content = access::read_small_file(file_, page_bytes_max);
    if (!content && access::is_passing(content.error())) return;
    // For a file that exists but cannot be read, the page is weir's own.
    const bool is_there = content || !is_missing(content.error());
    std::shared_ptr<const std::string> page;
    if (content && !content->empty())
        page = std::make_shared<const std::string>(std::move(*content));
    const std::scoped_lock lock{mutex_};
    page_ = std::move(page);
    is_on_ = is_there;
}

http::Response Maintenance::answer() const {
    std::shared_ptr<const std::string> page;
    {
        const std::scoped_lock lock{mutex_};
        page = page_;
    }
    http::Response response{http::Status::service_unavailable};
    if (page) {
        response.add("Content-Type", media_type_of(file_)).content_view(*page).retain(page);
    } else {
        response = http::error_response(http::Status::service_unavailable,
                                        "The site is under maintenance; please try again later");
    }
    response.add("Retry-After", retry_after_seconds).add("Cache-Control", "no-store");
    return response;
}

std::expected<std::unique_ptr<http::Handler>, std::string> close_for_maintenance(
    http::Handler& inner, std::string file, const std::vector<std::string>& except) {
    auto networks = access::parse_networks(except);
    if (!networks) return std::unexpected{std::move(networks.error())};
    return std::make_unique<Maintenance>(inner, std::move(file), std::move(*networks),
                                         net::read_clock);
}

}  // namespace weir::rules
