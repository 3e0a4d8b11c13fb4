// The log of messages on the wire: one line for each message, with its full JSON inside.

import { elementById, h } from "./dom.ts"

const maxLines = 200

export interface Log {
  sent(message: unknown): void
  received(message: unknown): void
  /** For events that are not messages, such as an HTTP status. */
  note(text: string): void
}

export function createLog(): Log {
  const list = elementById("log-lines")
  const count = elementById("log-count")
  /** The methods by request id, for the titles of responses. One map per direction: both sides may use the same ids. */
  const methods = { sent: new Map<unknown, string>(), received: new Map<unknown, string>() }
  let lines = 0
  const add = (line: HTMLElement): void => {
    lines++
    count.textContent = String(lines)
    list.append(h("li", {}, line))
    if (list.childElementCount > maxLines) list.firstElementChild?.remove()
  }
  const entry = (direction: "sent" | "received", message: unknown): void => {
    const { method, id } = membersOf(message)
    if (typeof method === "string" && id !== undefined) methods[direction].set(id, method)
    const requestMethod = methods[direction === "sent" ? "received" : "sent"].get(id)
    const sign = h("span", { "aria-hidden": "true" }, direction === "sent" ? "→ " : "← ")
    const summary = h(
      "summary",
      {},
      sign,
      h("span", { class: "sr" }, `${direction}: `),
      titleOf(message, requestMethod),
    )
    add(h("details", {}, summary, h("pre", { tabindex: 0 }, JSON.stringify(message, null, 2))))
  }
  return {
    sent: (message) => entry("sent", message),
    received: (message) => entry("received", message),
    note: (text) => add(h("p", { class: "meta" }, text)),
  }
}

/** The title of a message: the method and its subject, or the request that a response answers. */
function titleOf(message: unknown, requestMethod = "something"): string {
  const { method, params, result, error } = membersOf(message)
  const { name, message: words } = membersOf(params)
  if (typeof method === "string")
    return [method, ...[name, words].filter((text) => typeof text === "string")].join(" · ")
  if (error !== undefined) return `error ${membersOf(error).code} to ${requestMethod}`
  const { resultType, action } = membersOf(result)
  return [`result of ${requestMethod}`, ...[resultType, action].filter((text) => typeof text === "string")].join(" · ")
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
