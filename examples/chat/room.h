#pragma once

#include <weir/web.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// Those who talk to each other. Sockets of several threads share it.
class Room {
   public:
    /// Somebody's place, while it is kept.
    class Seat {
       public:
        Seat(Room& room, weir::web::WebSocketSender sender)
            : room_{room}, sender_{std::move(sender)} {
            const std::scoped_lock lock{room_.mutex_};
            room_.present_.push_back(sender_);
        }
        ~Seat() {
            const std::scoped_lock lock{room_.mutex_};
            std::erase(room_.present_, sender_);
        }
        Seat(const Seat&) = delete;
        Seat& operator=(const Seat&) = delete;

       private:
        Room& room_;
        weir::web::WebSocketSender sender_;
    };

    /// To everybody, who share one copy. Whoever reads too slowly has to go.
    void say(std::string text) {
        const auto message = std::make_shared<const std::string>(std::move(text));
        const std::scoped_lock lock{mutex_};
        for (const auto& sender : present_)
            if (!sender.send(message))
                sender.close(weir::web::CloseCode::policy_violation, "you read too slowly");
    }

   private:
    std::mutex mutex_;
    std::vector<weir::web::WebSocketSender> present_;
};
