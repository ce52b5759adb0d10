#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "http/client/exchange.h"
#include "net/address.h"
#include "net/descriptors.h"
#include "weir/http/handler.h"

namespace weir::upstream {

class Line;

/// Keeps the lines that wait for an exchange. The connection's thread makes the calls.
class Shelf {
   public:
    virtual ~Shelf() = default;
    /// The line waits for another exchange, or has it already. False if there is no room: the
    /// connection closes.
    virtual bool keep(std::shared_ptr<Line> line) noexcept = 0;
    /// The connection has closed, or was never made. Called once for each line.
    virtual void forget(const Line& line) noexcept = 0;
};

/// A connection to another server, for the code that gives it exchanges, one after the other. Any
/// thread may call start(); the other functions are for the connection.
class Line final : public http::client::Exchanges, public std::enable_shared_from_this<Line> {
   public:
    Line(std::shared_ptr<http::client::Exchange> first, std::shared_ptr<Shelf> shelf) noexcept
        : next_{std::move(first)}, shelf_{std::move(shelf)} {}
    /// If the connection was never made, its first exchange fails.
    ~Line() override {
        lose_next(http::client::Failure::unreachable);
        leave_shelf();
    }

    /// Of the connection's descriptor, and the peer's address. Before the connection exists.
    void hold(net::FileShare share, const net::Address& address) noexcept {
        share_ = std::move(share);
        address_ = address;
    }
    const net::Address& address() const noexcept { return address_; }

    /// False if the connection has closed: then `next` has not begun.
    bool start(std::shared_ptr<http::client::Exchange> next) noexcept {
        const std::scoped_lock lock{mutex_};
        if (is_closed_) return false;
        next_ = std::move(next);
        if (carrier_) carrier_->wake();
        return true;
    }

    /// An idle connection closes. It was taken from its shelf.
    void finish() noexcept {
        const std::scoped_lock lock{mutex_};
        is_over_ = true;
        if (carrier_) carrier_->wake();
    }

    void open(http::Waker carrier) noexcept override {
        const std::scoped_lock lock{mutex_};
        carrier_ = std::move(carrier);
    }
    std::shared_ptr<http::client::Exchange> next() noexcept override {
        const std::scoped_lock lock{mutex_};
        return std::exchange(next_, nullptr);
    }
    bool is_over() noexcept override {
        const std::scoped_lock lock{mutex_};
        return is_over_;
    }
    bool keep() noexcept override { return shelf_ && shelf_->keep(shared_from_this()); }
    void close() noexcept override {
        {
            const std::scoped_lock lock{mutex_};
            is_closed_ = true;
        }
        lose_next(http::client::Failure::stale);
        leave_shelf();
    }
    void refuse(http::client::Failure failure) noexcept override { lose_next(failure); }

   private:
    void leave_shelf() noexcept {
        if (const auto shelf = std::exchange(shelf_, nullptr)) shelf->forget(*this);
    }
    void lose_next(http::client::Failure failure) noexcept {
        if (const auto lost = next()) lost->fail(failure);
    }

    std::mutex mutex_;
    std::shared_ptr<http::client::Exchange> next_;
    std::optional<http::Waker> carrier_;
    bool is_closed_ = false;
    bool is_over_ = false;
    std::shared_ptr<Shelf> shelf_;  // for the connection alone
    net::FileShare share_;
    net::Address address_;
};

}  // namespace weir::upstream
