#pragma once

#include <functional>
#include <string>
#include <thread>

#include "net/address.h"
#include "net/unique_fd.h"
#include "support/answer.h"

namespace weir::tests {

/// A server behind a server under test: one thread, which needs no memory after its start. It takes
/// requests without content and with Content-Length, on 64 connections at most, and answers each with
/// "hello".
class PlainUpstream {
   public:
    /// `on_thread` is called first on its thread.
    explicit PlainUpstream(std::function<void()> on_thread = [] {});
    ~PlainUpstream();
    PlainUpstream(const PlainUpstream&) = delete;
    PlainUpstream& operator=(const PlainUpstream&) = delete;

    std::string url() const;

   private:
    void run() const;

    net::UniqueFd listener_;
    net::UniqueFd end_;  // an eventfd
    std::thread thread_;
};

/// True if a server in front has passed on the answer of a PlainUpstream, or says that it cannot.
bool is_hello_or_refusal(const Answer& answer);

}  // namespace weir::tests
