// Keeps any open page up to date. All pages can also be read without this script.
"use strict";
const Gavel = (() => {
  const AGAIN_AFTER = 2000;
  const TICK = 5000;
  const SOON = 30;
  const body = document.body;
  document.documentElement.classList.add("scripted");
  const link = document.getElementById("link");
  const news = document.getElementById("news");

  for (const form of document.querySelectorAll('form[data-at-once="yes"]')) {
    form.requestSubmit();
  }

  /** Announces something to users of screen readers. */
  const say = (words) => {
    if (news) {
      news.textContent = words;
    }
  };
  /** Shows a short message for a few seconds, also to users who see the page. */
  let hinting = 0;
  const hint = (words) => {
    let place = document.getElementById("hint");
    if (!place) {
      place = document.createElement("p");
      place.id = "hint";
      place.className = "hint-line";
      place.setAttribute("role", "status");
      body.append(place);
    }
    place.textContent = words;
    place.hidden = false;
    clearTimeout(hinting);
    hinting = setTimeout(() => { place.hidden = true; }, 6000);
  };
  const tell = (words) => {
    if (link) {
      link.textContent = words;
      link.hidden = !words;
    }
  };
  const emit = (name, detail) => document.dispatchEvent(new CustomEvent(`gavel:${name}`, { detail }));

  // Updates relative times, which the server wrote when it rendered the page.
  const words = (seconds) => {
    const whole = Math.max(0, Math.floor(seconds));
    if (whole < 60) { return `${whole} s`; }
    if (whole < 7200) { return `${Math.round(whole / 60)} min`; }
    return whole < 172800 ? `${Math.round(whole / 3600)} h` : `${Math.round(whole / 86400)} days`;
  };
  /** Runs an action after a moment, once for all calls until then: changes come in bursts. */
  const soon = (act) => {
    let waiting = false;
    return () => {
      if (!waiting) {
        waiting = true;
        setTimeout(() => { waiting = false; act(); }, SOON);
      }
    };
  };
  const put = (time, text) => {
    if (time.textContent !== text) {
      time.textContent = text;
    }
  };
  const tickNow = () => {
    const now = Date.now();
    for (const time of document.querySelectorAll("time[data-left], time[data-ago], time[data-for]")) {
      const at = new Date(time.dateTime);
      if (!time.dataset.local) {
        time.dataset.local = "yes";
        time.title = at.toLocaleString();
      }
      if ("left" in time.dataset) {
        const left = (at - now) / 1000;
        put(time, words(left));
        time.closest(".expiry")?.classList.toggle("soon", left < 60);
      } else {
        const gone = (now - at) / 1000;
        put(time, "for" in time.dataset ? words(gone) : gone < 10 ? "just now" : `${words(gone)} ago`);
      }
    }
  };

  const tick = soon(tickNow);

  // A part in which the user is writing is not replaced now, but with the next refresh of the page.
  const busy = (part) =>
    part.matches(":focus-within") && /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)
    || [...part.querySelectorAll("textarea, input:not([type=hidden]), select")].some(changed);
  const changed = (field) =>
    field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked
      : field.tagName === "SELECT" ? [...field.options].some((option) => option.selected !== option.defaultSelected && option.defaultSelected)
        : field.value !== field.defaultValue;

  // The HTML of each part as the server last sent it, before relative times were updated.
  const sent = new Map([...document.querySelectorAll("[data-fresh][id]")].map((part) => [part.id, part.outerHTML]));

  // Loads the page again and replaces the parts (data-fresh, with an id) that differ.
  let refreshing = false;
  let wanted = false;
  const refresh = async () => {
    if (refreshing) {
      wanted = true;
      return;
    }
    refreshing = true;
    wanted = false;
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    refreshing = false;
    if (!answer || answer.status === 503 || answer.status === 429) {
      setTimeout(refresh, AGAIN_AFTER);
      return;
    }
    if (answer.redirected) {
      location.reload();
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll("[data-fresh][id]")) {
      const other = page.getElementById(part.id);
      if (other && other.outerHTML !== sent.get(part.id) && !busy(part)) {
        sent.set(part.id, other.outerHTML);
        const fresh = document.adoptNode(other);
        const opened = [...part.querySelectorAll("details[open][id]")].map((details) => details.id);
        const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
        part.replaceWith(fresh);
        opened.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
        if (focused) {
          document.getElementById(focused)?.focus();
        }
        htmx.process(fresh);
      }
    }
    tick();
    emit("page", page);
    if (wanted) {
      refresh();
    }
  };

  // Receives the page's server-sent events. The script of each section listens for them as gavel:NAME.
  let mark = body.dataset.mark;
  let source = null;
  const stays = () => document.querySelector("#inbox[data-list]");
  const connect = () => {
    const path = body.dataset.live;
    source = new EventSource(`${path}${path.includes("?") ? "&" : "?"}mark=${encodeURIComponent(mark)}`);
    const on = (name, act) => source.addEventListener(name, (event) => {
      if (event.lastEventId) {
        mark = event.lastEventId;
      }
      act(event.data);
    });
    source.onopen = () => { tell(""); emit("connected"); };
    on("mark", () => {});
    on("stale", refresh);
    on("reload", refresh);
    for (const name of (body.dataset.hears ?? "card row seps count").split(" ")) {
      on(name, (data) => emit(name, data));
    }
    on("signed-out", () => { source.close(); location.assign("/sign-in"); });
    source.onerror = () => {
      tell("Not connected. This page might be out of date. Reconnecting…");
      source.close();
      source = null;
      setTimeout(connect, AGAIN_AFTER);
    };
  };
  // Browsers allow few connections per server, so a hidden page closes its own. The inbox stays connected to notify
  // the user.
  const lookedAt = () => {
    if (!body.dataset.live || stays()) {
      return;
    }
    if (document.hidden && source) {
      source.close();
      source = null;
    } else if (!document.hidden && !source) {
      connect();
    }
  };

  // An error response that is not HTML must not be inserted into the page.
  body.addEventListener("htmx:beforeSwap", (event) => {
    const answer = event.detail.xhr;
    if (answer.status >= 400 && !(answer.getResponseHeader("Content-Type") ?? "").startsWith("text/html")) {
      event.detail.shouldSwap = false;
      say(`The request failed with status ${answer.status}. Try again in a moment.`);
    }
  });
  body.addEventListener("htmx:afterSwap", tick);
  body.addEventListener("htmx:sendError", () => tell("Not connected. This page might be out of date. Reconnecting…"));
  document.addEventListener("visibilitychange", lookedAt);
  setInterval(tickNow, TICK);
  tickNow();
  if (body.dataset.live) {
    connect();
  }
  const every = Number(document.querySelector("[data-every]")?.dataset.every ?? 0);
  if (every) {
    setInterval(() => { if (!document.hidden) { refresh(); } }, every);
  }
  return { say, hint, refresh, tick, soon, changed };
})();
