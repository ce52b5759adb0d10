#include "server/metrics/counts_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "net/mapping.h"

namespace weir::server {
namespace {

/// To increase when the meaning of a number in Counts changes and its place does not.
constexpr std::uint64_t revision = 1;

/// A hash (FNV-1a) of the numbers that say where each count is.
constexpr std::uint64_t layout = [] {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&hash](std::uint64_t number) { hash = (hash ^ number) * 0x100000001b3; };
    for (const std::uint64_t number :
         {revision, std::uint64_t{sizeof(Counts)}, std::uint64_t{sizeof(Slot)},
          std::uint64_t{sizeof(Cell)}, std::uint64_t{sizeof(GenerationTally)},
          std::uint64_t{SeriesTable::size}, std::uint64_t{Counts::slots_max},
          std::uint64_t{Counts::generations_max}})
        add(number);
    for (const std::uint64_t bound : duration_bounds) add(bound);
    return hash;
}();

std::shared_ptr<Counts> map(int file) {
    auto memory = std::make_shared<net::Mapping>(net::Mapping::of_file(file, sizeof(Counts)));
    if (!*memory) return nullptr;
    Counts* const counts = memory->at<Counts>(0);
    return {std::move(memory), counts};
}

bool has_size(int file) noexcept {
    struct stat status{};
    return ::fstat(file, &status) == 0 && status.st_size == off_t{sizeof(Counts)};
}

/// A thread that ends frees its slot, unless its process is killed.
void free_slots(Counts& counts) noexcept {
    for (Slot& each : counts.own) {
        const pid_t owner = each.owner;
        if (owner != 0 && !is_running(owner)) each.owner = 0;
    }
}

void free_places(Counts& counts) noexcept {
    for (GenerationTally& each : counts.generations) {
        const pid_t process = each.process;
        if (process == 0 || is_running(process)) continue;
        counts.opened_before += each.connections.opened.exchange(0);
        counts.entered_before += each.engine.queue_entered.exchange(0);
        each.connections.closed = 0;
        each.active = 0;
        each.process = 0;
    }
}

bool exists(const char* path) noexcept {
    struct stat status{};
    return ::stat(path, &status) == 0;
}

}  // namespace

CountsFile make_counts_file() {
    net::UniqueFd file{::memfd_create("counts", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    if (file && ::ftruncate(file.get(), sizeof(Counts)) == 0 &&
        ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0) {
        if (auto counts = map(file.get())) {
            counts->layout = layout;
            return {std::move(file), std::move(counts)};
        }
    }
    throw std::system_error{errno, std::generic_category(), "memfd_create"};
}

std::optional<CountsFile> open_counts_file(net::UniqueFd file) {
    if (!has_size(file.get())) return std::nullopt;
    auto counts = map(file.get());
    if (!counts || counts->layout != layout) return std::nullopt;
    free_slots(*counts);
    free_places(*counts);
    return CountsFile{std::move(file), std::move(counts)};
}

bool is_running(pid_t process) noexcept {
    constexpr std::string_view folder = "/proc/";
    std::array<char, 32> path{};
    const auto digits = folder.copy(path.data(), folder.size());
    std::to_chars(path.data() + digits, path.data() + path.size() - 1, process);
    return exists(path.data()) || !exists("/proc/self");
}

}  // namespace weir::server
