#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "http/request_slot.h"

namespace weir::server {

/// A request from the parser, as an engine would get it.
class ParsedRequest final : public http::Origin {
   public:
    explicit ParsedRequest(std::string head) : head_{std::move(head)} {
        if (slot_.parse(head_, limits_) != http::HeadParser::Result::complete)
            throw std::invalid_argument{"no request head: " + head_};
        slot_.interpret(*this, 1);
    }

    const http::Request& get() const noexcept { return slot_.request(); }

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<http::Postbox> postbox() override { return nullptr; }
    std::uint64_t number() const noexcept override { return 0; }

   private:
    http::Limits limits_;
    std::string head_;
    http::RequestSlot slot_;
};

}  // namespace weir::server
