"""The lab's own connections: HTTP/1.1, HTTP/2 and WebSocket, byte by byte, and clients that are idle or slow."""
