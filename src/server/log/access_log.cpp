#include "server/log/access_log.h"

#include <atomic>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/bytes/random_hex.h"
#include "base/thread_local.h"
#include "base/troubles.h"
#include "net/clock.h"
#include "server/log/line/shown_line.h"

namespace weir::server {
namespace {

void describe(AccessEntry& entry, const http::Request& request) {
    entry.readable = true;
    entry.request = &request;
    entry.method = request.method_text();
    entry.target = request.target();
    entry.authority = request.authority();
    entry.major_version = request.major_version();
    entry.minor_version = request.minor_version();
    entry.referer = request.field(http::FieldName::referer).value_or("");
    entry.user_agent = request.field(http::FieldName::user_agent).value_or("");
}

AccessEntry make_entry(const http::Answered& answered, std::string_view remote,
                       std::uint32_t sample) {
    AccessEntry entry;
    entry.sample = sample;
    entry.remote = remote;
    entry.unix_seconds = answered.now.unix_seconds;
    entry.microseconds = answered.microseconds;
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

/// The ID that the client, or a server before this one, gave to the request, or else a new one.
std::string_view id_of(const http::Request& request, std::string& memory) {
    constexpr std::size_t id_bytes = 16;
    const auto given = request.field("x-request-id").value_or("");
    if (!given.empty()) return given;
    memory.clear();
    append_random_hex(memory, id_bytes);
    return memory;
}

constexpr std::atomic<bool> impatient{true};

LogEnvelope envelope_for(const AccessLogOptions& options) {
    return LogEnvelope{LogDestination::of(options.path).kind};
}

AccessLog::Format plain_format_of(AccessLogOptions::Format format) {
    using enum AccessLogOptions::Format;
    switch (format) {
        case combined: return {append_combined, append_combined_dropped};
        case json: return {append_json, append_json_dropped};
        case own: return {nullptr, append_own_dropped};
    }
    return {};
}

AccessLog::Format format_of(const AccessLogOptions& options) {
    auto format = plain_format_of(options.format);
    format.append_dropped = [envelope = envelope_for(options), plain = format.append_dropped](
                                std::string& out, std::uint64_t lines, std::int64_t unix_seconds) {
        envelope.open(out, Severity::warning, unix_seconds);
        plain(out, lines, unix_seconds);
        envelope.close(out);
    };
    return format;
}

/// `socket`: -1 if the process has none yet.
std::expected<LogTarget, std::error_code> open_target(const std::string& path, int socket) {
    const auto destination = LogDestination::of(path);
    if (!destination.is_socket()) return LogFile::open(path);
    if (socket >= 0) return LogSocket{destination, "access log " + path, socket};
    const auto own = LogSocket::open(destination);
    if (!own) return std::unexpected{own.error()};
    return LogSocket{destination, "access log " + path, own->get()};
}

/// For a process with a single connection, which has no thread for the log: it does this before it
/// reads a request.
void rotate_first(LogFile& file, LogRotation& rotation, Log& errors, LogAmongForks* forks) {
    const auto done = rotation.prepare(file, 0, net::read_clock().unix_seconds);
    LogRotation::release(file);
    if (rotation.is_news(!done.has_value()))
        errors.write(Severity::error, file.name() + LogRotation::complaint(done.error()));
    if (done.value_or(false) && forks) forks->open_again();
}

class Silent final : public Log {
   public:
    void write(Severity, std::string_view) noexcept override {}
};

}  // namespace

std::expected<std::unique_ptr<AccessLog>, std::error_code> AccessLog::open(
    const AccessLogOptions& options, Log& errors, Written written, LogAmongForks* forks,
    int socket) {
    const auto seen = forks ? forks->openings() : 0;
    const bool has_own = options.format == AccessLogOptions::Format::own;
    auto own = LogFormat::parse(options.own_format);
    if (has_own && !own) return std::unexpected{std::make_error_code(std::errc::invalid_argument)};
    auto target = open_target(options.path, socket);
    if (!target) return std::unexpected{target.error()};
    LogRotation rotation{options, forks};
    if (written == Written::at_once && rotation.is_on())
        rotate_first(*target->file(), rotation, errors, forks);
    auto log = std::make_unique<AccessLog>(std::move(*target), format_of(options),
                                           LogWriter::Options{.rotation = std::move(rotation)},
                                           errors, written, options, forks);
    log->has_ids_ =
        has_own ? own->has("request_id") : options.format == AccessLogOptions::Format::json;
    if (has_own) log->own_format(std::move(*own));
    log->user(options.user);
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

AccessLog::AccessLog(LogTarget target, Format format, LogWriter::Options options, Log& errors,
                     Written written, const AccessLogOptions& choice, LogAmongForks* forks)
    : envelope_{envelope_for(choice)},
      format_{std::move(format)},
      choice_{choice, forks},
      losses_are_a_trouble_{options.losses_are_a_trouble},
      forks_{forks} {
    if (written == Written::at_once) {
        target.wait_for_nobody();
        target_.emplace(std::move(target));
    } else {
        writer_.emplace(std::move(target), format_.append_dropped, errors, std::move(options));
    }
}

void AccessLog::answered(const http::Answered& answered) noexcept try {
    const auto weight = choice_.weight_of(answered);
    if (weight == 0) return;
    // Each thread keeps the texts, so a line needs no allocation.
    struct Texts {
        std::string remote, line, id;
    };
    Texts* const texts = ThreadLocal<Texts>::get();
    if (!texts) throw std::bad_alloc{};
    texts->remote.clear();
    texts->line.clear();
    const http::Origin& origin = answered.request ? answered.request->origin() : answered.origin;
    origin.append_address(texts->remote);
    AccessEntry entry = make_entry(answered, texts->remote, weight);
    if (has_ids_ && answered.request) entry.request_id = id_of(*answered.request, texts->id);
    std::string user;
    if (user_ && answered.request) entry.user = user = user_(*answered.request);
    append(texts->line, entry);
    if (writer_)
        writer_->append(texts->line);
    else
        write_at_once(texts->line);
} catch (const std::exception&) {  // no memory, or no random numbers
    troubles().note(Trouble::log_lines);
}

void AccessLog::append(std::string& line, const AccessEntry& entry) const {
    envelope_.open(line, entry);
    if (own_format_)
        own_format_->append(line, entry);
    else
        format_.append(line, entry);
    envelope_.close(line);
}

void AccessLog::write_at_once(std::string& line) {
    if (forks_ && openings_seen_ != forks_->openings()) [[unlikely]] {
        openings_seen_ = forks_->openings();
        static_cast<void>(target_->reopen());
    }
    if (target_->write(line, impatient).size == line.size()) return tell_dropped(line);
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
    if (target_->write(line, impatient).size < line.size()) forks_->give_back_dropped(dropped);
}

}  // namespace weir::server
