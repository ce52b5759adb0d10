#include "server/access_log.h"

#include <string>
#include <utility>

#include "server/access_line.h"

namespace weir::server {
namespace {

void describe(AccessEntry& entry, const http::Request& request) {
    entry.readable = true;
    entry.method = request.method_text();
    entry.target = request.target();
    entry.authority = request.authority();
    entry.minor_version = request.minor_version();
    entry.referer = request.field(http::FieldName::referer).value_or("");
    entry.user_agent = request.field(http::FieldName::user_agent).value_or("");
}

AccessEntry make_entry(const http::Answered& answered, std::string_view remote) {
    AccessEntry entry;
    entry.remote = remote;
    entry.unix_seconds = answered.now.unix_seconds;
    if (answered.request) describe(entry, *answered.request);
    entry.status = answered.status;
    entry.outcome = answered.outcome;
    entry.content_bytes = answered.content_bytes;
    entry.duration = answered.now.instant - answered.began;
    return entry;
}

}  // namespace

std::expected<std::unique_ptr<AccessLog>, std::error_code> AccessLog::open(
    const AccessLogOptions& options, Log& errors) {
    auto file = LogFile::open(options.path);
    if (!file) return std::unexpected{file.error()};
    return std::make_unique<AccessLog>(std::move(*file), options.format, errors);
}

AccessLog::AccessLog(LogFile file, AccessLogOptions::Format format, Log& errors)
    : format_{format},
      writer_{
          std::move(file),
          format == AccessLogOptions::Format::json ? append_json_dropped : append_combined_dropped,
          errors,
          {}} {}

void AccessLog::answered(const http::Answered& answered) noexcept {
    // One of each a thread: they keep their memory, so that a line costs no allocation.
    thread_local std::string remote;
    thread_local std::string line;
    remote.clear();
    line.clear();
    answered.origin.append_address(remote);
    const AccessEntry entry = make_entry(answered, remote);
    if (format_ == AccessLogOptions::Format::json) {
        append_json(line, entry);
    } else {
        append_combined(line, entry);
    }
    writer_.append(line);
}

}  // namespace weir::server
