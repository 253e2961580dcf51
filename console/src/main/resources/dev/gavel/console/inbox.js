// Cards: puts those that come in their place, and takes away those that are over.
"use strict";
(() => {
  const inbox = document.getElementById("inbox");
  if (!inbox) {
    return;
  }
  const title = document.title;
  const GOING_AFTER = 5000;

  const parse = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content.querySelector("article");
  };
  const what = (card) => card.querySelector("h2").textContent.trim();

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
        Gavel.say(`${what(card)}: ${card.querySelector(".ending")?.textContent ?? "no longer for you to decide"}`);
      }
      if (card.dataset.state === "over" && "list" in inbox.dataset && !was) {
        go(card);
      }
    } else if (open && "list" in inbox.dataset) {
      card.classList.add("fresh");
      const later = [...inbox.children].find((other) => other.dataset.at > card.dataset.at);
      inbox.insertBefore(card, later ?? null);
      Gavel.say(`New: ${what(card)}, by ${card.querySelector(".facts strong").textContent}`);
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

  document.addEventListener("gavel:card", (event) => {
    place(parse(event.detail));
    count();
    Gavel.tick();
  });
  // All anew, where what happened meanwhile is no longer known; cards are put in place one by one as ever.
  document.addEventListener("gavel:page", (event) => {
    const cards = [...event.detail.querySelectorAll("#inbox > article")];
    const there = new Set(cards.map((card) => card.id));
    for (const old of inbox.querySelectorAll('article[data-state="open"]')) {
      if (!there.has(old.id)) {
        old.remove();
      }
    }
    cards.forEach((card) => place(document.adoptNode(card)));
    count();
    Gavel.tick();
  });
  document.body.addEventListener("htmx:afterSwap", count);
  count();
})();
