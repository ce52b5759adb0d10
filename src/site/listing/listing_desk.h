#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "site/listing/folder.h"
#include "site/root/file_state.h"

namespace weir::site {

/// The folders that the listings of a site share, so that large folders take a bounded amount of
/// memory. One large folder is read at a time. The desk keeps at most two folders: one whose
/// listing lasts as long as its directory does not change, and the one that was read last, for the
/// tasks that waited meanwhile.
class ListingDesk {
   public:
    explicit ListingDesk(std::size_t bytes_max) noexcept : bytes_max_{bytes_max} {}

    /// The right to read a large folder.
    class Turn {
       public:
        Turn() = default;
        Turn(ListingDesk& desk, std::uint64_t number) noexcept : desk_{&desk}, number_{number} {}
        Turn(Turn&& other) noexcept
            : desk_{std::exchange(other.desk_, nullptr)}, number_{other.number_} {}
        Turn& operator=(Turn&& other) noexcept {
            std::swap(desk_, other.desk_);
            std::swap(number_, other.number_);
            return *this;
        }
        ~Turn() {
            if (desk_ != nullptr) desk_->end_turn(number_);
        }
        explicit operator bool() const noexcept { return desk_ != nullptr; }

       private:
        ListingDesk* desk_ = nullptr;
        std::uint64_t number_ = 0;
    };
    /// Returns no turn if another task has it.
    Turn take_turn();

    /// The number of the present turn, or of the next one if no task has the turn.
    std::uint64_t turn_now();

    static constexpr std::uint64_t no_turn = ~std::uint64_t{0};
    /// Returns the lasting folder, or the latest one if it was read in the turn `since` or later.
    /// Its directory must have had this state, and its order must be this one. Null if neither
    /// fits.
    std::shared_ptr<const Folder> find_since(std::uint64_t since, const FileState& directory,
                                             ListingOrder order);
    /// Keeps the folder that was read in the present turn. `stays`: its listing lasts as long as
    /// the directory has this state.
    void keep(std::shared_ptr<const Folder> folder, const FileState& directory, bool stays);

    // Held around fork(2): see ForkHook.
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }
    /// In the child: the turn belongs to a task of the parent.
    void forget_turn_while_locked() noexcept { turn_ = 0; }

   private:
    void end_turn(std::uint64_t number) noexcept;

    const std::size_t bytes_max_;
    std::mutex mutex_;
    std::uint64_t turn_ = 0;  // 0: no task has the turn
    std::uint64_t turns_ = 0;
    struct Kept {
        std::shared_ptr<const Folder> folder{};
        FileState directory{};
        std::uint64_t turn = 0;

        bool is(const FileState& other, ListingOrder order) const noexcept {
            return folder && directory == other && folder->order() == order;
        }
    };
    Kept lasting_{};
    Kept latest_{};
};

}  // namespace weir::site
