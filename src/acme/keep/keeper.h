#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "acme/ca/ca.h"
#include "acme/folder/certificate.h"
#include "acme/folder/challenges.h"
#include "acme/keep/renewal.h"
#include "acme/settings/settings.h"
#include "weir/web/task.h"

namespace weir::acme {

/// Looks after certificates in files. acme.h says how.
class Keeper {
   public:
    /// `client` must outlive this object.
    Keeper(Settings settings, web::Client& client, Tell tell);

    /// Returns the time to call it again, in Unix seconds. `now` is, too.
    web::Task<std::int64_t> look_after_all(std::int64_t now);

   private:
    struct Kept {
        std::string host;
        std::optional<Window> window{};
        std::string window_id{};      // the certificate that the window is for
        std::int64_t asks_from = 0;   // for the window, in Unix seconds
        std::int64_t tries_from = 0;  // after a failure
        unsigned failures = 0;        // in a row
        double fraction = 0;          // see renewal_of()

        /// Nothing for another certificate.
        std::optional<Window> window_for(const Certificate& certificate) const {
            return certificate.id == window_id ? window : std::nullopt;
        }
    };
    std::optional<Certificate> certificate_of(const Kept& kept) const;
    bool is_due(const Kept& kept, std::int64_t now) const;
    std::int64_t next(const Kept& kept) const;
    web::Task<void> look_after(Kept& kept, std::int64_t now);
    web::Task<void> renew(Kept& kept, Ca& ca, std::int64_t now);
    web::Task<void> ask_for_window(Kept& kept, Ca& ca, std::string id, std::int64_t now);
    void fail(Kept& kept, const std::string& why, std::optional<std::chrono::seconds> retry_after,
              std::int64_t now);

    const Settings settings_;
    web::Client& client_;
    const Tell tell_;
    Challenges challenges_;
    std::vector<Kept> kept_;
};

}  // namespace weir::acme
