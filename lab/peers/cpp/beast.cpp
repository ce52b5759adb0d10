// Boost.Beast: its asynchronous server, with an event loop and a listening socket (SO_REUSEPORT) for each worker.

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "files.h"

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Answer = http::response<http::span_body<const char>>;

class Session : public std::enable_shared_from_this<Session> {
   public:
    Session(tcp::socket socket, const peers::Files& files)
        : stream_(std::move(socket)), files_(files) {}

    void read() {
        request_ = {};
        stream_.expires_after(std::chrono::seconds(peers::KEEP_ALIVE_SECONDS));
        http::async_read(stream_, buffer_, request_,
                         [self = shared_from_this()](auto error, std::size_t) {
                             if (!error) self->answer();
                         });
    }

   private:
    void answer() {
        const auto target = request_.target();
        const auto found = files_.find(std::string_view(target.data(), target.size()));
        answer_ = Answer(found == files_.end() ? http::status::not_found : http::status::ok,
                         request_.version());
        if (found != files_.end()) fill(found->second);
        answer_.keep_alive(request_.keep_alive());
        answer_.content_length(answer_.body().size());
        serializer_.emplace(answer_);
        serializer_->split(request_.method() == http::verb::head);
        const auto sent = [self = shared_from_this()](auto error, std::size_t) {
            if (!error) self->go_on();
        };
        if (request_.method() == http::verb::head)
            http::async_write_header(stream_, *serializer_, sent);
        else
            http::async_write(stream_, *serializer_, sent);
    }

    void fill(const peers::File& file) {
        answer_.set(http::field::date, peers::http_date(std::time(nullptr)));
        answer_.set(http::field::last_modified, file.last_modified);
        answer_.set(http::field::accept_ranges, "bytes");
        answer_.set(http::field::etag, file.tag);
        answer_.set(http::field::content_type, "application/octet-stream");
        answer_.set("X-Content-Type-Options", "nosniff");
        answer_.body() = {file.content.data(), file.content.size()};
    }

    void go_on() {
        if (answer_.keep_alive()) return read();
        boost::beast::error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    }

    boost::beast::tcp_stream stream_;
    const peers::Files& files_;
    boost::beast::flat_buffer buffer_;
    http::request<http::empty_body> request_;
    Answer answer_;
    std::optional<http::response_serializer<http::span_body<const char>>> serializer_;
};

class Worker {
   public:
    Worker(std::uint16_t port, const peers::Files& files) : acceptor_(loop_), files_(files) {
        const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
        acceptor_.open(here.protocol());
        acceptor_.set_option(tcp::acceptor::reuse_address(true));
        acceptor_.set_option(asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>(true));
        acceptor_.bind(here);
        acceptor_.listen(peers::BACKLOG);
        accept();
    }

    void run() { loop_.run(); }

   private:
    void accept() {
        acceptor_.async_accept([this](auto error, tcp::socket socket) {
            if (!error) {
                socket.set_option(tcp::no_delay(true));
                std::make_shared<Session>(std::move(socket), files_)->read();
            }
            accept();
        });
    }

    asio::io_context loop_{1};
    tcp::acceptor acceptor_;
    const peers::Files& files_;
};

}  // namespace

int main(int count, char** words) {
    const auto given = peers::arguments(count, words);
    std::vector<std::unique_ptr<Worker>> workers;
    for (unsigned number = 0; number < given.workers; ++number)
        workers.push_back(std::make_unique<Worker>(given.port, given.files));
    std::vector<std::jthread> threads;
    for (auto& worker : workers) threads.emplace_back([&worker] { worker->run(); });
}
