//! One request, and its answer read to the end.

use reqwest::{Client, Request};

use crate::fault::Fault;

/// Returns the number of bytes of content.
pub async fn exchange(client: &Client, request: Request, expected: Option<u64>) -> Result<u64, Fault> {
    let mut response = client.execute(request).await.map_err(|error| Fault::of_sending(&error))?;
    let status = response.status();
    let mut bytes = 0;
    while let Some(chunk) = response.chunk().await.map_err(|_| Fault::Body)? {
        bytes += chunk.len() as u64;
    }
    // hyper's task of this connection must run before the client knows that the connection is free. Otherwise the
    // client would open another one.
    tokio::task::yield_now().await;
    if !status.is_success() {
        Err(Fault::Status)
    } else if expected.is_some_and(|expected| expected != bytes) {
        Err(Fault::Body)
    } else {
        Ok(bytes)
    }
}
