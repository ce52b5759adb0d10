#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string_view>

#include "weir/web/events.h"
#include "weir/web/websocket.h"

namespace weir::web {

class Topics;

namespace detail {

class Publication;
class Topic;
class TopicRegistry;

}  // namespace detail

struct TopicOptions {
    /// A subscriber reads too slowly if its queue is full: see WebSocketOptions::queue_bytes_max
    /// and EventOptions::queue_bytes_max. Its socket closes with this code after the messages in
    /// the queue; its events end, and the browser connects again with a Last-Event-ID.
    /// CloseCode::none: the subscriber stays, and the oldest messages of topics in its queue are
    /// lost.
    CloseCode slow_reader = CloseCode::try_again_later;
};

/// A subscription to a topic, until end() or its destruction. Movable. It may outlive its Topics,
/// and its socket or stream. It takes about 80 bytes, the queue of its subscriber 170, and a topic
/// 200 and its name. Any thread may use it, one at a time.
class [[nodiscard("the subscription ends with this object")]] Subscription {
   public:
    /// Of no topic.
    Subscription() noexcept = default;
    Subscription(Subscription&& other) noexcept;
    Subscription& operator=(Subscription&& other) noexcept;
    ~Subscription();

    /// A message that is in the subscriber's queue is still sent. Does nothing if there is no
    /// subscription. O(log n) for n topics.
    void end() noexcept;

   private:
    friend Topics;
    Subscription(std::shared_ptr<detail::TopicRegistry> registry, std::string_view topic,
                 std::shared_ptr<detail::Outbox> outbox);

    std::shared_ptr<detail::TopicRegistry> registry_{};  // null: of no topic
    detail::Topic* topic_ = nullptr;
    std::list<std::shared_ptr<detail::Outbox>>::iterator place_{};
};

/// Publishes messages to all who subscribe to a topic: WebSockets, and streams of events. Each
/// message is encoded once, and its subscribers share the bytes. Copies are the same topics. Any
/// thread may call all members.
///
/// A topic is a name of any bytes. It exists while it has subscribers. All of them get its messages
/// in the same order; the order between topics, and of other messages, is not defined.
///
/// Processes do not share topics: with the engines `prefork` and `fork-per-connection`, a message
/// reaches the subscribers in the process that publishes it. There, only handlers may publish: a
/// new process has the locks as they are at the fork(2).
class Topics {
   public:
    /// Throws std::invalid_argument for a code that may not be sent.
    explicit Topics(TopicOptions options = {});

    /// The socket gets each message that is published from now on, once for each of its
    /// subscriptions. The end of the socket does not end the subscription: let it live in the
    /// socket's coroutine. O(log n) for n topics. Throws nothing but std::bad_alloc.
    Subscription subscribe(std::string_view topic, const WebSocketSender& sender) const;
    /// The same for a stream of events.
    Subscription subscribe(std::string_view topic, const Events& events) const;

    /// Sends a message to the topic's subscribers: a message to sockets, an event with that data to
    /// streams, which get no binary messages. Returns the number of subscribers that have it in
    /// their queues. A text must be UTF-8. Takes O(n) for n subscribers; if they keep up, no memory
    /// for each but a pointer. Wakes them after it has released all locks. Throws std::bad_alloc:
    /// some subscribers may have the message then.
    std::size_t publish(std::string_view topic, std::string_view text,
                        MessageKind kind = MessageKind::text) const;
    /// The same for an event, of which sockets get the data as a text. Throws
    /// std::invalid_argument for a name or an id with a line end.
    std::size_t publish(std::string_view topic, const Event& event) const;

    std::size_t subscribers(std::string_view topic) const;

   private:
    std::size_t publish(std::string_view topic, detail::Publication& publication) const;

    std::shared_ptr<detail::TopicRegistry> registry_;
};

}  // namespace weir::web
