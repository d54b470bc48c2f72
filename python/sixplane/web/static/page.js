// What all pages use: elements by their ids, new elements, and the texts of the HTML.

/** @import { Color, Elements } from "./types.d.ts" */
/** @import { Elements as WatchElements } from "./watch-types.d.ts" */

export const SVG = "http://www.w3.org/2000/svg";

/** Black and White. @type {Color[]} */
export const COLORS = [0, 1];

//: The status of the answer to a page whose token is that of an earlier server.
export const FORBIDDEN = 403;

/**
 * The element of index.html with this id.
 *
 * @template {keyof Elements} Id
 * @param {Id} id
 */
export const element = (id) => /** @type {Elements[Id]} */ (document.getElementById(id));

/**
 * The element of watch.html with this id.
 *
 * @template {keyof WatchElements} Id
 * @param {Id} id
 */
export const watchElement = (id) => /** @type {WatchElements[Id]} */ (document.getElementById(id));

/**
 * The first element below another one that matches a selector; there must be one.
 *
 * @param {ParentNode} below
 * @param {string} selector
 */
export const within = (below, selector) => /** @type {HTMLElement} */ (below.querySelector(selector));

/**
 * The input elements below an element that match a selector.
 *
 * @param {Element} below
 * @param {string} selector
 */
export const fields = (
  below,
  selector,
) => /** @type {HTMLInputElement[]} */ ([...below.querySelectorAll(selector)]);

/**
 * The target of an event.
 *
 * @param {Event} event
 */
export const targetOf = (event) => /** @type {HTMLInputElement} */ (event.target);

/**
 * A new element of HTML with properties and children; texts are never markup.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, unknown>} properties
 * @param {...(Node | string)} children
 */
export function make(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) Object.assign(made, { [key]: value });
    else made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * A new element of SVG.
 *
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function draw(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/**
 * The SVG element of a picture that the server has drawn.
 *
 * @param {string} text
 */
export function picture(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  root.removeAttribute("width");
  root.removeAttribute("height");
  return document.importNode(root, true);
}

/**
 * Fills in the texts that the attributes `data-text`, `data-label` and `data-tip` of the HTML name.
 *
 * @param {Record<string, string>} texts
 */
export function fillTexts(texts) {
  for (const kind of ["text", "label", "tip"]) {
    for (const one of document.querySelectorAll(`[data-${kind}]`)) {
      const text = texts[one.getAttribute(`data-${kind}`) ?? ""];
      if (kind === "text") one.textContent = text;
      else one.setAttribute(kind === "tip" ? "title" : "aria-label", text);
    }
  }
}

/** Shows the page light or dark, as the system of its reader is. */
export function followSystem() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => {
    document.documentElement.dataset.scheme = dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", paint);
  paint();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;

/**
 * Shows a text for some seconds.
 *
 * @param {string} text
 */
export function toast(text) {
  const box = element("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    box.hidden = true;
  }, 4000);
}

/**
 * Fills an element with choices side by side, of which one is chosen.
 *
 * @template {string} Value
 * @param {Element} box
 * @param {string} name
 * @param {Record<Value, string>} choices
 * @param {string} chosen
 * @param {(value: Value) => void} changed
 */
export function segments(box, name, choices, chosen, changed) {
  box.replaceChildren(
    ...Object.entries(choices).map(([value, text]) =>
      make(
        "label",
        {},
        make("input", {
          type: "radio",
          name,
          value,
          checked: value === chosen,
          onchange: () => changed(/** @type {Value} */ (value)),
        }),
        make("span", { textContent: text, title: text }),
      )
    ),
  );
}

/**
 * The value that is chosen among segments.
 *
 * @param {Element} box
 */
export const chosen = (box) => box.querySelector("input:checked")?.getAttribute("value") ?? "";
