#include "weir/web/multipart.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "web/content/multipart_parser.h"
#include "weir/http/field_name.h"

namespace weir::web {
namespace {

using Result = detail::MultipartParser::Result;

[[noreturn]] void fail(const std::string& path) {
    throw std::system_error{errno, std::generic_category(), path};
}

/// A new file, which is removed unless is_kept_ is set.
class NewFile {
   public:
    explicit NewFile(std::string path) : path_{std::move(path)} {}
    ~NewFile() {
        if (fd_ < 0) return;
        ::close(fd_);
        if (!is_kept_) ::unlink(path_.c_str());
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void create() {
        constexpr mode_t for_the_owner = 0600;
        fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, for_the_owner);
        if (fd_ < 0) fail(path_);
    }
    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail(path_);
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    void keep() noexcept { is_kept_ = true; }

   private:
    std::string path_;
    int fd_ = -1;
    bool is_kept_ = false;
};

}  // namespace

Multipart::Multipart(Call& call, MultipartLimits limits)
    : parser_{std::make_unique<detail::MultipartParser>(
          call.request().field(http::FieldName::content_type).value_or(""), limits)},
      body_{call.body()} {}
Multipart::~Multipart() = default;

Task<std::optional<Part>> Multipart::next() {
    for (;;) {
        const Result result = parser_->step();
        if (result == Result::part) co_return parser_->take_part();
        if (result == Result::data || result == Result::part_end) continue;
        const auto bytes = co_await body_.next();
        if (bytes) {
            parser_->feed(*bytes);
            continue;
        }
        parser_->check_end();
        co_return std::nullopt;
    }
}

Task<std::optional<std::string_view>> Multipart::piece() {
    while (parser_->is_in_part()) {
        const Result result = parser_->step();
        if (result == Result::data) co_return parser_->data();
        if (result != Result::more) break;
        const auto bytes = co_await body_.next();
        if (!bytes) parser_->check_end();
        parser_->feed(bytes.value_or(std::string_view{}));
    }
    co_return std::nullopt;
}

Task<std::string> Multipart::text(std::size_t bytes_max) {
    std::string all;
    while (const auto bytes = co_await piece()) {
        if (bytes->size() > bytes_max - all.size())
            throw Refusal{Status::content_too_large, "A field of the form is too long"};
        all.append(*bytes);
    }
    co_return all;
}

Task<std::uint64_t> Multipart::save(Workers& workers, std::string path) {
    NewFile file{std::move(path)};
    co_await offload(workers, [&file] { file.create(); });
    std::uint64_t size = 0;
    while (const auto bytes = co_await piece()) {
        co_await offload(workers, [&file, bytes] { file.write(*bytes); });
        size += bytes->size();
    }
    file.keep();
    co_return size;
}

}  // namespace weir::web
