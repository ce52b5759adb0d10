module weir/lab/peers/go-http

go 1.25.0

require github.com/gorilla/websocket v1.5.3
