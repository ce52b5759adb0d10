#include "dav/methods/copying.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "dav/properties/kept.h"
#include "dav/request/locked.h"
#include "site/path/paths.h"
#include "upload/faults.h"

namespace weir::dav {
namespace {

using http::Response;
using http::Status;
using web::Refusal;

/// Bytes and files of one piece of work.
constexpr std::uint64_t piece_bytes = 64 * 1024 * 1024;
constexpr std::size_t piece_files = 64;

/// Returns the bytes that were copied; 0 at the end of the file. The kernel copies, or shares the
/// blocks; not every two files can be copied that way.
std::uint64_t copy_some(int from, upload::NewFile& to, std::uint64_t bytes_max) {
    const auto copied = ::copy_file_range(from, nullptr, to.descriptor(), nullptr, bytes_max, 0);
    if (copied >= 0) return static_cast<std::uint64_t>(copied);
    if (errno != EXDEV && errno != EINVAL && errno != EOPNOTSUPP && errno != ENOSYS &&
        errno != EPERM)
        throw upload::refusal_of(errno);
    std::array<char, 128 * 1024> buffer;
    const auto size =
        ::read(from, buffer.data(), std::min<std::uint64_t>(buffer.size(), bytes_max));
    if (size < 0) throw upload::refusal_of(errno);
    to.write({buffer.data(), static_cast<std::size_t>(size)});
    return static_cast<std::uint64_t>(size);
}

}  // namespace

Copying::Copying(Desk& desk, const Asked& asked)
    : visit_{desk, asked}, destination_{(visit_.need_something(), visit_)} {
    const bool is_folder = visit_.seen().kind == Tree::Kind::folder;
    if (asked.depth == Depth::one)
        throw Refusal{Status::bad_request, "A folder is copied alone or with all that it has"};
    if (is_folder && asked.depth.value_or(Depth::infinity) == Depth::infinity)
        entries_ = visit_.tree().all_below(asked.path);
    entries_.all.insert(entries_.all.begin(), {.path = asked.path, .state = visit_.seen().state});
}

bool Copying::advance() {
    if (!has_begun_) begin();
    std::uint64_t files = 0;
    while (file_ || next_ < entries_.all.size()) {
        if (files == piece_files) return false;
        if (!file_) begin_next();
        if (file_ && !copy_piece()) return false;
        ++files;
    }
    return true;
}

void Copying::begin() {
    has_begun_ = true;
    {
        const auto held = visit_.lock();
        visit_.need_conditions();
        failures_ = destination_.locked();
    }
    if (failures_.empty()) failures_ = destination_.make_room();
    if (!failures_.empty()) entries_.all.clear();
}

/// Without a folder, what it has cannot be copied.
void Copying::begin_next() {
    const Tree::Entry& entry = entries_.all[next_++];
    const bool is_lost = std::ranges::any_of(failures_, [&](const Failure& each) {
        return each.is_folder && site::is_within(entry.path, each.path);
    });
    if (is_lost) return;
    guarded(entry.path, entry.is_folder(), [&] {
        if (const auto refusal = destination_.refusal_for(entry.path)) throw *refusal;
        if (entry.is_folder())
            make_folder(entry.path);
        else
            begin_file(entry.path, entry.state);
    });
}

void Copying::make_folder(const std::string& source) {
    const std::string path = destination_.path_for(source);
    const auto held = visit_.lock();
    visit_.rights().need_as_member(path);
    if (const int error = visit_.tree().make_folder(path); error != 0)
        throw upload::refusal_of(error);
    copy_properties(visit_.tree().open(source, true).get(), visit_.tree().open(path, true).get());
}

/// The file gets its name as an upload does: as a whole, within the limits.
void Copying::begin_file(const std::string& source, const site::FileState& state) {
    File file{.source = source,
              .fd = visit_.tree().open(source, false),
              .target = target_of(destination_.path_for(source)),
              .conditions = {},
              .begun = {}};
    file.conditions.let_replace();
    file.conditions.look_further(look_for(source));
    file.begun =
        visit_.desk().store->begin(file.target, file.conditions, state.size, visit_.tree().root());
    file_ = std::move(file);
}

upload::FurtherLook Copying::look_for(const std::string& source) const {
    return [this, source](const upload::Naming& naming) {
        visit_.rights().need_for(naming);
        if (naming.file >= 0) copy_properties(visit_.tree().open(source, false).get(), naming.file);
    };
}

/// Returns false if the file has more.
bool Copying::copy_piece() {
    bool is_whole = true;
    guarded(file_->source, false, [&] {
        std::uint64_t left = piece_bytes;
        while (left > 0) {
            const std::uint64_t max = file_->begun.bytes_max - file_->bytes;
            const auto copied =
                copy_some(file_->fd.get(), file_->begun.file, max < left ? max + 1 : left);
            if (copied == 0) return finish_file();
            if (copied > max) throw visit_.desk().store->refusal_of_size(file_->begun.bytes_max);
            file_->bytes += copied;
            left -= copied;
        }
        file_->begun.file.sync();
        is_whole = false;
    });
    if (is_whole) file_.reset();
    return is_whole;
}

void Copying::finish_file() {
    visit_.desk().store->finish(file_->begun, file_->target, file_->conditions, file_->bytes);
}

template <typename Work>
void Copying::guarded(const std::string& source, bool is_folder, Work work) {
    const bool is_alone = source == visit_.asked().path;
    try {
        work();
    } catch (const Locked& refusal) {
        if (is_alone) throw;
        note(source, is_folder, locked,
             missing_token(visit_.asked(), refusal.root(), refusal.is_of_folder()));
    } catch (const Refusal& refusal) {
        if (is_alone) throw;
        note(source, is_folder, refusal.status());
    }
}

void Copying::note(const std::string& source, bool is_folder, Status status,
                   std::string condition) {
    failures_.push_back({.path = source,
                         .is_folder = is_folder,
                         .status = status,
                         .condition = std::move(condition)});
    if (failures_.size() == failures_max) next_ = entries_.all.size();
}

Response Copying::response() const {
    if (!failures_.empty()) return failed(visit_.asked(), failures_);
    return Response{destination_.is_taken() ? Status::no_content : Status::created};
}

}  // namespace weir::dav
