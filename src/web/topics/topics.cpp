#include "weir/web/topics.h"

#include <stdexcept>
#include <utility>

#include "web/stream/outbox.h"
#include "web/topics/publication.h"
#include "web/topics/topic.h"
#include "web/topics/topic_registry.h"
#include "web/websocket/close_payload.h"

namespace weir::web {

Subscription::Subscription(std::shared_ptr<detail::TopicRegistry> registry, std::string_view topic,
                           std::shared_ptr<detail::Outbox> outbox) {
    std::list<std::shared_ptr<detail::Outbox>> one;
    place_ = one.insert(one.end(), std::move(outbox));
    topic_ = &registry->enter(topic);
    topic_->add(one);
    registry_ = std::move(registry);
}

Subscription::Subscription(Subscription&& other) noexcept
    : registry_{std::move(other.registry_)}, topic_{other.topic_}, place_{other.place_} {}

Subscription& Subscription::operator=(Subscription&& other) noexcept {
    Subscription ended{std::move(*this)};
    registry_ = std::move(other.registry_);
    topic_ = other.topic_;
    place_ = other.place_;
    return *this;
}

Subscription::~Subscription() { end(); }

void Subscription::end() noexcept {
    const auto registry = std::exchange(registry_, nullptr);
    if (!registry) return;
    topic_->remove(place_);
    registry->leave(*topic_);
}

Topics::Topics(TopicOptions options) : registry_{std::make_shared<detail::TopicRegistry>(options)} {
    if (options.slow_reader != CloseCode::none && !ws::may_be_sent(options.slow_reader))
        throw std::invalid_argument{"this close code may not be sent"};
}

Subscription Topics::subscribe(std::string_view topic, const WebSocketSender& sender) const {
    return {registry_, topic, sender.outbox_};
}
Subscription Topics::subscribe(std::string_view topic, const Events& events) const {
    return {registry_, topic, events.outbox()};
}

std::size_t Topics::publish(std::string_view topic, std::string_view text, MessageKind kind) const {
    detail::Publication publication{Message{.data = text, .kind = kind}};
    return publish(topic, publication);
}
std::size_t Topics::publish(std::string_view topic, const Event& event) const {
    detail::check(event);
    detail::Publication publication{event};
    return publish(topic, publication);
}

std::size_t Topics::publish(std::string_view topic, detail::Publication& publication) const {
    const auto found = registry_->find(topic);
    return found ? found->publish(publication, registry_->options().slow_reader) : 0;
}

std::size_t Topics::subscribers(std::string_view topic) const {
    const auto found = registry_->find(topic);
    return found ? found->size() : 0;
}

}  // namespace weir::web
