#include "server/log/access_log.h"

#include <atomic>
#include <new>
#include <string>
#include <utility>

#include "base/thread_local.h"
#include "base/troubles.h"
#include "net/clock.h"
#include "server/log/line/shown_line.h"

namespace weir::server {
namespace {

void describe(AccessEntry& entry, const http::Request& request) {
    entry.readable = true;
    entry.method = request.method_text();
    entry.target = request.target();
    entry.authority = request.authority();
    entry.major_version = request.major_version();
    entry.minor_version = request.minor_version();
    entry.referer = request.field(http::FieldName::referer).value_or("");
    entry.user_agent = request.field(http::FieldName::user_agent).value_or("");
}

AccessEntry make_entry(const http::Answered& answered, std::string_view remote) {
    AccessEntry entry;
    entry.remote = remote;
    entry.unix_seconds = answered.now.unix_seconds;
    if (answered.request) describe(entry, *answered.request);
    if (const auto security = answered.origin.security()) {
        entry.tls = security->version;
        entry.client_subject = security->client_subject;
        entry.client_fingerprint = security->client_fingerprint;
    }
    entry.status = answered.status;
    entry.outcome = answered.outcome;
    entry.content_bytes = answered.content_bytes;
    entry.duration = answered.now.instant - answered.began;
    return entry;
}

constexpr std::atomic<bool> impatient{true};

class Silent final : public Log {
   public:
    void write(Severity, std::string_view) noexcept override {}
};

}  // namespace

std::expected<std::unique_ptr<AccessLog>, std::error_code> AccessLog::open(
    const AccessLogOptions& options, Log& errors, Written written, LogAmongForks* forks) {
    const auto seen = forks ? forks->openings() : 0;
    auto file = LogFile::open(options.path);
    if (!file) return std::unexpected{file.error()};
    const Format format = options.format == AccessLogOptions::Format::json
                              ? Format{append_json, append_json_dropped}
                              : Format{append_combined, append_combined_dropped};
    auto log = std::make_unique<AccessLog>(std::move(*file), format, LogWriter::Options{}, errors,
                                           written);
    log->user(options.user);
    log->forks_ = forks;
    log->openings_seen_ = seen;
    return log;
}

std::unique_ptr<AccessLog> AccessLog::show(RequestLines lines, Written written) {
    static Silent silent;
    auto file = LogFile::standard_output();
    const auto append = lines == RequestLines::coloured ? append_shown_in_colour : append_shown;
    const LogWriter::Options options{.waiting_bytes_max = std::size_t{256} << 10u,
                                     .gather = std::chrono::milliseconds{20},
                                     .losses_are_a_trouble = false};
    return std::make_unique<AccessLog>(std::move(file), Format{append, append_shown_dropped},
                                       options, silent, written);
}

AccessLog::AccessLog(LogFile file, Format format, LogWriter::Options options, Log& errors,
                     Written written)
    : format_{format}, losses_are_a_trouble_{options.losses_are_a_trouble} {
    if (written == Written::at_once) {
        file.wait_for_nobody();
        file_.emplace(std::move(file));
    } else {
        writer_.emplace(std::move(file), format.append_dropped, errors, options);
    }
}

void AccessLog::answered(const http::Answered& answered) noexcept try {
    // Each thread keeps the texts, so a line needs no allocation.
    struct Texts {
        std::string remote, line;
    };
    Texts* const texts = ThreadLocal<Texts>::get();
    if (!texts) throw std::bad_alloc{};
    texts->remote.clear();
    texts->line.clear();
    const http::Origin& origin = answered.request ? answered.request->origin() : answered.origin;
    origin.append_address(texts->remote);
    AccessEntry entry = make_entry(answered, texts->remote);
    std::string user;
    if (user_ && answered.request) entry.user = user = user_(*answered.request);
    format_.append(texts->line, entry);
    if (writer_)
        writer_->append(texts->line);
    else
        write_at_once(texts->line);
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::log_lines);
}

void AccessLog::write_at_once(std::string& line) {
    if (forks_ && std::exchange(openings_seen_, forks_->openings()) != openings_seen_) [[unlikely]]
        static_cast<void>(file_->reopen());
    if (file_->write(line, impatient).size == line.size()) return tell_dropped(line);
    if (losses_are_a_trouble_) troubles().note(Trouble::log_lines);
    if (forks_) forks_->drop_line();
}

void AccessLog::tell_dropped(std::string& line) {
    const auto dropped = forks_ ? forks_->dropped() : 0;
    if (dropped == 0) [[likely]]
        return;
    line.clear();
    format_.append_dropped(line, dropped, net::read_clock().unix_seconds);
    if (!forks_->take_dropped(dropped)) return;  // another process reports them
    if (file_->write(line, impatient).size < line.size()) forks_->give_back_dropped(dropped);
}

}  // namespace weir::server
