#pragma once

#include "upload/conditions.h"
#include "weir/web/probe.h"

namespace weir::upload {

/// The conditions of a request with these fields.
inline Conditions conditions_of(const web::Probe::Fields& fields) {
    struct Reading final : http::Handler {
        http::Reply handle(const http::Request& request) override {
            conditions = Conditions::of(request);
            return http::Response{};
        }
        Conditions conditions;
    } reading;
    web::Probe{reading}.ask("PUT", "/", fields);
    return reading.conditions;
}

}  // namespace weir::upload
