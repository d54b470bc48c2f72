// Small tools of the page: elements by name, new elements, texts that stand in the HTML.

import { texts } from "./texts.js";

export const SVG = "http://www.w3.org/2000/svg";

export const element = (id) => document.getElementById(id);

/** A new element of HTML with properties and children; texts are never markup. */
export function make(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** A new element of SVG. */
export function draw(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The root of a picture that the server has drawn. */
export function picture(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  root.removeAttribute("width");
  root.removeAttribute("height");
  return document.importNode(root, true);
}

/** Fills in the texts that the HTML names. */
export function fillTexts() {
  for (const one of document.querySelectorAll("[data-text]")) one.textContent = texts[one.dataset.text];
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", texts[one.dataset.label]);
  for (const one of document.querySelectorAll("[data-tip]")) one.title = texts[one.dataset.tip];
}

let hiding;

/** Says something for some seconds. */
export function toast(text) {
  const box = element("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { box.hidden = true; }, 4000);
}

/** Choices side by side, of which one holds. */
export function segments(box, name, choices, chosen, changed) {
  box.replaceChildren(...Object.entries(choices).map(([value, text]) => make("label", {},
    make("input", { type: "radio", name, value, checked: value === chosen, onchange: () => changed?.(value) }),
    make("span", { textContent: text, title: text }))));
}

/** The value that is chosen among segments. */
export const chosen = (box) => box.querySelector("input:checked")?.value;
