// fasthttp-peer PORT FOLDER: a server of a few files on fasthttp, which serves each connection in a goroutine of a pool.
// GOMAXPROCS in the environment says how many threads run Go.
//
// It reads all files of the folder at the start, and answers from memory. The header fields are weir's. It never looks
// for paths on the disk, which is in its favour.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/valyala/fasthttp"
)

const keepAlive = 75 * time.Second // as all peers

type file struct {
	content           []byte
	lastModified, tag string
}

func read(folder string) (map[string]file, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	files := map[string]file{}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		info, err := entry.Info()
		if err != nil {
			return nil, err
		}
		changed := info.ModTime()
		tag := fmt.Sprintf("\"%x-%x\"", len(content), changed.UnixNano())
		files["/"+entry.Name()] = file{content, string(fasthttp.AppendHTTPDate(nil, changed)), tag}
	}
	return files, nil
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: fasthttp-peer PORT FOLDER")
	}
	files, err := read(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	server := fasthttp.Server{
		NoDefaultServerHeader: true,
		IdleTimeout:           keepAlive,
		Concurrency:           1 << 20,
		Handler: func(call *fasthttp.RequestCtx) {
			found, ok := files[string(call.Path())]
			if !ok {
				call.SetStatusCode(fasthttp.StatusNotFound)
				return
			}
			fields := &call.Response.Header
			fields.Set("Last-Modified", found.lastModified)
			fields.Set("Accept-Ranges", "bytes")
			fields.Set("ETag", found.tag)
			fields.SetContentType("application/octet-stream")
			fields.Set("X-Content-Type-Options", "nosniff")
			call.Response.SetBodyRaw(found.content)
		},
	}
	log.Fatal(server.ListenAndServe("127.0.0.1:" + os.Args[1]))
}
