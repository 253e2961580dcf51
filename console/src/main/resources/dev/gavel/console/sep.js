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
