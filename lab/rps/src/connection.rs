//! One connection: a reqwest client whose pool holds at most one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use reqwest::header::{CONNECTION, HeaderMap, HeaderValue};
use reqwest::{Client, Request, redirect, retry};
use tokio::time::timeout_at;
use tower::util::MapResponseLayer;

use crate::exchange::exchange;
use crate::fault::Fault;
use crate::options::Options;
use crate::schedule::Schedule;
use crate::tally::Tally;

pub struct Connection {
    client: Client,
    request: Request,
}

impl Connection {
    /// The first request opens it. `opened` counts this, and each time that it is opened again.
    pub fn new(options: &Options, opened: &Arc<AtomicU64>) -> Connection {
        let opened = Arc::clone(opened);
        let mut headers = HeaderMap::new();
        if options.close {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        let client = Client::builder()
            .default_headers(headers)
            .pool_max_idle_per_host(usize::from(!options.close))
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .no_proxy()
            .tcp_nodelay(true)
            .connector_layer(MapResponseLayer::new(move |stream| {
                opened.fetch_add(1, Ordering::Relaxed);
                stream
            }))
            .build()
            .expect("a client without certificates");
        Connection { client, request: request(options) }
    }

    /// Sends a request that does not count, so that the connection is open for the next.
    pub async fn open(&self, options: &Options) {
        let _ = self.ask(Instant::now(), options).await;
    }

    /// Sends one request after the other until the schedule ends.
    pub async fn work(&self, options: &Options, schedule: &Schedule) {
        while let Some(intended) = schedule.next().await {
            let outcome = self.ask(intended, options).await;
            Tally::count(outcome, intended.elapsed());
        }
    }

    async fn ask(&self, intended: Instant, options: &Options) -> Result<u64, Fault> {
        let deadline = intended + options.timeout;
        if deadline <= Instant::now() {
            return Err(Fault::Timeout); // it has waited too long for this connection
        }
        let request = self.request.try_clone().expect("its content is in memory");
        let exchange = exchange(&self.client, request, options.expect_bytes);
        timeout_at(deadline.into(), exchange).await.unwrap_or(Err(Fault::Timeout))
    }
}

fn request(options: &Options) -> Request {
    let mut request = Request::new(options.method.clone(), options.url.clone());
    if options.send_bytes > 0 {
        *request.body_mut() = Some(vec![b'x'; options.send_bytes].into());
    }
    request
}
