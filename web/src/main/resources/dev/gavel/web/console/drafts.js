// Drafts: what a user types into a form (data-keep) survives a reload of the tab, a refused request, and the decision of
// another person. Drafts are stored for this tab only, for each user, and removed when the user signs out.
"use strict";
const Drafts = (() => {
  const PREFIX = "gavel-draft";
  const SENT = "gavel-keep-sent";
  const mine = `${PREFIX}:${document.body.dataset.user ?? ""}:`;

  const fields = (form) =>
    [...form.elements].filter((field) => field.name && !/^(hidden|password|submit|button|fieldset)$/.test(field.type));
  const marked = (field) => field.type === "radio" || field.type === "checkbox";
  const dirty = (form) => form.dataset.typed === "yes" || fields(form).some(Gavel.changed);
  const remove = (key) => sessionStorage.removeItem(mine + key);
  const read = (key) => JSON.parse(sessionStorage.getItem(mine + key) ?? "null");

  /** Returns the stored drafts, latest last. */
  const all = () => Object.keys(sessionStorage).filter((name) => name.startsWith(mine))
    .map((name) => ({ key: name.slice(mine.length), ...JSON.parse(sessionStorage.getItem(name)) }))
    .filter((draft) => draft.values)
    .sort((one, other) => one.at - other.at);

  const save = (form) => {
    if (!dirty(form)) {
      remove(form.dataset.keep);
      return;
    }
    const values = fields(form).filter((field) => !marked(field) || field.checked)
      .map((field) => ({ name: field.name, value: field.value, typed: !marked(field) && field.tagName !== "SELECT" && Gavel.changed(field) }));
    try {
      sessionStorage.setItem(mine + form.dataset.keep, JSON.stringify(
        { values, at: Date.now(), title: form.dataset.title ?? "", path: form.dataset.path ?? "", opener: form.dataset.opener ?? "" }));
    } catch {
      // Too long to be stored: closing the form still asks.
    }
  };

  const restore = (form) => {
    const draft = read(form.dataset.keep);
    if (!draft?.values) {
      return;
    }
    let changed = false;
    for (const field of fields(form)) {
      const value = draft.values.find((each) => each.name === field.name && (!marked(field) || each.value === field.value));
      if (marked(field) ? field.checked !== Boolean(value) : value && field.value !== value.value) {
        changed = true;
        if (marked(field)) {
          field.checked = Boolean(value);
        } else {
          field.value = value.value;
        }
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
    if (changed) {
      const note = document.createElement("p");
      note.className = "notice restored";
      const discard = document.createElement("button");
      discard.type = "button";
      discard.className = "plain";
      discard.textContent = "Discard draft";
      discard.addEventListener("click", () => {
        form.reset();
        remove(form.dataset.keep);
        note.remove();
        fields(form).forEach((field) => field.dispatchEvent(new Event("input", { bubbles: true })));
        fields(form)[0]?.focus();
      });
      note.append("Your draft was restored. ", discard);
      form.prepend(note);
    }
  };

  /** Asks whether to discard what the user typed into a form. Resolves to true if nothing is lost, or the user agrees. */
  const mayDiscard = (form) => {
    if (!form || !dirty(form)) {
      return Promise.resolve(true);
    }
    const dialog = document.createElement("dialog");
    dialog.className = "discard";
    dialog.setAttribute("aria-label", "Discard what you typed?");
    dialog.innerHTML = '<form method="dialog"><p><strong>Discard what you typed?</strong></p>'
      + '<div class="buttons"><button value="keep" autofocus>Keep editing</button> <button class="danger" value="discard">Discard</button></div></form>';
    document.body.append(dialog);
    const before = document.activeElement;
    dialog.showModal();
    return new Promise((done) => {
      dialog.addEventListener("close", () => {
        const agreed = dialog.returnValue === "discard";
        dialog.remove();
        if (agreed) {
          remove(form.dataset.keep);
        } else {
          before?.focus();
        }
        done(agreed);
      });
    });
  };

  /** Returns an element that shows a draft which cannot be sent any more, until the user discards it. */
  const unsent = (draft, whenDiscarded) => {
    const part = document.createElement("section");
    part.className = "kept";
    part.dataset.draft = draft.key;
    const label = document.createElement("label");
    const text = document.createElement("textarea");
    text.readOnly = true;
    text.id = `kept-${draft.key}`;
    label.htmlFor = text.id;
    label.textContent = draft.whole ?? "Your text was not sent:";
    text.value = draft.values.filter((value) => value.typed && value.value).map((value) => value.value).join("\n\n");
    text.rows = Math.min(12, text.value.split("\n").length + 1);
    const discard = document.createElement("button");
    discard.type = "button";
    discard.className = "plain";
    discard.textContent = "Discard";
    discard.addEventListener("click", () => {
      remove(draft.key);
      part.remove();
      whenDiscarded?.();
    });
    part.append(label, text, discard);
    return part;
  };

  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (form?.dataset.keep) {
      save(form);
    }
  });
  // A draft that the server accepted is not needed any more; one that it refused is, and so is what the user typed while
  // the server answered. The response may be a redirection, after which nothing is swapped.
  const typed = (form) => JSON.stringify(fields(form).map((field) => [field.name, field.value, field.checked]));
  const sending = new WeakMap();
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.dataset?.keep) {
      sending.set(event.detail.elt, typed(event.detail.elt));
    }
  });
  document.body.addEventListener("htmx:beforeOnLoad", (event) => {
    const form = event.detail.elt;
    if (form?.dataset?.keep && event.detail.xhr.status < 400 && sending.get(form) === typed(form)) {
      remove(form.dataset.keep);
    }
  });
  document.addEventListener("submit", (event) => {
    if (event.target.matches("form.leave")) {
      Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX)).forEach((name) => sessionStorage.removeItem(name));
    } else if (event.target.dataset.keep && !event.defaultPrevented) {
      sessionStorage.setItem(SENT, event.target.dataset.keep);
    }
  });
  const sent = sessionStorage.getItem(SENT);
  sessionStorage.removeItem(SENT);
  if (sent && !document.querySelector(`form[data-keep="${CSS.escape(sent)}"][data-typed="yes"]`)) {
    remove(sent);
  }
  const restoreIn = (part) => {
    [part, ...part.querySelectorAll("form[data-keep]")].filter((form) => form.matches?.("form[data-keep]")).forEach(restore);
  };
  document.body.addEventListener("htmx:load", (event) => restoreIn(event.detail.elt));

  // Opens the forms again that were open before the page was loaded again. htmx handles links from this event on.
  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("form[data-keep]").forEach((form) => { if (!form.querySelector(".restored")) { restore(form); } });
    const opened = new Set();
    for (const draft of all().reverse()) {
      const link = draft.opener && document.querySelector(`a[href="${CSS.escape(draft.opener)}"][hx-get]`);
      const place = link?.getAttribute("hx-target");
      if (link && !opened.has(place) && !document.querySelector(`form[data-keep="${CSS.escape(draft.key)}"]`)) {
        opened.add(place);
        link.click();
      }
    }
  });
  return { all, dirty, mayDiscard, remove, unsent };
})();
