#include "server/access_log.h"

#include <atomic>
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
    const AccessLogOptions& options, Log& errors, Written written) {
    auto file = LogFile::open(options.path);
    if (!file) return std::unexpected{file.error()};
    return std::make_unique<AccessLog>(std::move(*file), options.format, errors, written);
}

AccessLog::AccessLog(LogFile file, AccessLogOptions::Format format, Log& errors, Written written)
    : format_{format}, errors_{errors} {
    const bool json = format == AccessLogOptions::Format::json;
    if (written == Written::at_once)
        file_.emplace(std::move(file));
    else
        writer_.emplace(std::move(file), json ? append_json_dropped : append_combined_dropped,
                        errors, LogWriter::Options{});
}

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
    if (writer_)
        writer_->append(line);
    else
        write_at_once(line);
}

void AccessLog::write_at_once(std::string_view line) noexcept {
    // As at a stop: a reader that takes nothing is given up on after a while.
    static constinit const std::atomic<bool> impatient{true};
    const auto written = file_->write(line, impatient);
    if (written.size < line.size() && written.error)
        errors_.write(Severity::error, "access log " + file_->path() + ": " +
                                           written.error.message() + "; a line is lost");
}

}  // namespace weir::server
