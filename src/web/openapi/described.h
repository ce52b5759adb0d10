#pragma once

#include <map>
#include <string>
#include <vector>

#include "weir/web/openapi.h"

namespace weir::web {

/// A route with its description, which has all parameters of its path.
struct Described {
    std::string method;
    std::string path;  // "/notes/{id}"
    std::string host;  // empty: every host
    Operation::Facts facts;
};

/// The routes of the router that OpenAPI can tell of, in their order. Throws std::invalid_argument
/// for a description that fits none of its routes.
std::vector<Described> described(const Router& router,
                                 const std::map<std::string, Operation, std::less<>>& operations);

}  // namespace weir::web
