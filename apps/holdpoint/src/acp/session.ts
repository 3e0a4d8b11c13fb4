// One session of an editor: a conversation of the person at this machine, with one prompt at a time. Loading a session
// follows a reply that is still under way from an earlier connection; the next prompt stops this reply.

import type { OpenRuns, Run } from "@holdpoint/agents/internal"
import { hasEnded, type ReadMessage, readMessage, recordRun } from "@holdpoint/agents/internal"
import { type Editor, sendUpdates } from "./editor.ts"
import { refuse } from "./errors.ts"
import {
  catchUp,
  endOf,
  type FollowParts,
  followReply,
  noProgress,
  type ReplyEnd,
  type ReplyProgress,
  replay,
  untilEnded,
} from "./follow.ts"
import type { MessagePart } from "./message.ts"
import { toBlocks } from "./message.ts"
import type { Questions, QuestionsParts } from "./questions.ts"
import { createQuestions } from "./questions.ts"

export interface SessionParts extends QuestionsParts {
  /** The name of the agent. */
  readonly agent: string
  readonly opened: OpenRuns
}

export interface Session {
  /** Sends the whole conversation to the editor, and follows the reply that is under way. */
  load(): Promise<void>
  /** Follows the reply that is under way, for an editor that already has the conversation. */
  resume(): Promise<void>
  /** Resolves when the reply to this message has ended. */
  prompt(parts: readonly MessagePart[]): Promise<"end_turn" | "cancelled">
  /** Stops the reply under way: it begins no more steps or tool calls. */
  cancel(): Promise<void>
  /** Whether the editor waits for the response to a prompt. */
  isPrompted(): boolean
  /** Sends nothing more to the editor. The reply under way goes on. */
  close(): void
}

/** A reply under way. Created before the run is recorded, so that an early cancellation is not lost. */
interface ActiveReply {
  run?: Run
  isCancelled: boolean
  /** Resolves when the reply has ended. Set only for a reply that no prompt of this editor waits for. */
  readonly ended?: Promise<void>
}

export function createSession(parts: SessionParts, connected: Editor): Session {
  const { opened, person, agent, report } = parts
  const closing = new AbortController()
  const editor = { ...connected, disconnected: AbortSignal.any([connected.disconnected, closing.signal]) }
  const { conversations, runs, readers } = opened
  const questions: Questions = createQuestions(parts, editor)
  const followParts: FollowParts = { readers, editor, questions }
  let activeReply: ActiveReply | undefined

  const stop = async (target: ActiveReply): Promise<void> => {
    target.isCancelled = true
    if (target.run !== undefined) await runs.stop(target.run.id)
  }

  const begin = async (message: ReadMessage): Promise<Run> => {
    const release = runs.reserve(person)
    if (release === undefined) throw refuse.tooMany()
    try {
      const run = await record(message)
      await runs.start(run, { person, isPerson: true, canAsk: true, isInChat: true })
      return run
    } finally {
      release()
    }
  }

  const record = async (message: ReadMessage): Promise<Run> => {
    const beginning = { person, name: editor.session, agent, ...message }
    const record = await recordRun({ conversations, runs }, beginning)
    if ("run" in record) return record.run
    if (record.underWay === undefined) throw refuse.underWay()
    // Another editor has begun a reply since this session was opened. The new prompt stops that reply.
    await runs.stop(record.underWay.id)
    await untilEnded(followParts, record.underWay)
    const secondRecord = await recordRun({ conversations, runs }, beginning)
    if ("run" in secondRecord) return secondRecord.run
    throw refuse.underWay()
  }

  const repliesOf = async (): Promise<readonly Run[]> => {
    const conversation = await conversations.find(person, editor.session)
    if (conversation?.agent !== agent) throw refuse.noSession(editor.session)
    return (await conversations.runs(conversation)).filter(({ isReplaced }) => isReplaced !== true)
  }
  /** Whether to follow the reply. False if it had ended when it was read, or if it was broken off. */
  const isUnderWay = async (run: Run): Promise<boolean> => {
    if (hasEnded(run)) return false
    if (await runs.isKnown(run.id)) return true
    // The run may have ended since it was read.
    const now = await conversations.get(run.id)
    return now !== undefined && hasEnded(now)
  }

  const followInBackground = (progress: ReplyProgress): void => {
    const ended = followReply(followParts, progress)
      .then(() => {})
      .catch((error: unknown) => {
        if (!editor.disconnected.aborted) report("following a reply for the editor", error)
      })
      .finally(() => {
        if (activeReply === followed) activeReply = undefined
      })
    const followed: ActiveReply = { run: progress.run, isCancelled: false, ended }
    activeReply = followed
  }

  return {
    isPrompted: () => activeReply !== undefined && activeReply.ended === undefined,
    async load() {
      for (const run of await repliesOf()) {
        for (const content of toBlocks(conversations.message(run)))
          await sendUpdates(editor, [{ sessionUpdate: "user_message_chunk", content }])
        const progress = await replay(followParts, run)
        if (await isUnderWay(run)) followInBackground(progress)
        else await sendUpdates(editor, await endOf(followParts, run))
      }
    },
    async resume() {
      const lastReply = (await repliesOf()).at(-1)
      if (lastReply !== undefined && (await isUnderWay(lastReply)))
        followInBackground((await catchUp(followParts, lastReply)).progress)
    },
    async prompt(messageParts) {
      const previous = activeReply
      if (previous !== undefined && previous.ended === undefined) throw refuse.underWay()
      const prompted: ActiveReply = { isCancelled: false }
      activeReply = prompted
      try {
        const message = await readMessage({ role: "user", parts: messageParts })
        if (message instanceof Response) {
          activeReply = previous
          throw refuse.empty()
        }
        // A new prompt stops the reply that is still under way from an earlier connection.
        if (previous !== undefined) await stop(previous)
        await previous?.ended
        prompted.run = await begin(message)
        if (prompted.isCancelled) await runs.stop(prompted.run.id)
        return toStopReason(await followReply(followParts, noProgress(prompted.run)))
      } finally {
        if (activeReply === prompted) activeReply = undefined
      }
    },
    async cancel() {
      if (activeReply !== undefined) await stop(activeReply)
    },
    close() {
      questions.withdrawAll()
      closing.abort()
    },
  }
}

function toStopReason(end: ReplyEnd): "end_turn" | "cancelled" {
  if (typeof end === "object") throw refuse.failedReply(end.failed)
  return end === "done" ? "end_turn" : "cancelled"
}
