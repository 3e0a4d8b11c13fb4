// Tells an editor of one reply, from what was said before to its end. While people think, nothing is sent; the reply goes
// on when they have answered, in whichever process that is.

import type { SessionUpdate } from "@agentclientprotocol/sdk"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { hasEnded } from "../agents/conversations.ts"
import { type ReaderParts, readRun } from "../agents/http/reader.ts"
import { createSleeper } from "../agents/http/sleeper.ts"
import type { Run } from "../agents/records.ts"
import type { Chunk } from "../agents/run-log.ts"
import { type Editor, tell, toText } from "./editor.ts"
import type { Questions } from "./questions.ts"
import { createUpdates, type Updates, withoutDropped } from "./updates.ts"
import { words } from "./words.ts"

/** `left`: the editor is gone, and the reply goes on without it. */
export type ReplyEnd = "done" | "stopped" | "left" | { readonly failed: string }

export interface Following {
  readonly readers: ReaderParts
  readonly editor: Editor
  readonly questions: Questions
}

/** A reply that an editor is told of. */
export interface Told {
  readonly run: Run
  readonly updates: Updates
  /** The number of the last chunk that was told. */
  readonly number: number
}

export const toldNothing = (run: Run): Told => ({ run, updates: createUpdates(run), number: 0 })

/** Tells what a reply has said so far, as it stands now. */
export async function replay(following: Following, run: Run): Promise<Told> {
  const { told, missed } = await catchUp(following, run)
  await tell(following.editor, missed)
  return told
}

/** What a reply has said so far, for an editor that has it already: only what follows is to be told. */
export async function catchUp(
  { readers }: Following,
  run: Run,
): Promise<{ readonly told: Told; readonly missed: readonly SessionUpdate[] }> {
  const numbered = await readers.logs.read(run, 0)
  const updates = createUpdates(run)
  const missed = withoutDropped(numbered.map(({ chunk }) => chunk)).flatMap((chunk) => updates.of(chunk))
  return { told: { run, updates, number: numbered.at(-1)?.number ?? 0 }, missed }
}

/** Tells what follows. Questions that were told of before are told of again, for those that are still open. */
export async function followReply(following: Following, told: Told): Promise<ReplyEnd> {
  try {
    const end = await tellToEnd(following, told)
    await untilEnded(following, told.run)
    return end
  } finally {
    following.questions.withdrawAll()
  }
}

async function tellToEnd({ readers, editor, questions }: Following, { run, updates, number }: Told): Promise<ReplyEnd> {
  for (const { chunk } of number === 0 ? [] : await readers.logs.read(run, 0)) tellQuestion(questions, updates, chunk)
  let failed: string | undefined
  for await (const { chunk } of readRun(readers, { run, after: number, isHeld: true, signal: editor.gone })) {
    tellQuestion(questions, updates, chunk)
    await tell(editor, updates.of(chunk))
    if (chunk.type === "error") failed = chunk.errorText
    if (chunk.type === "abort") return "stopped"
    if (chunk.type === "finish") return failed === undefined ? "done" : { failed }
  }
  if (editor.gone.aborted) return "left"
  const now = await readers.conversations.get(run.id)
  if (now?.status === "done" || now?.status === "stopped") return now.status
  return { failed: failed ?? words.brokenOff }
}

function tellQuestion(questions: Questions, updates: Updates, chunk: Chunk): void {
  if (chunk.type === "data-elicitation") questions.told(chunk.data as StreamEvent, updates)
}

/** Resolves when the reply is stored as ended: only then can the next one begin. Its log ends a moment before. */
export async function untilEnded({ readers, editor }: Following, { id }: Run): Promise<void> {
  const sleeper = createSleeper(readers.runtime)
  readers.followers.follow(id, sleeper.wake)
  editor.gone.addEventListener("abort", sleeper.wake)
  try {
    while (!editor.gone.aborted) {
      const now = await readers.conversations.get(id)
      if (now === undefined || hasEnded(now)) return
      await sleeper.sleep(lookMs)
    }
  } finally {
    readers.followers.unfollow(id, sleeper.wake)
    editor.gone.removeEventListener("abort", sleeper.wake)
  }
}

/** How often a reply is looked at of whose end another process may have told in vain. */
const lookMs = 1_000

/** How a reply ended, where the chat shows no end: for a session that is loaded. */
export async function endOf({ readers }: Following, run: Run): Promise<readonly SessionUpdate[]> {
  if (run.status === "done") return []
  if (run.status === "stopped") return [toText(`\n\n${words.stopped}`)]
  const numbered = await readers.logs.read(run, 0)
  const error = numbered.map(({ chunk }) => chunk).findLast(({ type }) => type === "error")
  return [toText(`\n\n${error?.type === "error" ? error.errorText : words.brokenOff}`)]
}
