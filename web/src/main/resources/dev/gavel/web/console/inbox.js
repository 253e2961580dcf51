// Cards: inserts new ones in order, removes those of ended proposals without moving what the user points at, and handles
// keyboard shortcuts.
"use strict";
(() => {
  const inbox = document.getElementById("inbox");
  if (!inbox) {
    return;
  }
  const GOING_AFTER = 5000;
  // A person needs about this long to notice that what they aim at has moved.
  const SETTLES_AFTER = 500;
  const title = document.title;
  const list = "list" in inbox.dataset;
  const icon = document.getElementById("icon");
  const plainIcon = icon.href;
  const more = document.getElementById("more");

  const parse = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content.firstElementChild;
  };
  const what = (card) => card.querySelector("h2, h3").textContent.trim();
  const open = (card) => card.dataset.state === "open";

  // A control that has moved, or has just appeared, takes no clicks for a moment: the click was meant for what was there
  // before. Only the controls of visible cards matter. A key activates what has the focus, wherever it is, so it is
  // ignored only if the card says something else now.
  const CONTROLS = "a, button, label, select, summary";
  const places = new Map();
  const settling = new WeakMap();
  const unsettle = (part, mark) => {
    clearTimeout(settling.get(part));
    part.dataset[mark] = "yes";
    settling.set(part, setTimeout(() => { delete part.dataset[mark]; }, SETTLES_AFTER));
  };
  const seen = new Set();
  const measure = (moved) => {
    const before = new Map(places);
    places.clear();
    for (const control of [...seen].flatMap((card) => [...card.querySelectorAll(CONTROLS)])) {
      const { left, top } = control.getBoundingClientRect();
      const was = before.get(control);
      if (moved && (!was || Math.abs(was.left - left) > 2 || Math.abs(was.top - top) > 2)) {
        unsettle(control, "moved");
      }
      places.set(control, { left, top });
    }
  };
  const sight = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting && entry.target.isConnected) {
        seen.add(entry.target);
      } else {
        seen.delete(entry.target);
      }
    }
    measure(false);
  });
  const watch = (card) => sight.observe(card);
  new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes])) {
      if (node.parentElement === inbox && node.matches("article")) {
        seen.add(node);
        watch(node);
      }
    }
    seen.forEach((card) => { if (!card.isConnected) { seen.delete(card); } });
    measure(true);
  }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ["class", "hidden", "open"] });
  const measureAgain = () => measure(false);
  addEventListener("scroll", measureAgain, { passive: true });
  addEventListener("resize", measureAgain);
  inbox.querySelectorAll("article").forEach(watch);
  document.addEventListener("click", (event) => {
    const pointed = event.detail > 0;
    const ignored = pointed
      ? !event.target.closest("dialog") && [...inbox.querySelectorAll("[data-moved]")].some((control) => {
        const box = control.getBoundingClientRect();
        return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
      })
      : event.target.closest("#inbox > article[data-renewed]");
    if (ignored) {
      event.preventDefault();
      event.stopImmediatePropagation();
      Gavel.hint(pointed ? "The page has just moved, so your click was ignored. Click again."
        : "This card has just changed, so your key was ignored. Press it again.");
    }
  }, true);

  // The HTML of each part as the server sent it, because scripts change the page.
  const sent = new WeakMap();
  const note = (card) => card.querySelectorAll("[data-part]").forEach((part) => sent.set(part, part.innerHTML));
  inbox.querySelectorAll("article").forEach(note);

  // Keeps what the user is typing or choosing and replaces only the changed parts. An element that waits for a response
  // must still exist when the response arrives; that response also contains what is new.
  const renew = (old, card) => {
    old.dataset.careful = card.dataset.careful;
    let changed = false;
    for (const part of card.querySelectorAll("[data-part]")) {
      const place = old.querySelector(`[data-part="${part.dataset.part}"]`);
      if (place && sent.get(place) !== part.innerHTML && !place.querySelector(".htmx-request")) {
        sent.set(part, part.innerHTML);
        changed ||= part.dataset.part !== "standing";
        const chosen = place.querySelector("select")?.value;
        const focused = place.contains(document.activeElement) ? document.activeElement : null;
        place.replaceWith(part);
        const choice = part.querySelector("select");
        if (choice && chosen && [...choice.options].some((option) => option.value === chosen)) {
          choice.value = chosen;
        }
        if (focused) {
          (focused.dataset.key ? part.querySelector(`[data-key="${focused.dataset.key}"]`) : part.querySelector(focused.tagName))?.focus();
        }
        htmx.process(part);
      }
    }
    if (changed) {
      unsettle(old, "renewed");
    }
  };

  // What the user typed about a proposal that has ended stays on its card.
  const keep = (card) => {
    for (const draft of Drafts.all().filter((each) => each.key.startsWith(`${card.id}-`))) {
      if (!card.querySelector(`.kept[data-draft="${draft.key}"]`)) {
        card.append(Drafts.unsent(draft, () => { if (card.dataset.state === "over" && list) { go(card); } }));
      }
    }
  };

  // An ended card keeps its place while the user points at the list, works in the card, or has a draft in it.
  const leaving = new Set();
  const held = (card) =>
    card.contains(document.activeElement) || Boolean(card.querySelector(".kept")) || inbox.matches(":hover") && matchMedia("(hover: hover)").matches;
  const sweepNow = () => {
    for (const card of leaving) {
      if (!card.isConnected) {
        leaving.delete(card);
      } else if (!held(card)) {
        card.classList.add("going");
        setTimeout(() => {
          card.classList.remove("going");
          if (!held(card)) {
            leaving.delete(card);
            card.remove();
            count();
          }
        }, 400);
      }
    }
  };
  const sweep = Gavel.soon(sweepNow);
  inbox.addEventListener("pointerleave", sweep);
  document.addEventListener("focusin", sweep);
  document.addEventListener("focusout", sweep);
  const go = (card) => {
    card.dataset.going = "yes";
    setTimeout(() => {
      leaving.add(card);
      sweep();
    }, GOING_AFTER);
  };

  // A card that ends while the user points at the list stays as high as it was, so that the cards below do not move.
  const keepHeight = (old, card) => {
    if (inbox.matches(":hover")) {
      card.style.minHeight = `${old.getBoundingClientRect().height}px`;
      inbox.addEventListener("pointerleave", () => { card.style.minHeight = ""; }, { once: true });
    }
  };

  const place = (card) => {
    note(card);
    const old = document.getElementById(card.id);
    if (old && open(card) && open(old)) {
      renew(old, card);
      return;
    }
    if (old) {
      const ended = open(old) && !open(card);
      const was = old.dataset.going;
      const focused = old.contains(document.activeElement);
      const sending = old.querySelector("form.htmx-request");
      if (ended) {
        keepHeight(old, card);
      }
      old.replaceWith(card);
      if (focused) {
        card.focus();
      }
      if (!open(card) && !sending) {
        keep(card);
      }
      if (ended) {
        Gavel.say(`${what(card)}: ${card.querySelector(".ending")?.textContent ?? "no longer waiting for you"}`);
      }
      if (card.dataset.state === "over" && list && !was) {
        go(card);
      }
    } else if (open(card) && list && !Number(more.dataset.rest)) {
      card.classList.add("fresh");
      const later = [...inbox.children].find((other) => other.dataset.at > card.dataset.at);
      inbox.insertBefore(card, later ?? null);
      Gavel.say(`New proposal: ${what(card)}, by ${card.querySelector(".who strong").textContent}`);
      call(card);
    } else {
      return;
    }
    htmx.process(card);
  };

  // Shows the number of waiting items in the heading, the title and the tab's icon.
  const countNow = () => {
    const shown = document.getElementById("count");
    if (!shown) {
      return;
    }
    const cards = inbox.querySelectorAll('[data-state="open"]').length;
    const all = cards + Number(more.dataset.rest) + Number(document.getElementById("seps")?.dataset.count ?? 0);
    shown.textContent = all;
    document.title = all ? `(${all}) ${title}` : title;
    const href = all ? `/console/icon/${Math.min(all, 100)}` : plainIcon;
    if (icon.href !== new URL(href, location.href).href) {
      icon.href = href;
    }
  };

  const count = Gavel.soon(countNow);

  document.addEventListener("gavel:card", (event) => {
    place(parse(event.detail));
    count();
    Gavel.tick();
  });
  document.addEventListener("gavel:seps", (event) => {
    const fresh = parse(event.detail);
    const old = document.getElementById("seps");
    if (!old) {
      return;
    }
    const focused = old.contains(document.activeElement) ? document.activeElement.closest("article")?.id : null;
    old.replaceWith(fresh);
    if (focused) {
      document.getElementById(focused)?.focus();
    }
    count();
    Gavel.tick();
  });
  document.addEventListener("gavel:count", (event) => {
    if (!list || !Number(more.dataset.rest)) {
      return;
    }
    const cards = inbox.querySelectorAll('[data-state="open"]').length;
    more.dataset.rest = Math.max(0, Number(event.detail) - cards);
    document.getElementById("rest").textContent = more.dataset.rest;
    more.hidden = more.dataset.rest === "0";
    if (more.hidden || cards === 0) {
      Gavel.refresh();
    }
    count();
  });
  // The whole page was loaded again because the missed changes are not known. Cards are still placed one by one.
  document.addEventListener("gavel:page", (event) => {
    const page = event.detail;
    const cards = [...page.querySelectorAll("#inbox > article")];
    const there = new Set(cards.map((card) => card.id));
    for (const old of inbox.querySelectorAll('article[data-state="open"]')) {
      if (!there.has(old.id)) {
        keepHeight(old, old);
        old.dataset.state = "over";
        old.classList.add("over");
        old.querySelector(".moves")?.remove();
        old.querySelector(".slot")?.replaceChildren();
        keep(old);
        const ending = document.createElement("p");
        ending.className = "ending";
        ending.textContent = "This proposal is no longer waiting for you.";
        old.querySelector(".standing").replaceChildren(ending);
        go(old);
      }
    }
    if (list) {
      more.dataset.rest = 0;
    }
    cards.forEach((card) => place(document.adoptNode(card)));
    const rest = page.getElementById("more");
    if (rest && list) {
      more.dataset.rest = rest.dataset.rest;
      more.hidden = rest.hidden;
      document.getElementById("rest").textContent = rest.dataset.rest;
    }
    const seps = page.getElementById("seps");
    if (seps) {
      document.getElementById("seps")?.replaceWith(document.adoptNode(seps));
    }
    count();
    Gavel.tick();
  });

  // After a decision, the card has a new element, which gets the focus if the old one had it. A new form also gets the
  // focus.
  let acted = null;
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    acted = event.detail.elt.closest("article")?.id ?? null;
  });
  document.body.addEventListener("htmx:afterSwap", (event) => {
    count();
    const target = event.detail.target;
    if (target.classList.contains("slot")) {
      // The question gets the focus, not the button that confirms: a key that repeats must not confirm.
      target.querySelector("form.confirm, textarea, input:not([type=hidden])")?.focus();
      target.querySelectorAll("textarea.code").forEach(lines);
    } else if (target.classList.contains("checked")) {
      const text = target.closest("form").querySelector("textarea.code");
      lines(text);
    } else if (event.target.matches?.("article")) {
      note(event.target);
      if (!open(event.target)) {
        keep(event.target);
      }
      if (acted === event.target.id && !document.activeElement?.closest("article")) {
        event.target.focus();
      }
    }
  });
  document.body.addEventListener("click", (event) => {
    const cancel = event.target.closest("[data-cancel]");
    if (cancel?.closest(".slot")) {
      event.preventDefault();
      close(cancel.closest("article"));
    }
  });
  const close = async (card) => {
    const slot = card?.querySelector(".slot");
    const form = slot?.querySelector("form");
    if (form && await Drafts.mayDiscard(form) && form.isConnected) {
      slot.replaceChildren();
      card.focus();
    }
  };

  // Shows line numbers beside the editor and marks the lines with errors.
  const lines = (text) => {
    const gutter = text.closest(".lined")?.querySelector(".gutter");
    if (!gutter) {
      return;
    }
    const wrong = new Set([...text.closest("form").querySelectorAll(".troubles li")].map((each) => each.dataset.line));
    const total = text.value.split("\n").length;
    gutter.replaceChildren(...Array.from({ length: total }, (_, index) => {
      const number = document.createElement("span");
      number.textContent = index + 1;
      number.classList.toggle("wrong", wrong.has(String(index + 1)));
      return number;
    }));
    text.setAttribute("aria-invalid", wrong.size > 0);
    gutter.scrollTop = text.scrollTop;
    if (!text.dataset.lined) {
      text.dataset.lined = "yes";
      text.addEventListener("scroll", () => { gutter.scrollTop = text.scrollTop; });
      text.addEventListener("input", () => lines(text));
    }
  };
  document.querySelectorAll("textarea.code").forEach(lines);

  // Keyboard shortcuts act on the focused card.
  const cards = () => [...document.querySelectorAll("#inbox > article, #seps > article")];
  const current = () => document.activeElement?.closest("#inbox > article, #seps > article");
  const step = (from, by) => {
    const all = cards();
    return from ? all[all.indexOf(from) + by] : all[0];
  };
  const move = (by) => {
    const next = step(current(), by);
    if (next) {
      next.focus();
      next.scrollIntoView({ block: "nearest" });
    }
  };
  const press = (key) => {
    const card = current();
    if (!card) {
      const first = cards()[0];
      first?.focus();
      if (first) {
        Gavel.say(`${what(first)} is selected. Press ${key} again.`);
      }
      return;
    }
    const button = card.querySelector(`[data-key="${key}"]`);
    if (card.querySelector(".slot")?.firstElementChild && key !== "y") {
      Gavel.say("Submit or close the form first.");
      return;
    }
    if (!button || button.disabled) {
      Gavel.say("This action is not available here.");
      return;
    }
    const choice = /^[ay]$/.test(key) ? button.closest("form")?.querySelector("select") : null;
    if (choice && !choice.value) {
      choice.focus();
    } else {
      button.click();
    }
  };
  const help = document.getElementById("keys");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat && !/^[jk]$/.test(event.key)) {
      return;
    }
    if (event.key === "Escape") {
      if (!document.querySelector("dialog[open]")) {
        // The same key must not close the question that it opens.
        event.preventDefault();
        close(current());
      }
      return;
    }
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "radio" || help?.open) {
      return;
    }
    const act = {
      j: () => move(1), k: () => move(-1), a: () => press("a"), e: () => press("e"), r: () => press("r"),
      c: () => press("c"), y: () => press("y"), o: () => current()?.querySelector("h2 a, h3 a")?.click(), "?": () => help?.showModal(),
    }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });

  // Notifies a user whose page is hidden, if the user has enabled notifications.
  const tools = document.getElementById("tools");
  const notify = document.getElementById("notify");
  const WISH = "gavel-notify";
  const wished = () => "Notification" in window && Notification.permission === "granted" && localStorage.getItem(WISH) === "yes";
  const showWish = () => {
    notify.setAttribute("aria-pressed", wished());
    notify.textContent = wished() ? "Notifications on" : "Notify me";
    notify.hidden = !("Notification" in window) || Notification.permission === "denied";
  };
  const call = (card) => {
    if (document.hidden && wished()) {
      const note = new Notification(`${what(card)} is waiting for you`, {
        body: `Proposed by ${card.querySelector(".who strong").textContent}`, tag: card.id, icon: plainIcon,
      });
      note.onclick = () => { window.focus(); document.getElementById(card.id)?.focus(); note.close(); };
    }
  };
  if (tools) {
    tools.hidden = false;
    showWish();
    notify.addEventListener("click", async () => {
      if (wished()) {
        localStorage.setItem(WISH, "no");
      } else if (await Notification.requestPermission() === "granted") {
        localStorage.setItem(WISH, "yes");
      }
      showWish();
    });
    document.getElementById("keys-open").addEventListener("click", () => help.showModal());
  }
  countNow();

  // Drafts about proposals that are not on this page any more, such as those that ended before a reload.
  document.addEventListener("DOMContentLoaded", () => {
    for (const draft of Drafts.all().filter((each) => each.key.startsWith("p-"))) {
      const card = document.getElementById(draft.key.replace(/-(edit|reject)$/, ""));
      if (card && !open(card)) {
        keep(card);
      } else if (!card && list) {
        inbox.after(Drafts.unsent({ ...draft, whole: `Your text about ${draft.title} was not sent, because the call no longer waits for you:` }));
      }
    }
  });
})();
