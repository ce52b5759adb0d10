#pragma once

#include <string_view>

namespace weir::live {

/// The script of each page. It is no part of the page, so that a Content-Security-Policy may allow
/// it.
inline constexpr std::string_view script = R"js("use strict";
(() => {
  // A frame of a page that listens has its news from there. A sandboxed frame may not ask for them.
  const listens = Symbol.for("weir.live");
  try {
    if (self.origin === "null" || (parent !== window && parent[listens])) return;
  } catch {}
  window[listens] = true;
  const own = document.currentScript;
  const source = new URL("live", own.src);
  const reloaded = "weir-live-reloaded";
  const older = new WeakMap();  // of a style sheet: those that it replaces
  const replaced = new WeakSet();
  let [pages, styles] = own.dataset.version.split("-");
  let events = null;

  // The page, and the frames in it that it may look into.
  function* documents(view) {
    try {
      yield view.document;
    } catch {
      return;
    }
    for (let i = 0; i < view.length; ++i) yield* documents(view[i]);
  }
  // The old style sheet stays until the new one is there, so that the page is never without.
  function loadAgain(link, version) {
    const next = link.cloneNode();
    const before = [...(older.get(link) ?? []), link];
    const url = new URL(link.href);
    url.searchParams.set("weir-live", styles);
    next.href = url;
    next.onload = () => before.forEach((each) => each.remove());
    next.onerror = () => reload(version);
    older.set(next, before);
    replaced.add(link);
    link.after(next);
  }
  function loadStyles(version) {
    let found = false;
    for (const each of documents(window))
      for (const link of each.querySelectorAll("link[rel~=stylesheet][href]")) {
        if (replaced.has(link) || new URL(link.href).origin !== location.origin) continue;
        loadAgain(link, version);
        found = true;
      }
    return found;
  }
  // Once for each version, or an old page of a service worker would be loaded for ever.
  function reload(version) {
    const done = version + " " + location.pathname;
    try {
      if (sessionStorage.getItem(reloaded) === done) return;
      sessionStorage.setItem(reloaded, done);
    } catch {}
    location.reload();
  }
  function hear(event) {
    const [newPages, newStyles] = event.data.split("-");
    if (newPages !== pages) return reload(event.data);
    if (newStyles === styles) return;
    styles = newStyles;
    if (!loadStyles(event.data)) reload(event.data);
  }
  function leave() {
    if (events) events.close();
    events = null;
  }
  // A page that nobody sees takes no connection: a browser has six for a server.
  function follow() {
    if (document.hidden) return leave();
    if (events) return;
    events = new EventSource(source);
    for (const name of ["hello", "css", "reload"]) events.addEventListener(name, hear);
    events.onerror = () => {
      if (!events || events.readyState !== EventSource.CLOSED) return;
      leave();
      setTimeout(follow, 2000);
    };
  }
  document.addEventListener("visibilitychange", follow);
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", follow);
  follow();
})();
)js";

}  // namespace weir::live
