// The log of messages on the wire: one line for each message, with its full JSON inside.

import { elementById, h } from "./dom.ts"

const mostLines = 200

export interface Log {
  sent(message: unknown): void
  received(message: unknown): void
  /** For events that are not messages, such as an HTTP status. */
  note(words: string): void
}

export function createLog(): Log {
  const list = elementById("log-lines")
  const count = elementById("log-count")
  /** Methods by request id, so that a response can name its request. Both sides may use the same ids. */
  const asked = { sent: new Map<unknown, string>(), received: new Map<unknown, string>() }
  let lines = 0
  const add = (line: HTMLElement): void => {
    lines++
    count.textContent = String(lines)
    list.append(h("li", {}, line))
    if (list.childElementCount > mostLines) list.firstElementChild?.remove()
  }
  const entry = (way: "sent" | "received", message: unknown): void => {
    const { method, id } = membersOf(message)
    if (typeof method === "string" && id !== undefined) asked[way].set(id, method)
    const to = asked[way === "sent" ? "received" : "sent"].get(id)
    const sign = h("span", { "aria-hidden": "true" }, way === "sent" ? "→ " : "← ")
    const summary = h("summary", {}, sign, h("span", { class: "sr" }, `${way}: `), titleOf(message, to))
    add(h("details", {}, summary, h("pre", { tabindex: 0 }, JSON.stringify(message, null, 2))))
  }
  return {
    sent: (message) => entry("sent", message),
    received: (message) => entry("received", message),
    note: (words) => add(h("p", { class: "meta" }, words)),
  }
}

/** The method and its subject; for a response, the request that it answers. */
function titleOf(message: unknown, to = "something"): string {
  const { method, params, result, error } = membersOf(message)
  const { name, message: words } = membersOf(params)
  if (typeof method === "string") return [method, ...[name, words].filter((one) => typeof one === "string")].join(" · ")
  if (error !== undefined) return `error ${membersOf(error).code} to ${to}`
  const { resultType, action } = membersOf(result)
  return [`result of ${to}`, ...[resultType, action].filter((one) => typeof one === "string")].join(" · ")
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
