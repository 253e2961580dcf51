// Blocks that need no scrolling are removed from the tab order.
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

// On small screens, the filter form is folded unless a filter is active.
(() => {
  const fold = document.getElementById("seps-fold");
  if (fold && fold.dataset.used === "no" && window.matchMedia("(max-width: 40rem)").matches) {
    fold.open = false;
  }
})();
