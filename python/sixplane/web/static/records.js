// Records that a person opens, by the button or by dropping a file.

/** @import { State } from "./types.d.ts" */

import { mayReplace } from "./dialogs.js";
import { element, toast } from "./page.js";
import { ask as questions, opened, tooLarge } from "./texts.js";

const MOST_BYTES = 1_000_000;

/**
 * Opens a record; before it replaces a running game, the person is asked.
 *
 * @param {File} file
 * @param {State | undefined} state
 */
async function send(file, state) {
  if (file.size > MOST_BYTES) {
    toast(tooLarge);
    return;
  }
  if (!await mayReplace(state, questions.record)) return;
  try {
    const answer = await fetch("record", { method: "POST", body: await file.arrayBuffer() });
    toast((await answer.text()).trim() || opened);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

/** @param {() => State | undefined} now the state of the game, once it is known. */
export function prepareRecords(now) {
  const input = element("file");
  element("open").onclick = () => input.click();
  input.onchange = () => {
    if (input.files?.length) send(input.files[0], now());
    input.value = "";
  };
  /** @param {DragEvent} event */
  const hasFile = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    element("drop").hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) element("drop").hidden = true;
  });
  addEventListener("drop", (event) => {
    element("drop").hidden = true;
    if (!hasFile(event)) return;
    event.preventDefault();
    if (event.dataTransfer?.files.length) send(event.dataTransfer.files[0], now());
  });
}
