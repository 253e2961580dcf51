// Acting on SEPs: forms that open in their place, and the editor. Without it each form is a page of its own.
"use strict";
(() => {
  const here = document.getElementById("act-here");
  let opener = "";
  const link = () => [...document.querySelectorAll("#acts a")].find((each) => each.getAttribute("href") === opener);
  const close = () => {
    here.replaceChildren();
    // Not the link itself is kept: the page may have been made new meanwhile.
    link()?.focus();
  };
  // Whoever opened a form goes on in it; whoever sent one is told what came of it.
  document.body.addEventListener("htmx:load", (event) => {
    const form = event.detail.elt.closest?.("form.act");
    if (form) {
      (form.querySelector(".complaint") ?? form.querySelector("input:not([type=hidden]), textarea, select") ?? form.querySelector("h3"))?.focus();
      form.scrollIntoView({ block: "nearest" });
    }
  });
  document.querySelector("form.act .complaint")?.focus();
  // Whoever has done something is told so once: not when the page is loaded again, or sent to somebody.
  const did = document.getElementById("did");
  if (did) {
    did.focus();
    const place = new URL(location.href);
    place.searchParams.delete("did");
    history.replaceState(history.state, "", place);
  }
  if (!here) {
    return;
  }
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target === here && event.detail.elt.matches("a")) {
      opener = event.detail.elt.getAttribute("href");
    }
  });
  here.addEventListener("click", (event) => {
    if (event.target.closest("[data-close]")) {
      event.preventDefault();
      close();
    }
  });
  // Wherever the focus is: the form that was opened last is the one that is meant.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && here.firstElementChild) {
      close();
    }
  });
})();

// The editor: what is written survives a reload, and is checked a moment after typing stops.
(() => {
  const SENT = "gavel-draft-sent";
  const AGAIN_AFTER = 1000;
  const form = document.getElementById("editor");
  const key = form ? `gavel-draft:${form.dataset.draft}` : "";
  const sent = sessionStorage.getItem(SENT);
  sessionStorage.removeItem(SENT);
  // What was sent and did not come back was taken.
  if (sent && !(sent === key && form.dataset.typed === "yes")) {
    sessionStorage.removeItem(sent);
  }
  if (!form) {
    return;
  }
  const text = document.getElementById("document");
  const restored = document.getElementById("restored");
  const check = () => htmx.trigger(text, "gavel:check");
  const original = text.defaultValue;
  let sending = false;

  // With the version it was made from: what somebody else saved since then is not overwritten unseen.
  const base = form.elements.base;
  const seen = base.value;
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
  if (kept && kept.text !== text.value && form.dataset.typed !== "yes") {
    text.value = kept.text;
    base.value = kept.base;
    restored.hidden = false;
    check();
  }
  document.getElementById("discard").addEventListener("click", () => {
    text.value = original;
    base.value = seen;
    sessionStorage.removeItem(key);
    restored.hidden = true;
    text.focus();
    check();
  });
  const changed = () => form.dataset.typed === "yes" || text.value !== original;
  text.addEventListener("input", () => {
    try {
      sessionStorage.setItem(key, JSON.stringify({ text: text.value, base: base.value }));
    } catch {
      // Too long to be kept: leaving still warns.
    }
  });
  window.addEventListener("beforeunload", (event) => {
    if (!sending && changed()) {
      event.preventDefault();
    }
  });
  form.addEventListener("submit", () => {
    sending = true;
    sessionStorage.setItem(SENT, key);
  });

  // One at a time: where the one before is still being made, this one is asked for again.
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig?.path === "/console/seps/check" && event.detail.xhr.status === 429) {
      event.detail.shouldSwap = false;
      setTimeout(check, AGAIN_AFTER);
    }
  });
  let scrolled = 0;
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id === "checked") {
      scrolled = document.querySelector(".preview")?.scrollTop ?? 0;
    }
  });
  document.body.addEventListener("htmx:afterSwap", () => {
    const preview = document.querySelector(".preview");
    if (preview) {
      preview.scrollTop = scrolled;
    }
  });

  // Where a line is in the textarea is told by how high one is that ends there.
  const top = (end) => {
    const twin = text.cloneNode();
    twin.removeAttribute("id");
    twin.removeAttribute("name");
    twin.setAttribute("aria-hidden", "true");
    Object.assign(twin.style, { position: "absolute", visibility: "hidden", height: "0", minHeight: "0", width: `${text.offsetWidth}px` });
    twin.value = text.value.slice(0, end);
    text.parentElement.append(twin);
    const height = twin.scrollHeight;
    twin.remove();
    return height;
  };
  form.addEventListener("click", (event) => {
    const link = event.target.closest(".to-line");
    if (!link) {
      return;
    }
    event.preventDefault();
    const lines = text.value.split("\n");
    const line = Math.min(Number(link.dataset.line), lines.length) - 1;
    const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
    text.focus();
    text.setSelectionRange(start, start + lines[line].length);
    text.scrollTop = Math.max(0, top(start) - text.clientHeight / 3);
    text.scrollIntoView({ block: "nearest" });
  });
})();
