// Reads server-sent events from the body of a response (HTML standard, section 9.2.6).

export interface SentEvent {
  /** The id of the event, if it has one. */
  readonly id: string | undefined
  /** The name of the event, if it has one. */
  readonly event: string | undefined
  /** The data. Empty for an event that only sets the id. */
  readonly data: string
}

/**
 * Yields the events of a body, until it ends or the connection is lost. `onData` is called for all data, also for
 * comments.
 */
export async function* readSentEvents(
  body: ReadableStream<Uint8Array>,
  onData: () => void,
): AsyncGenerator<SentEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => endOfStream)
      if (done) return
      onData()
      text += decoder.decode(value, { stream: true })
      const blocks = text.split(endOfEvent)
      text = blocks.pop() ?? ""
      for (const block of blocks) yield* toEvents(block)
    }
  } finally {
    // Cancelling a body that has failed rejects, and that error does not matter.
    await reader.cancel().catch(() => {})
  }
}

const endOfStream = { done: true, value: undefined } as const

/** Matches an empty line. A CR at the end of the received text may be the first half of a CRLF. */
const endOfEvent = /\r\n\r\n|\n\n|\r\r(?!\n|$)/

function toEvents(block: string): readonly SentEvent[] {
  const fields = block.split(/\r\n|\n|\r/).flatMap((line) => {
    const [, name, value = ""] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, value }]
  })
  const lastValueOf = (fieldName: string): string | undefined =>
    fields.findLast(({ name }) => name === fieldName)?.value
  const data = fields.filter(({ name }) => name === "data").map(({ value }) => value)
  const [id, event] = [lastValueOf("id"), lastValueOf("event")]
  return data.length === 0 && id === undefined ? [] : [{ id, event, data: data.join("\n") }]
}
