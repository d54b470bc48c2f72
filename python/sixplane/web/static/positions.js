// Links that reproduce a position: made for the clipboard, and opened from the address.

/** @import { Message, State } from "./types.d.ts" */

import { mayReplace } from "./dialogs.js";
import { element, toast } from "./page.js";
import { ask as questions, linkCopied } from "./texts.js";

const NAME = "#position=";

/**
 * Copies a link to a position to the clipboard, or shows it if the browser does not allow that.
 *
 * @param {string} position
 */
export async function offerLink(position) {
  const address = new URL(location.href);
  address.hash = NAME + position;
  element("link-text").value = address.href;
  try {
    await navigator.clipboard.writeText(address.href);
    toast(linkCopied);
  } catch {
    element("link-sheet").showModal();
    element("link-text").select();
  }
}

/**
 * Opens the position in the address of the page; before it replaces a running game, the person is asked.
 *
 * @param {State} state
 * @param {(message: Message) => void} send
 */
export async function openLink(state, send) {
  if (!location.hash.startsWith(NAME)) return;
  const position = location.hash.slice(NAME.length);
  // The position is not opened again when the page is reloaded.
  history.replaceState(null, "", location.pathname);
  if (await mayReplace(state, questions.link)) send({ do: "open", position });
}
