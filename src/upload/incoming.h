#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "upload/store.h"
#include "weir/web/await.h"

namespace weir::upload {

/// One file on its way from the peer to the disk: in a buffer of limited size, which a helper thread
/// writes. If it is destroyed before it is finished, nothing of it stays.
class Incoming {
   public:
    /// Both must outlive it.
    Incoming(Store& store, web::Workers& workers, Target target, Conditions conditions)
        : store_{store},
          workers_{workers},
          target_{std::move(target)},
          conditions_{std::move(conditions)} {}
    ~Incoming();
    Incoming(const Incoming&) = delete;
    Incoming& operator=(const Incoming&) = delete;

    // A helper thread: as those of Store.
    void begin(std::optional<std::uint64_t> size) {
        begun_ = store_.begin(target_, conditions_, size);
    }
    void write();
    Put finish();

    /// The thread of the connection. True: write() is due before more is added. Throws web::Refusal past
    /// the limit.
    bool add(std::string_view bytes);

   private:
    Store& store_;
    web::Workers& workers_;
    const Target target_;
    const Conditions conditions_;
    std::optional<Begun> begun_;
    std::string buffer_;
    std::uint64_t size_ = 0;
};

}  // namespace weir::upload
