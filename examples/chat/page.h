#pragma once

/// What the browser gets at "/".
inline constexpr const char* page = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Chat</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
  form { display: flex; gap: .5rem }
  #text { flex: 1 }
</style>
<h1>Chat</h1>
<form id="form">
  <input id="text" aria-label="Message" autocomplete="off" autofocus>
  <button>Send</button>
</form>
<p id="state" role="status">Connecting</p>
<ol id="messages" aria-live="polite"></ol>
<script>
  const byId = (id) => document.getElementById(id);
  const connect = () => {
    const socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/chat");
    socket.onopen = () => { byId("state").textContent = "Connected"; };
    socket.onmessage = (event) => {
      const line = document.createElement("li");
      line.textContent = event.data;
      byId("messages").prepend(line);
    };
    socket.onclose = (event) => {
      byId("state").textContent = "Disconnected (" + event.code + ")";
      setTimeout(connect, 1000);
    };
    byId("form").onsubmit = (event) => {
      event.preventDefault();
      if (byId("text").value && socket.readyState === 1) socket.send(byId("text").value);
      byId("text").value = "";
    };
  };
  connect();
</script>
</html>
)html";
