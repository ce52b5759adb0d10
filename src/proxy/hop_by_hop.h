#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "http/syntax/field_list.h"
#include "http/syntax/name_list.h"

namespace weir::proxy {

/// The protocol that connections may change to. Requests of others, such as h2c, could pass inside
/// of a tunnel, where no rule holds for them.
constexpr std::string_view upgrade_protocol = "websocket";

/// The fields that concern one connection alone (RFC 9110 7.6.1; RFC 7540 3.2.1): the fixed ones,
/// and those that Connection names.
class HopByHop {
   public:
    static constexpr std::array<std::string_view, 9> fixed{
        "connection",        "keep-alive",     "proxy-connection", "te", "trailer", "upgrade",
        "transfer-encoding", "content-length", "http2-settings"};

    /// Adds the names in a line of Connection. The text must outlive this object.
    void add(std::string_view connection) {
        http::for_each_member(connection,
                              [this](std::string_view name) { named_.push_back(name); });
    }
    bool has(std::string_view name) const noexcept {
        return http::is_one_of(name, fixed) || http::is_one_of(name, named_);
    }

   private:
    std::vector<std::string_view> named_;
};

}  // namespace weir::proxy
