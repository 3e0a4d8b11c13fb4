// Streams the rest of one reply into its thread, until the reply ends or the run waits for answers. A waiting reply has
// no open stream, because Slack ends silent streams.

import type { NumberedChunk, Run } from "@holdpoint/agents/internal"
import { createSleeper, type ReaderParts, readRun, type Sleeper } from "@holdpoint/agents/internal"
import type { Runtime } from "@holdpoint/hub"
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

/** The reply to stream. */
export interface StreamTarget {
  readonly run: Pick<Run, "id" | "tenant">
  readonly messages: SentMessages
  /** Set after an answer: a run that still waits at this version is about to resume, so its pause is ignored. */
  readonly wokenAfter: number | undefined
  readonly signal: AbortSignal
}

/** `ended`: the whole reply is in Slack. `paused`: its text so far is in Slack, and the run waits. `left`: aborted. */
export type StreamEnd = "ended" | "paused" | "left" | { readonly undeliverable: string }

/** A stream without new text for this long is ended, and later text goes into a new message. */
const silenceMs = 60_000

/** The minimum time between two appends to one message. */
const appendMs = 400

export async function streamReply(parts: StreamParts, target: StreamTarget): Promise<StreamEnd> {
  const { runtime, workspace, pacer } = parts
  const { messages, signal } = target
  const sleeper = createSleeper(runtime)
  const leave = new AbortController()
  const reading = followRun(parts, { ...target, signal: AbortSignal.any([signal, leave.signal]) }, sleeper)
  const sender = createSender({ messages, workspace, pacer })
  const pace = { changedAt: runtime.now(), failures: 0 }
  signal.addEventListener("abort", sleeper.wake)
  try {
    for (;;) {
      if (signal.aborted) return "left"
      if (reading.error !== undefined) throw reading.error.cause
      const next = nextStep({ reading, messages, sender, workspace, now: runtime.now(), pace })
      if (next === "ended" || next === "paused") return next
      const attempt = typeof next === "number" ? { kind: "later" as const, afterMs: next } : await next()
      if (attempt.kind === "hopeless") return { undeliverable: attempt.code }
      if (attempt.kind === "done") {
        Object.assign(pace, { changedAt: runtime.now(), failures: 0 })
        continue
      }
      if (attempt.kind === "unsure") pace.failures += 1
      await sleeper.sleep(attempt.kind === "later" ? attempt.afterMs : backoffMs(pace.failures))
    }
  } finally {
    leave.abort()
    signal.removeEventListener("abort", sleeper.wake)
    await reading.ended
  }
}

/**
 * The delay after lost connections: exponential backoff, because Slack may still process the call or be unreachable.
 */
const backoffMs = (failures: number): number => Math.min(1_000 * 2 ** Math.min(failures - 1, 10), 60_000)

/** The log of the run, as far as it was read. */
interface RunReading {
  readonly text: ReplyText
  /** The text up to and including this chunk. */
  textAt(chunk: number): string
  /** Whether the stored log has been read. New chunks follow. */
  isCaughtUp: boolean
  state: "running" | "paused" | "ended"
  error?: { readonly cause: unknown }
  ended: Promise<void>
}

function followRun({ readers }: StreamParts, { run, wokenAfter, signal }: StreamTarget, { wake }: Sleeper): RunReading {
  const chunks: NumberedChunk[] = []
  const text = createReplyText()
  const reading: RunReading = {
    text,
    textAt(chunk) {
      const sentReply = createReplyText()
      for (const numbered of chunks) if (numbered.number <= chunk) sentReply.add(numbered)
      return sentReply.text
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
      for await (const step of readRun(readers, { run, after: text.chunk, isHeld: false, ...woken, signal })) {
        if (step.kind === "broken-off") text.breakOff()
        if (step.kind !== "chunk") break
        chunks.push(step)
        text.add(step)
        wake()
      }
    if (signal.aborted) return
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

/** Selects the next step: a call, a time to wait in milliseconds (new text ends the wait), or the end. */
function nextStep({ reading, messages, sender, workspace, now, pace }: Situation): Step {
  if (!reading.isCaughtUp) return silenceMs
  const { text } = reading
  const { reply, open, sent } = messages
  const snapshot = { text: text.text, chunk: text.chunk }
  const unchangedLength = text.unchangedSince(reply.chunk)
  if (reply.pending !== undefined || sent > unchangedLength)
    return () => settle({ messages, workspace }, { snapshot, unchangedLength, sentText: reading.textAt(reply.chunk) })
  const isOver = reading.state !== "running"
  const totalLength = snapshot.text.length
  if (open === undefined) {
    const hasText = snapshot.text.slice(sent).trim() !== ""
    if (!hasText) return reading.state === "running" ? silenceMs : reading.state
    const to = endOfMessage(snapshot.text, sent)
    return () => (isOver || to < totalLength ? sender.post(snapshot, to) : sender.start(snapshot, to))
  }
  const to = endOfMessage(snapshot.text, open.from, open.to)
  const silentMs = now - pace.changedAt
  const isStop = isOver || to < totalLength || silentMs >= silenceMs
  if (isStop)
    return async () => {
      const stopped = await sender.stop(snapshot, to)
      // Slack limits chat.stopStream more than chat.appendStream, so the text is appended while the stop has to wait.
      return stopped.kind === "later" && to > open.to && silentMs >= appendMs ? sender.append(snapshot, to) : stopped
    }
  if (to === open.to) return silenceMs - silentMs
  return silentMs < appendMs ? appendMs - silentMs : () => sender.append(snapshot, to)
}
