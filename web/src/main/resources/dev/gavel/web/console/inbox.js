// Cards: inserts new ones in order, removes those of ended proposals, and handles keyboard shortcuts.
"use strict";
(() => {
  const inbox = document.getElementById("inbox");
  if (!inbox) {
    return;
  }
  const GOING_AFTER = 5000;
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

  // The HTML of each part as the server sent it, because scripts change the page.
  const sent = new WeakMap();
  const note = (card) => card.querySelectorAll("[data-part]").forEach((part) => sent.set(part, part.innerHTML));
  inbox.querySelectorAll("article").forEach(note);

  // Keeps what the user is typing or choosing and replaces only the changed parts. An element that waits for a response
  // must still exist when the response arrives; that response also contains what is new.
  const renew = (old, card) => {
    old.dataset.careful = card.dataset.careful;
    for (const part of card.querySelectorAll("[data-part]")) {
      const place = old.querySelector(`[data-part="${part.dataset.part}"]`);
      if (place && sent.get(place) !== part.innerHTML && !place.querySelector(".htmx-request")) {
        sent.set(part, part.innerHTML);
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
  };

  const go = (card) => {
    card.dataset.going = "yes";
    setTimeout(() => {
      card.classList.add("going");
      setTimeout(() => {
        // The focus does not move to another card: a key press meant for this card must not act on another.
        if (card.contains(document.activeElement)) {
          inbox.focus();
        }
        card.remove();
        count();
      }, 400);
    }, GOING_AFTER);
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
      old.replaceWith(card);
      if (focused) {
        card.focus();
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
        old.dataset.state = "over";
        old.classList.add("over");
        old.querySelector(".moves")?.remove();
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
      target.querySelector("textarea, input:not([type=hidden])")?.focus();
      target.querySelectorAll("textarea.code").forEach(lines);
    } else if (target.classList.contains("checked")) {
      const text = target.closest("form").querySelector("textarea.code");
      lines(text);
    } else if (event.target.matches?.("article")) {
      note(event.target);
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
  const close = (card) => {
    const slot = card?.querySelector(".slot");
    if (slot?.firstElementChild) {
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
    if (card.querySelector(".slot")?.firstElementChild) {
      Gavel.say("Submit or close the form first.");
      return;
    }
    if (!button || button.disabled) {
      Gavel.say("This action is not available here.");
      return;
    }
    const choice = key === "a" ? button.closest("form").querySelector("select") : null;
    if (choice && !choice.value) {
      choice.focus();
    } else if (key === "a" && card.dataset.careful === "yes" && document.activeElement !== button) {
      const label = button.textContent;
      button.focus();
      button.textContent = "Press a again to approve";
      button.addEventListener("blur", () => { button.textContent = label; }, { once: true });
      Gavel.say(`Check ${what(card)} again. Press a again to approve it.`);
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
      close(current());
      return;
    }
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "radio" || help?.open) {
      return;
    }
    const act = {
      j: () => move(1), k: () => move(-1), a: () => press("a"), e: () => press("e"), r: () => press("r"),
      c: () => press("c"), o: () => current()?.querySelector("h2 a, h3 a")?.click(), "?": () => help?.showModal(),
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
})();
