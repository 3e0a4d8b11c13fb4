// One session of an editor: a conversation of the person at this machine. One prompt at a time; a reply that was left
// under way by an earlier process is followed when the session is loaded, and ends when the person says something new.

import { recordRun } from "../agents/begin-run.ts"
import { hasEnded } from "../agents/conversations.ts"
import { type ReadMessage, readMessage } from "../agents/http/body.ts"
import type { OpenRuns } from "../agents/open-runs.ts"
import type { Run } from "../agents/records.ts"
import { type Editor, tell } from "./editor.ts"
import {
  catchUp,
  endOf,
  type Following,
  followReply,
  type ReplyEnd,
  replay,
  type Told,
  toldNothing,
  untilEnded,
} from "./follow.ts"
import type { MessagePart } from "./message.ts"
import { toBlocks } from "./message.ts"
import type { Questions, QuestionsParts } from "./questions.ts"
import { createQuestions } from "./questions.ts"
import { refuse } from "./refuse.ts"

export interface SessionParts extends QuestionsParts {
  /** The name of the agent. */
  readonly agent: string
  readonly opened: OpenRuns
}

export interface Session {
  /** Tells the whole conversation again, and follows the reply that is under way. */
  load(): Promise<void>
  /** Follows the reply that is under way, for an editor that has the conversation. */
  resume(): Promise<void>
  /** Resolves when the reply to this message has ended. */
  prompt(parts: readonly MessagePart[]): Promise<"end_turn" | "cancelled">
  /** Ends the reply under way: what has not begun is not done. */
  cancel(): Promise<void>
  /** Whether the editor waits for the response to a prompt. */
  isPrompted(): boolean
  /** Tells the editor nothing more. What is under way goes on. */
  close(): void
}

/** A reply under way. It is known before it is recorded, so that a cancel that comes early is not lost. */
interface Turn {
  run?: Run
  isCancelled: boolean
  /** Resolves when it is over. Absent when the editor waits for the response to its prompt. */
  readonly left?: Promise<void>
}

export function createSession(parts: SessionParts, given: Editor): Session {
  const { opened, person, agent, report } = parts
  const closing = new AbortController()
  const editor = { ...given, gone: AbortSignal.any([given.gone, closing.signal]) }
  const { conversations, runs, readers } = opened
  const questions: Questions = createQuestions(parts, editor)
  const following: Following = { readers, editor, questions }
  let turn: Turn | undefined

  const stop = async (stopped: Turn): Promise<void> => {
    stopped.isCancelled = true
    if (stopped.run !== undefined) await runs.stop(stopped.run.id)
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
    const recorded = await recordRun({ conversations, runs }, beginning)
    if ("run" in recorded) return recorded.run
    if (recorded.underWay === undefined) throw refuse.underWay()
    // Begun in another editor since this session was opened here.
    await runs.stop(recorded.underWay.id)
    await untilEnded(following, recorded.underWay)
    const again = await recordRun({ conversations, runs }, beginning)
    if ("run" in again) return again.run
    throw refuse.underWay()
  }

  const repliesOf = async (): Promise<readonly Run[]> => {
    const conversation = await conversations.find(person, editor.session)
    if (conversation?.agent !== agent) throw refuse.noSession(editor.session)
    return (await conversations.runs(conversation)).filter(({ isReplaced }) => isReplaced !== true)
  }
  /** Whether there is more to tell. A reply that no process has, and none will have, was broken off. */
  const isUnderWay = async (run: Run): Promise<boolean> => {
    if (hasEnded(run)) return false
    if (await runs.isKnown(run.id)) return true
    // Since it was read, it may have ended.
    const now = await conversations.get(run.id)
    return now !== undefined && hasEnded(now)
  }

  const followLeft = (told: Told): void => {
    const left = followReply(following, told)
      .then(() => {})
      .catch((error: unknown) => {
        if (!editor.gone.aborted) report("following a reply for the editor", error)
      })
      .finally(() => {
        if (turn === mine) turn = undefined
      })
    const mine: Turn = { run: told.run, isCancelled: false, left }
    turn = mine
  }

  return {
    isPrompted: () => turn !== undefined && turn.left === undefined,
    async load() {
      for (const run of await repliesOf()) {
        for (const content of toBlocks(conversations.message(run)))
          await tell(editor, [{ sessionUpdate: "user_message_chunk", content }])
        const told = await replay(following, run)
        if (await isUnderWay(run)) followLeft(told)
        else await tell(editor, await endOf(following, run))
      }
    },
    async resume() {
      const last = (await repliesOf()).at(-1)
      if (last !== undefined && (await isUnderWay(last))) followLeft((await catchUp(following, last)).told)
    },
    async prompt(given) {
      const before = turn
      if (before !== undefined && before.left === undefined) throw refuse.underWay()
      const mine: Turn = { isCancelled: false }
      turn = mine
      try {
        const message = await readMessage({ role: "user", parts: given })
        if (message instanceof Response) {
          turn = before
          throw refuse.empty()
        }
        // What the person says now takes the place of what was left.
        if (before !== undefined) await stop(before)
        await before?.left
        mine.run = await begin(message)
        if (mine.isCancelled) await runs.stop(mine.run.id)
        return toStopReason(await followReply(following, toldNothing(mine.run)))
      } finally {
        if (turn === mine) turn = undefined
      }
    },
    async cancel() {
      if (turn !== undefined) await stop(turn)
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
