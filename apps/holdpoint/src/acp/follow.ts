// Streams one reply of an agent to an editor, including the part from before the editor connected. While the run waits
// for an answer, nothing is sent. After the answer, any process may continue the run.

import type { SessionUpdate } from "@agentclientprotocol/sdk"
import type { Chunk, Run } from "@holdpoint/agents/internal"
import { brokenOffWords, createSleeper, hasEnded, type ReaderParts, readRun } from "@holdpoint/agents/internal"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { type Editor, sendUpdates, toText } from "./editor.ts"
import type { Questions } from "./questions.ts"
import { createUpdates, type Updates, withoutResetSteps } from "./updates.ts"
import { words } from "./words.ts"

/** How a reply ended for the editor. `left`: the editor disconnected, and the reply goes on without it. */
export type ReplyEnd = "done" | "stopped" | "left" | { readonly failed: string }

export interface FollowParts {
  readonly readers: ReaderParts
  readonly editor: Editor
  readonly questions: Questions
}

/** A reply, and how much of it the editor already has. */
export interface ReplyProgress {
  readonly run: Run
  readonly updates: Updates
  /** The number of the last chunk that was sent to the editor. */
  readonly number: number
}

export const noProgress = (run: Run): ReplyProgress => ({ run, updates: createUpdates(run), number: 0 })

/** Sends the editor everything that the reply has said so far. */
export async function replay(parts: FollowParts, run: Run): Promise<ReplyProgress> {
  const { progress, updates } = await catchUp(parts, run)
  await sendUpdates(parts.editor, updates)
  return progress
}

/** Reads what the reply has said so far, without sending it. For an editor that has this part, `progress` is enough. */
export async function catchUp(
  { readers }: FollowParts,
  run: Run,
): Promise<{ readonly progress: ReplyProgress; readonly updates: readonly SessionUpdate[] }> {
  const numbered = await readers.logs.read(run, 0)
  const converter = createUpdates(run)
  const updates = withoutResetSteps(numbered.map(({ chunk }) => chunk)).flatMap((chunk) => converter.updatesOf(chunk))
  return { progress: { run, updates: converter, number: numbered.at(-1)?.number ?? 0 }, updates }
}

/** Sends the rest of the reply until its end, and shows the questions that are still open from before. */
export async function followReply(parts: FollowParts, progress: ReplyProgress): Promise<ReplyEnd> {
  try {
    const end = await sendToEnd(parts, progress)
    await untilEnded(parts, progress.run)
    return end
  } finally {
    parts.questions.withdrawAll()
  }
}

async function sendToEnd(
  { readers, editor, questions }: FollowParts,
  { run, updates, number }: ReplyProgress,
): Promise<ReplyEnd> {
  for (const { chunk } of number === 0 ? [] : await readers.logs.read(run, 0)) showQuestion(questions, updates, chunk)
  let failureText: string | undefined
  for await (const step of readRun(readers, { run, after: number, isHeld: true, signal: editor.disconnected })) {
    if (step.kind !== "chunk") return endWithoutLog(step.run)
    const { chunk } = step
    showQuestion(questions, updates, chunk)
    await sendUpdates(editor, updates.updatesOf(chunk))
    if (chunk.type === "error") failureText = chunk.errorText
    if (chunk.type === "abort") return "stopped"
    if (chunk.type === "finish") return failureText === undefined ? "done" : { failed: failureText }
  }
  return "left"
}

/** How a run ended whose log has no end. */
const endWithoutLog = (run: Run | undefined): ReplyEnd =>
  run?.status === "done" || run?.status === "stopped" ? run.status : { failed: brokenOffWords }

function showQuestion(questions: Questions, updates: Updates, chunk: Chunk): void {
  if (chunk.type === "data-elicitation") questions.onEvent(chunk.data as StreamEvent, updates)
}

/** Resolves when the reply is stored as ended, a moment after the end of its log. Only then can the next one begin. */
export async function untilEnded({ readers, editor }: FollowParts, { id }: Run): Promise<void> {
  const sleeper = createSleeper(readers.runtime)
  readers.followers.follow(id, sleeper.wake)
  editor.disconnected.addEventListener("abort", sleeper.wake)
  try {
    while (!editor.disconnected.aborted) {
      const now = await readers.conversations.get(id)
      if (now === undefined || hasEnded(now)) return
      await sleeper.sleep(pollMs)
    }
  } finally {
    readers.followers.unfollow(id, sleeper.wake)
    editor.disconnected.removeEventListener("abort", sleeper.wake)
  }
}

/** How often a reply is read, in case the notification of its end by another process was lost. */
const pollMs = 1_000

/** The updates that show the end of a reply in a loaded session: none, “Stopped.” or the error. */
export async function endOf({ readers }: FollowParts, run: Run): Promise<readonly SessionUpdate[]> {
  if (run.status === "done") return []
  if (run.status === "stopped") return [toText(`\n\n${words.stopped}`)]
  const numbered = await readers.logs.read(run, 0)
  const error = numbered.map(({ chunk }) => chunk).findLast(({ type }) => type === "error")
  return [toText(`\n\n${error?.type === "error" ? error.errorText : brokenOffWords}`)]
}
