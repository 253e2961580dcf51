// Topics: inserts new activity into their pages, and keeps a proposal's history up to date.
"use strict";
(() => {
  // A card event means that the proposal changed; its history, on the same page, is loaded with the page.
  document.addEventListener("gavel:card", (event) => {
    const card = document.getElementById("story") && document.querySelector("#inbox > article");
    if (card && event.detail.includes(`id="${card.id}"`)) {
      Gavel.refresh();
    }
  });

  const rows = document.getElementById("rows");
  if (document.getElementById("people") && matchMedia("(max-width: 60rem)").matches) {
    document.getElementById("people").open = false;
  }
  if (!rows) {
    return;
  }
  // The maximum number of rows on the page; the oldest are removed.
  const MOST = 400;
  const filter = { show: rows.dataset.show, who: rows.dataset.who };
  const fits = (row) =>
    (!filter.show || row.dataset.sort === filter.show) && (!filter.who || row.dataset.who === filter.who);

  const undone = new Set();
  // Inserts a row, newest on top. Returns whether the row is new and visible.
  const put = (row) => {
    if (row.dataset.undoes) {
      // A page that was requested earlier may still contain the row.
      undone.add(row.dataset.undoes);
      document.getElementById(row.dataset.undoes)?.remove();
      return false;
    }
    if (undone.has(row.id) || document.getElementById(row.id)) {
      return false;
    }
    const at = Number(row.dataset.at);
    let older = rows.firstElementChild;
    while (older && Number(older.dataset.at) > at) {
      older = older.nextElementSibling;
    }
    if (!older && rows.childElementCount >= MOST) {
      return false;
    }
    row.hidden = !fits(row);
    rows.insertBefore(row, older);
    if (rows.childElementCount > MOST) {
      rows.lastElementChild.remove();
    }
    return !row.hidden;
  };

  // For a user who has scrolled down, the position stays, and a button shows the number of new rows above.
  const newer = document.createElement("button");
  newer.type = "button";
  newer.className = "newer";
  newer.hidden = true;
  rows.before(newer);
  let above = 0;
  const away = () => rows.getBoundingClientRect().top < 0;
  const tellAbove = (count) => {
    above = count;
    newer.hidden = !above;
    newer.textContent = above === 1 ? "↑ 1 new" : `↑ ${above} new`;
  };
  newer.addEventListener("click", () => {
    tellAbove(0);
    scrollTo({ top: 0 });
    rows.querySelector("a")?.focus({ preventScroll: true });
  });
  addEventListener("scroll", () => { if (above && !away()) { tellAbove(0); } }, { passive: true });
  const steadily = (change) => {
    const reading = away();
    const before = document.documentElement.scrollHeight;
    const fresh = change();
    if (reading) {
      if (!CSS.supports("overflow-anchor", "auto")) {
        scrollBy(0, document.documentElement.scrollHeight - before);
      }
      if (fresh.length) {
        tellAbove(above + fresh.length);
      }
    }
    Gavel.tick();
    return fresh;
  };

  const words = (row) => row.querySelector(".step").innerText.trim().replace(/\s+/g, " ").slice(0, 200);
  document.addEventListener("gavel:row", (event) => {
    const template = document.createElement("template");
    template.innerHTML = event.detail;
    const fresh = steadily(() => [...template.content.children].filter((row) => put(document.adoptNode(row))));
    if (fresh.length) {
      fresh.forEach((row) => row.classList.add("fresh"));
      Gavel.say(fresh.length === 1 ? words(fresh[0]) : `${fresh.length} new events. Latest: ${words(fresh.at(-1))}`);
    }
  });
  document.addEventListener("gavel:page", (event) => {
    steadily(() => {
      [...event.detail.querySelectorAll("#rows > li")].forEach((row) => put(document.adoptNode(row)));
      return [];
    });
  });

  // Filters the present rows at once, then loads further rows from the server.
  const sorts = document.getElementById("sorts");
  const by = document.getElementById("by");
  const choose = () => {
    const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value)).toString();
    history.replaceState(null, "", location.pathname + (query ? `?${query}` : ""));
    for (const link of sorts.querySelectorAll("a")) {
      link.toggleAttribute("aria-current", link.dataset.sort === filter.show);
      if (link.dataset.sort === filter.show) {
        link.setAttribute("aria-current", "true");
      }
    }
    for (const row of rows.children) {
      row.hidden = !fits(row);
    }
    Gavel.refresh();
  };
  sorts.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      filter.show = link.dataset.sort;
      choose();
    }
  });
  by.querySelector("button").hidden = true;
  by.querySelector("select").addEventListener("change", (event) => {
    filter.who = event.target.value;
    choose();
  });

  // Enter sends the message, as in other chat programs; Shift+Enter starts a new line.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.target.matches("#chat textarea")) {
      event.preventDefault();
      event.target.form.requestSubmit();
    }
  });
})();
