// What need not be scrolled is no stop on the way by keyboard.
"use strict";
(() => {
  if (!document.getElementById("sep-document")) {
    return;
  }
  const settle = () => {
    for (const part of document.querySelectorAll(".document pre, .document table")) {
      if (part.scrollWidth > part.clientWidth) {
        part.tabIndex = 0;
      } else {
        part.removeAttribute("tabindex");
      }
    }
  };
  document.addEventListener("gavel:page", settle);
  window.addEventListener("resize", settle);
  settle();
})();

// Where there is little room, what SEPs are looked for by is folded until somebody wants it.
(() => {
  const fold = document.getElementById("seps-fold");
  if (fold && fold.dataset.used === "no" && window.matchMedia("(max-width: 40rem)").matches) {
    fold.open = false;
  }
})();
