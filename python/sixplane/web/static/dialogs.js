// Questions that need an answer, and dialogs that close.

/** @import { State } from "./types.d.ts" */

import { element, make, targetOf } from "./page.js";
import { keys } from "./texts.js";

/**
 * Resolves the question that was asked last.
 *
 * @type {((isYes: boolean) => void) | null}
 */
let answer = null;

/** Answers the question whose dialog is closed. */
function settle() {
  answer?.(element("ask").returnValue === "yes");
  answer = null;
}

/**
 * Asks a question; true if the answer is yes.
 *
 * @param {{ title: string, text: string, yes: string }} question
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, yes }) {
  const dialog = element("ask");
  // The event of a closed dialog comes later, and the question before may still wait for it.
  settle();
  element("ask-title").textContent = title;
  element("ask-text").textContent = text;
  element("ask-yes").textContent = yes;
  dialog.returnValue = "no";
  return new Promise((resolve) => {
    answer = resolve;
    dialog.showModal();
    element("ask-yes").focus();
  });
}

/**
 * Whether another game may begin: asks the question if one is played now.
 *
 * @param {State | undefined} state
 * @param {{ title: string, text: string, yes: string }} question
 */
export const mayReplace = async (state, question) => !state?.is_played || await ask(question);

export function prepareDialogs() {
  for (const button of document.querySelectorAll("[data-close]")) {
    button.addEventListener("click", () => button.closest("dialog")?.close());
  }
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      // The target of a click beside the content is the dialog itself.
      if (event.target === dialog && dialog.id !== "panel") dialog.close();
    });
  }
  element("ask").addEventListener("close", (event) => {
    if (!targetOf(event).hasAttribute("open")) settle();
  });
  element("keys").replaceChildren(...keys.flatMap(([key, text]) => [
    make("dt", { textContent: key }),
    make("dd", { textContent: text }),
  ]));
  element("help").onclick = () => element("help-sheet").showModal();
}

/** Whether a dialog is open. */
export const isAsking = () => document.querySelector("dialog[open]") !== null;
