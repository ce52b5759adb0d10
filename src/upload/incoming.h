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

/// One file on its way from the peer to the disk, in a buffer of limited size that a helper thread
/// writes. If the object is destroyed before finish(), nothing of the file stays.
class Incoming {
   public:
    /// `store` and `workers` must outlive this object.
    Incoming(Store& store, web::Workers& workers, Target target, Conditions conditions)
        : store_{store},
          workers_{workers},
          target_{std::move(target)},
          conditions_{std::move(conditions)} {}
    ~Incoming();
    Incoming(const Incoming&) = delete;
    Incoming& operator=(const Incoming&) = delete;

    // For a helper thread: these members block and throw, as those of Store.
    void begin(std::optional<std::uint64_t> size) {
        begun_ = store_.begin(target_, conditions_, size);
    }
    void write();
    Put finish();

    /// For the thread of the connection. True: write() must be called before the next add(). Throws
    /// web::Refusal past the limit.
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
