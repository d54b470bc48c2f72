// The connection to the server, which is opened again when it breaks.

/** @import { Handlers, Message } from "./types.d.ts" */

import { element } from "./page.js";
import { lost } from "./texts.js";

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 5000;

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #pause = FIRST_PAUSE;
  #handlers;

  /**
   * @param {Handlers} handlers a function for each type of message; `open` is called when the connection is open.
   */
  constructor(handlers) {
    this.#handlers = handlers;
    this.#connect();
  }

  /** @param {Message} message */
  send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect() {
    const address = new URL("live", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
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
    socket.onclose = () => {
      element("lost").textContent = lost;
      element("lost").hidden = false;
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    };
  }
}
