// The connection to the server, which is opened again when it breaks.

/** @import { Handlers, Message } from "./types.d.ts" */

import { element, FORBIDDEN } from "./page.js";
import { lost, startedAgain } from "./texts.js";

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 5000;

/** Whether another server, which has another token, answers at the address of this page. */
async function isReplaced() {
  try {
    const answer = await fetch(location.pathname, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(LONGEST_PAUSE),
    });
    return answer.status === FORBIDDEN;
  } catch {
    return false;
  }
}

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #pause = FIRST_PAUSE;
  #handlers;

  /**
   * @param {Handlers} handlers a function for each type of message; `open` is called when the connection
   * is open, `closed` when it is lost or could not be opened.
   */
  constructor(handlers) {
    this.#handlers = handlers;
    this.#connect();
  }

  /**
   * Sends a message; false if the connection is lost.
   *
   * @param {Message} message
   */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #connect() {
    const address = new URL("live", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.#pause = FIRST_PAUSE;
      element("lost").hidden = true;
      this.#handlers.open();
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      const handler = /** @type {(message: unknown) => void} */ (this.#handlers[
        /** @type {keyof Handlers} */ (message.type)
      ]);
      handler?.(message);
    };
    socket.onclose = async () => {
      element("lost").textContent = lost;
      element("lost").hidden = false;
      this.#handlers.closed();
      if (!wasOpen && await isReplaced()) {
        element("lost").textContent = startedAgain;
        return;
      }
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    };
  }
}
