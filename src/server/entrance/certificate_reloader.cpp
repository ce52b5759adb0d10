#include "server/entrance/certificate_reloader.h"

#include <new>
#include <utility>

#include "base/troubles.h"

namespace weir::server {

bool CertificateReloader::renew() noexcept try {
    using enum http::Layer::Renewal::Result;
    http::Layer::Renewal renewal = layer_.renew();
    if (renewal.result == failed) log_.write(Severity::warning, renewal.sentence);
    if (renewal.result != done) return false;
    renewed_ = std::move(renewal.sentence);
    return true;
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
    return false;
}

void CertificateReloader::tell() noexcept try {
    if (!renewed_.empty()) log_.write(Severity::info, std::exchange(renewed_, {}));
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

}  // namespace weir::server
