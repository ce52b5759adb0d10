#pragma once

#include <string_view>

namespace weir::live {

/// What each page runs. It stands apart from the page, so that a Content-Security-Policy may allow it.
inline constexpr std::string_view script = R"js("use strict";
(() => {
  // Pages of this site that are shown in one of its pages: that one listens.
  try {
    if (parent !== window && parent.location.origin === location.origin) return;
  } catch {}
  const own = document.currentScript;
  const source = new URL("live", own.src);
  const reloaded = "weir-live-reloaded";
  let [pages, styles] = own.dataset.version.split("-");
  let events = null;

  // The old style sheets stay until the new ones are there.
  function loadStyles() {
    let found = false;
    for (const link of document.querySelectorAll("link[rel~=stylesheet][href]")) {
      const url = new URL(link.href);
      if (url.origin !== location.origin || link.dataset.weirOld) continue;
      const next = link.cloneNode();
      url.searchParams.set("weir-live", styles);
      next.href = url;
      next.onload = next.onerror = () => link.remove();
      link.dataset.weirOld = "yes";
      link.after(next);
      found = true;
    }
    return found;
  }
  // Once for each version, or an old page of a service worker would be loaded for ever.
  function reload(version) {
    if (sessionStorage.getItem(reloaded) === version) return;
    sessionStorage.setItem(reloaded, version);
    location.reload();
  }
  function hear(event) {
    const [newPages, newStyles] = event.data.split("-");
    if (newPages !== pages) return reload(event.data);
    if (newStyles === styles) return;
    styles = newStyles;
    if (!loadStyles()) reload(event.data);
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
