// A client's reply to a question. The hub decides whether it is a valid answer.

export interface Reply {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: unknown
}

/** Parses a reply. Undefined for anything else that a client may send. */
export function readReply(value: unknown): Reply | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const { action, content } = value as Readonly<Record<string, unknown>>
  if (action !== "accept" && action !== "decline" && action !== "cancel") return undefined
  return content === undefined || content === null ? { action } : { action, content }
}
