// Acting on SEPs: forms that open in the page, and the editor. Without this script each form is a separate page.
"use strict";
(() => {
  const here = document.getElementById("act-here");
  let opener = "";
  const link = () => [...document.querySelectorAll("#acts a")].find((each) => each.getAttribute("href") === opener);
  const close = async () => {
    if (await Drafts.mayDiscard(here.querySelector("form"))) {
      here.replaceChildren();
      // Finds the link again, because the page may have been replaced since.
      link()?.focus();
    }
  };
  // Focuses the first field of a form that was opened, or the error message of a form that was submitted.
  document.body.addEventListener("htmx:load", (event) => {
    const form = event.detail.elt.closest?.("form.act");
    if (form) {
      (form.querySelector(".complaint") ?? form.querySelector("input:not([type=hidden]), textarea, select") ?? form.querySelector("h3"))?.focus();
      form.scrollIntoView({ block: "nearest" });
    }
  });
  document.querySelector("form.act .complaint")?.focus();
  // Shows the confirmation of an action once: not when the page is reloaded, or its address is sent to another person.
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
  // What the user typed into a form that is not on this page any more, such as one of a move that another person made.
  document.addEventListener("DOMContentLoaded", () => {
    for (const draft of Drafts.all().filter((each) => each.key.startsWith(`${location.pathname}/act/`))) {
      const form = document.querySelector(`form[data-keep="${CSS.escape(draft.key)}"]`);
      if (!form && !document.querySelector(`#acts a[href="${CSS.escape(draft.opener)}"]`)) {
        here.after(Drafts.unsent(draft));
      }
    }
  });
  // Escape closes the open form, wherever the focus is.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && here.firstElementChild && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      close();
    }
  });
})();

// The editor: the draft survives a reload, and is checked a moment after typing stops.
(() => {
  const SENT = "gavel-draft-sent";
  const AGAIN_AFTER = 1000;
  const form = document.getElementById("editor");
  const key = form ? `gavel-draft:${form.dataset.draft}` : "";
  const sent = sessionStorage.getItem(SENT);
  sessionStorage.removeItem(SENT);
  // A draft that was submitted and not returned was accepted.
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

  // Restores the draft with the version it is based on, so that a version that another user saved since is not
  // overwritten unseen.
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
      // Too long to be stored: leaving the page still warns.
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

  // The server renders one preview at a time for each user: retries while the previous one is not ready.
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

  // Measures the position of a line: the height of a copy of the textarea whose text ends there.
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
