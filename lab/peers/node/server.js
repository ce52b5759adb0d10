// node server.js PORT FOLDER WORKERS: a server of a few files on Node's http; with several workers, a process for each.
//
// It reads all files of the folder at the start, and answers from memory. The header fields are weir's. It never looks
// for paths on the disk, which is in its favour.
"use strict";

const cluster = require("node:cluster");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

const KEEP_ALIVE_MILLISECONDS = 75_000; // as all peers
const BACKLOG = 4096;
const [port, folder, workers] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];

function read() {
  const files = new Map();
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const file = path.join(folder, entry.name);
    const content = fs.readFileSync(file);
    const { mtime, mtimeMs } = fs.statSync(file);
    const fields = {
      "Last-Modified": mtime.toUTCString(),
      "Accept-Ranges": "bytes",
      ETag: `"${content.length.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`,
      "Content-Type": "application/octet-stream",
      "X-Content-Type-Options": "nosniff",
      "Content-Length": content.length,
    };
    files.set(`/${entry.name}`, { content, fields });
  }
  return files;
}

function serve() {
  const files = read();
  const server = http.createServer((request, response) => {
    const found = files.get(request.url);
    if (found) {
      response.writeHead(200, found.fields).end(found.content);
    } else {
      response.writeHead(404, { "Content-Length": 0 }).end();
    }
  });
  server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
  server.listen({ port, host: "127.0.0.1", backlog: BACKLOG });
}

if (workers > 1 && cluster.isPrimary) {
  for (let number = 0; number < workers; number += 1) cluster.fork();
  process.on("SIGTERM", () => process.exit(0)); // the workers end when their channel does
} else {
  if (cluster.isWorker) process.on("disconnect", () => process.exit(0));
  serve();
}
