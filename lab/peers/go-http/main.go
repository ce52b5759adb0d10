// go-http-peer PORT: a program on Go's net/http with the three routes of the lab's experiment `programs`; its WebSockets
// are those of gorilla/websocket. GOMAXPROCS in the environment says how many threads run Go.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/gorilla/websocket"
)

const keepAlive = 75 * time.Second // as all peers

type reader struct {
	Active bool     `json:"active"`
	ID     int      `json:"id"`
	Name   string   `json:"name"`
	Score  float64  `json:"score"`
	Tags   []string `json:"tags"`
}

func hello(answer http.ResponseWriter, call *http.Request) {
	answer.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintf(answer, "Hello, %s!\n", call.PathValue("name"))
}

func object(answer http.ResponseWriter, call *http.Request) {
	text, err := json.Marshal(reader{true, 42, call.PathValue("name"), 12.5, []string{"http", "json"}})
	if err != nil {
		http.Error(answer, err.Error(), http.StatusInternalServerError)
		return
	}
	answer.Header().Set("Content-Type", "application/json")
	answer.Write(text)
}

func echo(answer http.ResponseWriter, call *http.Request) {
	upgrader := websocket.Upgrader{}
	socket, err := upgrader.Upgrade(answer, call, nil)
	if err != nil {
		return // Upgrade has answered
	}
	defer socket.Close()
	for {
		kind, message, err := socket.ReadMessage()
		if err != nil || socket.WriteMessage(kind, message) != nil {
			return
		}
	}
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go-http-peer PORT")
	}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /hello/{name}", hello)
	routes.HandleFunc("GET /json/{name}", object)
	routes.HandleFunc("GET /echo", echo)
	server := http.Server{Addr: "127.0.0.1:" + os.Args[1], Handler: routes, IdleTimeout: keepAlive}
	log.Fatal(server.ListenAndServe())
}
