#pragma once

#include "dav/methods/visit.h"
#include "weir/http/response.h"

namespace weir::dav {

// The methods of WebDAV that are done in one piece. Each blocks, and throws web::Refusal, Fault or
// Locked.

/// RFC 4918 9.1.
http::Response find_properties(const Visit& visit);
/// RFC 4918 9.2: all steps are done, or none.
http::Response patch_properties(const Visit& visit);
/// RFC 4918 9.3.
http::Response make_collection(const Visit& visit);
/// RFC 4918 9.6.
http::Response remove(const Visit& visit);
/// RFC 4918 9.9.
http::Response move(const Visit& visit);
/// RFC 4918 9.10: makes a lock, or refreshes one.
http::Response lock(const Visit& visit);
/// RFC 4918 9.11.
http::Response unlock(const Visit& visit);

}  // namespace weir::dav
