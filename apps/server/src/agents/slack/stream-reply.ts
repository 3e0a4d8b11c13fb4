// Streams one reply into its thread, from what was sent before to its end, or until the run waits for people: then the
// stream is ended, because Slack ends streams that stay silent.

import type { Runtime } from "@holdpoint/sdk"
import { hasEnded } from "../conversations.ts"
import { type ReaderParts, readRun } from "../http/reader.ts"
import { createSleeper, type Sleeper } from "../http/sleeper.ts"
import type { Run } from "../records.ts"
import type { NumberedChunk } from "../run-log.ts"
import { endOfMessage } from "./message-parts.ts"
import type { Pacer } from "./pacer.ts"
import type { SlackWorkspace } from "./port.ts"
import { createReplyText, type ReplyText } from "./reply-text.ts"
import { createSender, type Sender } from "./sender.ts"
import type { Attempt, SentMessages } from "./sent-messages.ts"
import { settle } from "./settle.ts"

export interface StreamParts {
  readonly readers: ReaderParts
  readonly runtime: Pick<Runtime, "now" | "after">
  readonly pacer: Pacer
  readonly workspace: SlackWorkspace
}

export interface Streamed {
  readonly run: Pick<Run, "id" | "tenant">
  readonly messages: SentMessages
  /** The version of the run before an answer woke it: its pause is an old one. */
  readonly wokenAfter: number | undefined
  readonly signal: AbortSignal
}

/** `ended`: all of the reply is in Slack. `paused`: all so far, and the run waits. `left`: the signal was aborted. */
export type StreamEnd = "ended" | "paused" | "left" | { readonly undeliverable: string }

/** A stream without new text for this long is ended: what follows is another message. */
const silenceMs = 60_000

/** The time between two additions to one message. */
const appendMs = 400

export async function streamReply(parts: StreamParts, streamed: Streamed): Promise<StreamEnd> {
  const { runtime, workspace, pacer } = parts
  const { messages, signal } = streamed
  const sleeper = createSleeper(runtime)
  const leave = new AbortController()
  const reading = followRun(parts, { ...streamed, signal: AbortSignal.any([signal, leave.signal]) }, sleeper)
  const sender = createSender({ messages, workspace, pacer })
  const pace = { changedAt: runtime.now(), failures: 0 }
  signal.addEventListener("abort", sleeper.wake)
  try {
    for (;;) {
      if (signal.aborted) return "left"
      if (reading.error !== undefined) throw reading.error.cause
      const next = nextStep({ reading, messages, sender, workspace, now: runtime.now(), pace })
      if (next === "ended" || next === "paused") return next
      const attempt = typeof next === "number" ? { is: "later" as const, afterMs: next } : await next()
      if (attempt.is === "hopeless") return { undeliverable: attempt.code }
      if (attempt.is === "done") {
        Object.assign(pace, { changedAt: runtime.now(), failures: 0 })
        continue
      }
      if (attempt.is === "unsure") pace.failures += 1
      await sleeper.sleep(attempt.is === "later" ? attempt.afterMs : backoffMs(pace.failures))
    }
  } finally {
    leave.abort()
    signal.removeEventListener("abort", sleeper.wake)
    await reading.ended
  }
}

/** After a lost connection Slack may still be doing what it was asked to, or be out of reach for longer. */
const backoffMs = (failures: number): number => Math.min(1_000 * 2 ** Math.min(failures - 1, 10), 60_000)

interface RunReading {
  readonly text: ReplyText
  /** The text after this chunk. */
  textAt(chunk: number): string
  /** Whether the log has all that there was before this process began to read. */
  isCaughtUp: boolean
  state: "running" | "paused" | "ended"
  error?: { readonly cause: unknown }
  ended: Promise<void>
}

function followRun({ readers }: StreamParts, { run, wokenAfter, signal }: Streamed, { wake }: Sleeper): RunReading {
  const chunks: NumberedChunk[] = []
  const text = createReplyText()
  const reading: RunReading = {
    text,
    textAt(chunk) {
      const then = createReplyText()
      for (const one of chunks) if (one.number <= chunk) then.add(one)
      return then.text
    },
    isCaughtUp: false,
    state: "running",
    ended: Promise.resolve(),
  }
  const read = async (): Promise<void> => {
    const woken = wokenAfter === undefined ? {} : { wokenAfter }
    for (const numbered of await readers.logs.read(run, 0)) {
      chunks.push(numbered)
      text.add(numbered)
    }
    reading.isCaughtUp = true
    wake()
    if (!text.isEnded)
      for await (const numbered of readRun(readers, { run, after: text.chunk, isHeld: false, ...woken, signal })) {
        chunks.push(numbered)
        text.add(numbered)
        wake()
      }
    if (signal.aborted) return
    const now = await readers.conversations.get(run.id)
    if (!text.isEnded && (now === undefined || hasEnded(now))) text.breakOff()
    reading.state = text.isEnded ? "ended" : "paused"
  }
  reading.ended = read()
    .catch((cause: unknown) => {
      reading.error = { cause }
    })
    .finally(wake)
  return reading
}

interface Situation {
  readonly reading: RunReading
  readonly messages: SentMessages
  readonly sender: Sender
  readonly workspace: SlackWorkspace
  readonly now: number
  readonly pace: { readonly changedAt: number }
}

type Step = "ended" | "paused" | number | (() => Promise<Attempt>)

/** What to do next: a call, a number of milliseconds to wait unless something happens, or nothing more. */
function nextStep({ reading, messages, sender, workspace, now, pace }: Situation): Step {
  if (!reading.isCaughtUp) return silenceMs
  const { text } = reading
  const { reply, open, sent } = messages
  const shown = { text: text.text, chunk: text.chunk }
  const unchanged = text.unchangedSince(reply.chunk)
  if (reply.pending !== undefined || sent > unchanged)
    return () => settle({ messages, workspace }, { shown, unchanged, before: reading.textAt(reply.chunk) })
  const isOver = reading.state !== "running"
  const all = shown.text.length
  if (open === undefined) {
    const hasText = shown.text.slice(sent).trim() !== ""
    if (!hasText) return reading.state === "running" ? silenceMs : reading.state
    const to = endOfMessage(shown.text, sent)
    return () => (isOver || to < all ? sender.post(shown, to) : sender.start(shown, to))
  }
  const to = endOfMessage(shown.text, open.from, open.to)
  const silentMs = now - pace.changedAt
  const isStop = isOver || to < all || silentMs >= silenceMs
  if (isStop)
    return async () => {
      const stopped = await sender.stop(shown, to)
      // Ending a stream is limited more than adding to it.
      return stopped.is === "later" && to > open.to && silentMs >= appendMs ? sender.append(shown, to) : stopped
    }
  if (to === open.to) return silenceMs - silentMs
  return silentMs < appendMs ? appendMs - silentMs : () => sender.append(shown, to)
}
