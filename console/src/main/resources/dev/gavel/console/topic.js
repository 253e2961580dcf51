// Topics: puts what happens in its place on their pages, and keeps a proposal's story true.
"use strict";
(() => {
  // A card says that its proposal stands otherwise; its story, on the same page, is fetched with the page.
  document.addEventListener("gavel:card", (event) => {
    const card = document.getElementById("story") && document.querySelector("#inbox > article");
    if (card && event.detail.includes(`id="${card.id}"`)) {
      Gavel.refresh();
    }
  });
})();
