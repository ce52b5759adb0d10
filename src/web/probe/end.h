#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "web/probe/mail.h"
#include "weir/base/now.h"
#include "weir/http/connection.h"
#include "weir/http/origin.h"

namespace weir::web {

/// Plays the engine for one connection, whose bytes go to memory.
class ProbeEnd : public http::Origin {
   public:
    ProbeEnd(std::shared_ptr<Mail> mail, const Now& clock) noexcept
        : number_{mail->next_number()}, mail_{std::move(mail)}, clock_{clock} {}
    ProbeEnd(const ProbeEnd&) = delete;
    ProbeEnd& operator=(const ProbeEnd&) = delete;
    virtual ~ProbeEnd() = default;

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<http::Postbox> postbox() override { return mail_; }
    std::uint64_t number() const noexcept override { return number_; }

    /// Called after something has happened to the connection.
    virtual void run() = 0;
    /// True once the connection sends no more.
    bool has_ended() const noexcept {
        return connection->step() == http::Step::drain || connection->step() == http::Step::close;
    }

    std::unique_ptr<http::Connection> connection{};
    std::string input{};  // bytes that the connection has not taken yet

   protected:
    /// Does all that the connection can do.
    void drive();

   private:
    virtual bool can_send() const = 0;
    /// Takes bytes that the connection has sent.
    virtual void sent(std::string_view bytes) = 0;
    virtual http::Reply handle(const http::Request& request) = 0;
    void transmit();

    const std::uint64_t number_;
    const std::shared_ptr<Mail> mail_;
    const Now& clock_;
};

}  // namespace weir::web
