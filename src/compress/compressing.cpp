#include "compress/compressing.h"

#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "base/troubles.h"
#include "compress/answer/tags.h"
#include "compress/stream/compressed_source.h"
#include "http/answer/date.h"
#include "http/answer/entity_tags.h"
#include "http/hpack/response_head.h"
#include "http/syntax/get_or_head.h"
#include "weir/http/field_name.h"

namespace weir::compress {

using http::FieldName;
using http::Method;
using http::Request;
using http::Response;
using http::Status;

namespace {

/// Identifies a compressor in tables that outlive it.
std::uint64_t next_number() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

constexpr std::uint64_t size_unknown = std::numeric_limits<std::uint64_t>::max();

bool is_tunnel(const Response& response) {
    const auto* const source = std::get_if<std::unique_ptr<http::Source>>(&response.content());
    return source != nullptr && (*source)->tunnel() != nullptr;
}

/// True if the response's fields, above all its tag, describe the present content of the file.
/// After a write, the file counts as another one.
bool is_file_of_fields(const http::FileRange& file, const AnswerFields& fields) {
    const FileVersion version{file.fd};
    if (!version.is_settled() || file.offset != 0 || version.size() != file.size) return false;
    if (fields.last_modified.empty()) return true;
    return http::parse_date(fields.last_modified, version.modified()) == version.modified();
}

/// After a compressed response, a client sends the tag of the compressed content, which the handler
/// does not know.
void add_plain_tags(const Request& request) {
    for (std::size_t i = 0; i < request.fields().size(); ++i) {
        const http::FieldLine& line = request.fields()[i];
        if (line.id != FieldName::if_match) continue;
        if (const std::string value = with_plain_tags(request.value_of(line)); !value.empty())
            request.change(i, value);
    }
}

/// A part of the uncompressed content is what the client refuses. No server knows this unit, so
/// each must ignore it (RFC 9110 14.2).
void ignore_range(const Request& request) {
    for (std::size_t i = 0; i < request.fields().size(); ++i)
        if (request.fields()[i].id == FieldName::range) request.change(i, "none=0");
}

/// Replaces `response` by `made`.
void replace(Response& response, Response&& made) {
    if (response.closes()) made.close();
    response = std::move(made);
}

void replace(Response& response, std::shared_ptr<const ReadyAnswer>&& ready) {
    Response made{response.status()};
    made.prepared_fields(ready->fields, ready->block)
        .content_view(ready->body->bytes)
        .retain(std::move(ready));
    replace(response, std::move(made));
}

}  // namespace

/// One response to compress.
struct Compressing::Work {
    const Request& request;
    Response& response;
    const AnswerFields& fields;
    Choice choice;
    std::optional<std::uint64_t> size;
    std::string key{};  // in the cache; empty: not for the cache
};

Compressing::Compressing(Options options, std::vector<CodingInUse> codings, MediaTypeList types)
    : options_{std::move(options)},
      codings_{std::move(codings)},
      types_{std::move(types)},
      number_{next_number()},
      encoders_{std::make_shared<EncoderPool>(options_.stream_bytes_max)},
      cache_{std::make_shared<BodyCache>(options_.cache_bytes)} {}

std::expected<std::unique_ptr<Compressing>, std::string> Compressing::from(Options options) {
    auto codings = codings_from(options.codings, options.level);
    if (!codings) return std::unexpected{std::move(codings.error())};
    auto types = MediaTypeList::from(options.types);
    if (!types) return std::unexpected{std::move(types.error())};
    return std::make_unique<Compressing>(std::move(options), std::move(*codings),
                                         std::move(*types));
}

void Compressing::prepare(const Request& request) const {
    if (request.has(FieldName::if_match)) add_plain_tags(request);
    if (request.has(FieldName::range) && could_code(request)) ignore_range(request);
}

void Compressing::complete(const Request& request, Response& response) noexcept {
    try {
        if (!answer_from_front(request, response)) complete_by_fields(request, response);
    } catch (const std::exception&) {
        // There is no memory, or no descriptor for the waker. Nothing was changed yet.
        troubles().note(Trouble::memory);
        without_memory_.fetch_add(1, std::memory_order_relaxed);
    }
}

bool Compressing::could_code(const Request& request) const noexcept {
    const Choice choice = choose(request, codings_);
    return choice.refuses_identity && choice.coding != nullptr;
}

/// The fields contain the tag, so equal fields mean an equal content if tags are unique.
bool Compressing::answer_from_front(const Request& request, Response& response) const {
    if (!options_.tags_are_unique || response.status() != Status::ok ||
        !response.own_fields().empty() || !http::is_get_or_head(request.method()) ||
        request.has(FieldName::if_none_match) || request.has(FieldName::range) ||
        request.is_repeated(FieldName::accept_encoding))
        return false;
    const auto accepted = request.field(FieldName::accept_encoding);
    if (!accepted) return false;
    BodyThreadCache* const front = BodyThreadCache::of_this_thread();
    if (front == nullptr) return false;
    auto ready = front->find(number_, {request.target(), *accepted, response.prepared_fields()});
    if (!ready) return false;
    replace(response, std::move(ready));
    return true;
}

void Compressing::complete_by_fields(const Request& request, Response& response) {
    if (request.method() == Method::connect || is_tunnel(response)) return;
    const Status status = response.status();
    const AnswerFields fields = fields_of(response);
    // The 200 that the client has may have had Vary; a needless Vary does no harm.
    if (status == Status::not_modified) return add_vary(response, fields);
    if (!http::may_have_content(status)) return;
    if (!can_be_coded(response, fields)) return;
    const Choice choice = choose(request, codings_);
    const bool is_coded = choice.coding != nullptr && status != Status::partial_content &&
                          (choice.refuses_identity ||
                           (!request.has(FieldName::range) && is_worthwhile(response, fields)));
    if (!is_coded) return add_vary(response, fields);
    Work work{.request = request,
              .response = response,
              .fields = fields,
              .choice = choice,
              .size = size_of(response.content())};
    code(work);
}

/// True if some client gets it compressed.
bool Compressing::can_be_coded(const Response& response, const AnswerFields& fields) const {
    return !fields.has_coding && !fields.no_transform && size_of(response.content()) != 0 &&
           (!fields.sets_cookie || options_.with_cookies);
}

/// If the client refuses uncompressed content, type and size do not matter.
bool Compressing::is_worthwhile(const Response& response, const AnswerFields& fields) const {
    return size_of(response.content()).value_or(size_unknown) >= options_.size_min &&
           types_.has(fields.content_type);
}

void Compressing::code(Work& work) {
    if (answer_not_modified(work)) return;
    if (is_cacheable(work)) work.key = key_of(work);
    if (!work.key.empty() && answer_from_cache(work)) return;
    const CodingInUse& coding = *work.choice.coding;
    const auto bytes = bytes_of(work.response.content());
    const bool is_quick = bytes && bytes->size() <= coding.quick_whole_bytes;
    auto lease = encoders_->lease(coding, is_quick ? coding.for_wholes : coding.for_streams,
                                  EncodingTask::own_bytes);
    if (!lease) {
        without_memory_.fetch_add(1, std::memory_order_relaxed);
        return add_vary(work.response, work.fields);
    }
    compressed_.fetch_add(1, std::memory_order_relaxed);
    if (is_quick)
        compress_whole(work, *bytes, std::move(*lease));
    else
        stream(work, std::move(*lease));
}

/// The handler does not know the tag of the compressed content, so it responds with a 200 where a
/// 304 is right.
bool Compressing::answer_not_modified(Work& work) const {
    if (!http::is_get_or_head(work.request.method()) || work.response.status() != Status::ok ||
        work.fields.entity_tag.empty() || !work.request.has(FieldName::if_none_match))
        return false;
    std::string tag = coded_tag(work.fields.entity_tag, work.choice.coding->token);
    if (tag.starts_with("W/")) tag.erase(0, 2);  // the comparison is weak in any case
    bool matches = false;
    work.request.each(FieldName::if_none_match, [&](std::string_view line) {
        matches = matches || http::line_matches(line, tag, http::Comparison::weak);
    });
    if (!matches) return false;
    auto lines = std::make_shared<const std::string>(
        coded_fields(work.response, work.fields, work.choice.coding->token, Shape::not_modified));
    Response made{Status::not_modified};
    made.prepared_fields(*lines).retain(std::move(lines));
    replace(work.response, std::move(made));
    return true;
}

bool Compressing::is_cacheable(const Work& work) const {
    if (!cache_->takes_any() || !http::is_get_or_head(work.request.method()) ||
        work.response.status() != Status::ok || !work.fields.has_strong_tag() ||
        work.fields.is_private || work.fields.sets_cookie || !work.size)
        return false;
    const auto* const file = std::get_if<http::FileRange>(&work.response.content());
    if (file != nullptr && !is_file_of_fields(*file, work.fields)) return false;
    const bool has_credentials =
        work.request.has(FieldName::authorization) || work.request.has(FieldName::cookie);
    return options_.tags_are_unique || !has_credentials || work.fields.is_public;
}

std::string Compressing::key_of(const Work& work) const {
    std::string key{work.choice.coding->token};
    key.append(" ").append(work.fields.entity_tag).append(" ");
    if (!options_.tags_are_unique) key.append(work.request.authority()).append(" ");
    key.append(work.request.prefix()).append(work.request.path());
    if (!options_.tags_are_unique) key.append("?").append(work.request.query());
    return key;
}

bool Compressing::answer_from_cache(Work& work) {
    auto body = cache_->find(work.key);
    // A content that compression did not make smaller is cached without bytes, unless its first
    // client refused uncompressed content.
    if (!body || (work.choice.refuses_identity && body->bytes.empty())) return false;
    send_better(work, std::move(body));
    return true;
}

/// Sends the compressed content; or the original one, if that is not longer and the client accepts
/// it.
void Compressing::send_better(Work& work, std::shared_ptr<const Body> body) const {
    if (body->is_smaller || work.choice.refuses_identity)
        send(work, std::move(body));
    else
        add_vary(work.response, work.fields);
}

void Compressing::compress_whole(Work& work, std::string_view content, EncoderPool::Lease lease) {
    auto bytes = lease.encoder().whole(content);
    if (!bytes) throw std::bad_alloc{};
    auto body = std::make_shared<Body>();
    body->is_smaller = bytes->size() < content.size();
    if (body->is_smaller || work.choice.refuses_identity) body->bytes = std::move(*bytes);
    if (!body->is_smaller) not_smaller_.fetch_add(1, std::memory_order_relaxed);
    if (!work.key.empty()) cache_->insert(work.key, body);
    send_better(work, std::move(body));
}

void Compressing::stream(Work& work, EncoderPool::Lease lease) {
    auto lines = std::make_shared<const std::string>(
        coded_fields(work.response, work.fields, work.choice.coding->token, Shape::with_content));
    std::optional<Collecting> collecting;
    if (!work.key.empty())
        collecting.emplace(cache_, std::move(work.key), *work.size, lease.share());
    Response made{work.response.status()};
    auto task = std::make_shared<EncodingTask>(std::move(lease), work.request.waker(),
                                               std::move(collecting));
    // make_unique is the last step that may fail, so the content moves only when the source exists.
    auto source = std::make_unique<CompressedSource>(std::move(task), helpers_);
    source->read(std::move(work.response.content()), std::move(work.response.owner()));
    made.prepared_fields(*lines).content(std::move(source)).retain(std::move(lines));
    made.date(work.response.date());
    replace(work.response, std::move(made));
}

void Compressing::send(Work& work, std::shared_ptr<const Body> body) const {
    const Request& request = work.request;
    auto ready = std::make_shared<ReadyAnswer>();
    ready->fields =
        coded_fields(work.response, work.fields, work.choice.coding->token, Shape::with_content);
    ready->body = std::move(body);
    const bool is_for_front = options_.tags_are_unique && !work.key.empty() &&
                              ready->body->bytes.size() <= BodyThreadCache::body_bytes_max &&
                              work.response.own_fields().empty() &&
                              !request.is_repeated(FieldName::accept_encoding);
    if (BodyThreadCache* const front = is_for_front ? BodyThreadCache::of_this_thread() : nullptr) {
        ready->target = request.target();
        ready->accepted = request.field(FieldName::accept_encoding).value_or("");
        ready->inner_fields = work.response.prepared_fields();
        ready->block = http::http2::field_block(ready->fields);
        front->put(number_, ready);
    }
    replace(work.response, std::move(ready));
}

Counts Compressing::counts() const {
    const auto usage = cache_->usage();
    return {.compressed = compressed_.load(std::memory_order_relaxed),
            .not_smaller = not_smaller_.load(std::memory_order_relaxed),
            .without_memory = without_memory_.load(std::memory_order_relaxed),
            .evicted = usage.evicted,
            .cached = usage.entries,
            .cached_bytes = usage.bytes,
            .stream_bytes = encoders_->bytes()};
}

}  // namespace weir::compress
