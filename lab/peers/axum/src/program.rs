//! `axum-peer program PORT WORKERS`: the three routes of the lab's experiment `programs`.

use axum::extract::Path;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

#[derive(Serialize)]
struct Reader {
    active: bool,
    id: u32,
    name: String,
    score: f64,
    tags: [&'static str; 2],
}

async fn hello(Path(name): Path<String>) -> String {
    format!("Hello, {name}!\n")
}

async fn object(Path(name): Path<String>) -> Json<Reader> {
    Json(Reader { active: true, id: 42, name, score: 12.5, tags: ["http", "json"] })
}

async fn echo(upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(send_back)
}

/// Pings and closes are answered by the library.
async fn send_back(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        let is_data = matches!(message, Message::Binary(_) | Message::Text(_));
        if is_data && socket.send(message).await.is_err() {
            return;
        }
    }
}

pub fn routes() -> Router {
    Router::new().route("/hello/{name}", get(hello)).route("/json/{name}", get(object)).route("/echo", get(echo))
}
