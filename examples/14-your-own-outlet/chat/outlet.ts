// An outlet for a chat service with an HTTP API: posts a question as a message with two buttons or a link, finds it again,
// and edits it when the question has ended.

import { type Elicitation, HoldpointError } from "@holdpoint/hub"
import { actsOf } from "@holdpoint/hub/forms"
import type { LastingOutlet } from "@holdpoint/hub/outlets"

export interface Chat {
  readonly url: string
  readonly token: string
  /** The page where any question can be answered. */
  readonly pageOf: (question: string) => string
}

export function createChatOutlet({ url, token, pageOf }: Chat): LastingOutlet {
  const call = async (method: string, path: string, signal: AbortSignal, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const init = { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(`${url}${path}`, init)
    if (response.status === 404) return undefined
    if (response.ok) return (await response.json()) as { readonly id: string }
    // What is thrown is tried again later: as soon as the service says, or with growing pauses.
    const retryAfterMs = Number(response.headers.get("retry-after") ?? 0) * 1_000
    if (response.status === 429) throw new HoldpointError("too_often", "The chat is busy.", { retryAfterMs })
    throw new Error(`The chat answered ${response.status}.`)
  }
  return {
    name: "chat",
    addressKind: "chat",
    async post(question, { id: ref, address: to, reminderOf, signal }) {
      const { yes, no } = yesOrNoOf(question) ?? {}
      const controls = yes === undefined ? { link: pageOf(question.id) } : { buttons: [yes, no] }
      const text = `${reminderOf === undefined ? "" : "Reminder: "}${question.message}`
      const posted = await call("POST", "/messages", signal, { to, text, ref, about: question.id, ...controls })
      if (posted === undefined) return { state: "unable", why: "the person is not in the chat" }
      return { state: "shown", receipt: { message: posted.id } }
    },
    async find({ id, signal }) {
      const message = await call("GET", `/messages?ref=${encodeURIComponent(id)}`, signal)
      return message === undefined ? undefined : { message: message.id }
    },
    async withdraw({ message, status }, { receipt, signal }) {
      await call("PUT", `/messages/${receipt.message}`, signal, { text: `${message} (${status})` })
    },
  }
}

/** The two acts of a yes-or-no question, and the answer of each. */
export const yesOrNoOf = (question: Elicitation) => {
  const acts =
    question.mode === "form" && question.detail === undefined
      ? actsOf(question.requestedSchema, {}, question.message)
      : undefined
  return acts?.answers.no === undefined ? undefined : acts
}
