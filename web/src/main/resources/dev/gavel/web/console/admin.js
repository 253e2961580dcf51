// Copies the content of a field if the browser allows it: over TLS, or on this machine.
"use strict";
(() => {
  const button = document.querySelector("button[data-copy]");
  if (!button || !navigator.clipboard) {
    return;
  }
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  field.addEventListener("focus", () => field.select());
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value).then(
      () => { button.textContent = "Copied"; Gavel.say("Copied."); },
      () => { field.select(); Gavel.say("Copying failed. Select the text and copy it manually."); });
  });
})();
