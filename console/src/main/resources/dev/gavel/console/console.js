// Keeps an open page true: takes what the server tells and puts it in its place. Everything works without it, too.
"use strict";
(() => {
  const inbox = document.getElementById("inbox");
  const news = document.getElementById("news");
  const link = document.getElementById("link");
  const title = document.title;
  const GOING_AFTER = 5000;
  const AGAIN_AFTER = 2000;

  for (const form of document.querySelectorAll('form[data-at-once="yes"]')) {
    form.requestSubmit();
  }
  if (!inbox) {
    return;
  }

  const parse = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content.querySelector("article");
  };
  const what = (card) => card.querySelector("h2").textContent.trim();
  const say = (words) => { news.textContent = words; };

  // What somebody is typing or choosing stays; only what is told about it is made new.
  const renew = (old, card) => {
    for (const part of card.querySelectorAll("[data-part]")) {
      const place = old.querySelector(`[data-part="${part.dataset.part}"]`);
      if (place && place.innerHTML !== part.innerHTML) {
        const chosen = place.querySelector("select")?.value;
        const focused = place.contains(document.activeElement) ? document.activeElement.tagName : null;
        place.replaceWith(part);
        const choice = part.querySelector("select");
        if (choice && chosen && [...choice.options].some((option) => option.value === chosen)) {
          choice.value = chosen;
        }
        if (focused) {
          part.querySelector(focused.toLowerCase())?.focus();
        }
        htmx.process(part);
      }
    }
  };

  const go = (card) => {
    card.dataset.going = "yes";
    setTimeout(() => {
      card.classList.add("going");
      setTimeout(() => { card.remove(); count(); }, 400);
    }, GOING_AFTER);
  };

  const place = (card) => {
    const old = document.getElementById(card.id);
    const open = card.dataset.state === "open";
    if (old && open && old.dataset.state === "open" && !!old.querySelector(".approve") === !!card.querySelector(".approve")) {
      renew(old, card);
      return;
    }
    if (old) {
      const ended = old.dataset.state === "open" && !open;
      const was = old.dataset.going;
      old.replaceWith(card);
      if (ended) {
        say(`${what(card)}: ${card.querySelector(".ending")?.textContent ?? "no longer for you to decide"}`);
      }
      if (card.dataset.state === "over" && "list" in inbox.dataset && !was) {
        go(card);
      }
    } else if (open && "list" in inbox.dataset) {
      card.classList.add("fresh");
      const later = [...inbox.children].find((other) => other.dataset.at > card.dataset.at);
      inbox.insertBefore(card, later ?? null);
      say(`New: ${what(card)}, by ${card.querySelector(".facts strong").textContent}`);
    } else {
      return;
    }
    htmx.process(card);
  };

  const count = () => {
    const open = inbox.querySelectorAll('[data-state="open"]').length;
    const shown = document.getElementById("count");
    if (shown) {
      shown.textContent = document.getElementById("more") ? `${open}+` : open;
      document.title = open ? `(${open}) ${title}` : title;
    }
  };

  // All anew, where what happened meanwhile is no longer known; cards are put in place one by one as ever.
  const reload = async () => {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer || answer.status === 503 || answer.status === 429) {
      setTimeout(reload, AGAIN_AFTER);
      return;
    }
    if (answer.redirected || !answer.ok) {
      location.reload();
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const cards = [...page.querySelectorAll("#inbox > article")];
    const there = new Set(cards.map((card) => card.id));
    for (const old of inbox.querySelectorAll('article[data-state="open"]')) {
      if (!there.has(old.id)) {
        old.remove();
      }
    }
    cards.forEach((card) => place(document.adoptNode(card)));
    count();
  };

  const tell = (words) => {
    if (link) {
      link.textContent = words;
      link.hidden = !words;
    }
  };

  let mark = inbox.dataset.mark;
  const connect = () => {
    const source = new EventSource(`${inbox.dataset.live}mark=${encodeURIComponent(mark)}`);
    const on = (name, act) => source.addEventListener(name, (event) => {
      if (event.lastEventId) {
        mark = event.lastEventId;
      }
      act(event.data);
    });
    source.onopen = () => tell("");
    on("card", (html) => { place(parse(html)); count(); });
    on("reload", reload);
    on("mark", () => {});
    on("signed-out", () => { source.close(); location.assign("/sign-in"); });
    source.onerror = () => {
      tell("not connected; trying again");
      source.close();
      setTimeout(connect, AGAIN_AFTER);
    };
  };

  const words = (seconds) => {
    const whole = Math.max(0, Math.floor(seconds));
    if (whole < 60) { return `${whole} s`; }
    if (whole < 7200) { return `${Math.round(whole / 60)} min`; }
    return whole < 172800 ? `${Math.round(whole / 3600)} h` : `${Math.round(whole / 86400)} days`;
  };
  const tick = () => {
    const now = Date.now();
    for (const time of inbox.querySelectorAll("time")) {
      const at = new Date(time.dateTime);
      time.title = at.toLocaleString();
      if ("left" in time.dataset) {
        const left = (at - now) / 1000;
        time.textContent = words(left);
        time.closest(".expiry").classList.toggle("soon", left < 60);
      } else {
        const gone = (now - at) / 1000;
        time.textContent = gone < 10 ? "just now" : `${words(gone)} ago`;
      }
    }
  };

  // What is no part of a page has no place on one.
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const answer = event.detail.xhr;
    if (answer.status >= 400 && !(answer.getResponseHeader("Content-Type") ?? "").startsWith("text/html")) {
      event.detail.shouldSwap = false;
      say(`Not done: the server answered ${answer.status}. Try again in a moment.`);
    }
  });
  document.body.addEventListener("htmx:afterSwap", () => { count(); tick(); });
  document.body.addEventListener("htmx:sendError", () => tell("not connected; trying again"));
  setInterval(tick, 5000);
  tick();
  count();
  connect();
})();
