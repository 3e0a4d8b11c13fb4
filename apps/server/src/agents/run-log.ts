// The log of what a run sent: chunks numbered from 1, written before they are sent, so that any process can repeat them
// to any reader. It is not the journal: what a run does next never depends on it.

import type { Runtime, Storage } from "@holdpoint/sdk"
import { HoldpointError } from "@holdpoint/sdk"
import type { Sealer } from "@holdpoint/sdk/sealing"
import type { KeptRecord, RecordQuery } from "@holdpoint/sdk/storage"
import type { UIMessageChunk } from "ai"
import type { LogPart, Run } from "./records.ts"
import { logKind } from "./records.ts"
import { createSealedText } from "./sealed-records.ts"

/** A chunk of the AI SDK's UI message stream. */
export type Chunk = UIMessageChunk

export interface NumberedChunk {
  readonly number: number
  readonly chunk: Chunk
}

export interface RunLogs {
  /** Opens the log of a run for writing. Only the process that has the run may write. */
  open(run: Pick<Run, "id" | "tenant">): RunLog
  /** Reads the chunks after this number. */
  read(run: Pick<Run, "id" | "tenant">, after: number): Promise<readonly NumberedChunk[]>
  /** Calls back with chunks that this process has just written. Returns an unsubscribe function. */
  follow(run: string, tell: (chunks: readonly NumberedChunk[]) => void): () => void
}

export interface RunLog {
  /** Adds a chunk, to be written soon. The first of a pause is written at once. */
  add(chunk: Chunk): void
  /** Resolves when everything added was written. Rejects when it could not be. */
  flush(): Promise<void>
  /** How many chunks of this type the log has. */
  count(type: Chunk["type"]): Promise<number>
  /** Whether the reply has ended in it. */
  isEnded(): Promise<boolean>
}

export interface RunLogsParts {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly runtime: Runtime
  /** How long a log is kept. */
  readonly keptMs: number
}

export function createRunLogs({ storage, sealer, runtime, keptMs }: RunLogsParts): RunLogs {
  const records = storage.records(logKind)
  const texts = createSealedText(sealer, logKind)
  const followers = new Map<string, Set<(chunks: readonly NumberedChunk[]) => void>>()

  const read: RunLogs["read"] = async ({ id, tenant }, after) => {
    const parts = await listAll((query) => records.list({ tenant, owner: id, ...query }))
    return parts
      .filter(({ first, count }) => first + count > after + 1)
      .flatMap((part) => {
        const chunks = texts.open(part).chunks as readonly Chunk[]
        return chunks.map((chunk, index) => ({ number: part.first + index, chunk }))
      })
      .filter(({ number }) => number > after)
  }

  const write = async (run: Pick<Run, "id" | "tenant">, first: number, chunks: readonly Chunk[]): Promise<void> => {
    const part: LogPart = {
      ...{ id: `${run.id} ${String(first).padStart(9, "0")}`, tenant: run.tenant, version: 1, run: run.id },
      ...{ first, count: chunks.length, expiresAt: runtime.now() + keptMs },
    }
    if (!(await records.insert(texts.seal(part, { chunks })))) throw takenOver(run.id)
    const numbered = chunks.map((chunk, index) => ({ number: first + index, chunk }))
    for (const tell of followers.get(run.id) ?? []) tell(numbered)
  }

  return {
    read,
    follow(run, tell) {
      const told = followers.get(run) ?? new Set()
      followers.set(run, told.add(tell))
      return () => {
        told.delete(tell)
        if (told.size === 0) followers.delete(run)
      }
    },
    open: (run) => openLog({ runtime, read: () => read(run, 0), write: (first, chunks) => write(run, first, chunks) }),
  }
}

/** The batch of chunks that share a write is open for this long. */
const batchMs = 25

interface LogParts {
  readonly runtime: Pick<Runtime, "after">
  readonly read: () => Promise<readonly NumberedChunk[]>
  readonly write: (first: number, chunks: readonly Chunk[]) => Promise<void>
}

function openLog({ runtime, read, write }: LogParts): RunLog {
  let written: Promise<readonly NumberedChunk[]> | undefined
  let next: number | undefined
  let waiting: Chunk[] = []
  let isResting = true
  let writing = Promise.resolve()

  const numbersFrom = async (): Promise<number> => {
    written ??= read()
    next ??= ((await written).at(-1)?.number ?? 0) + 1
    return next
  }
  const writeWaiting = async (): Promise<void> => {
    if (waiting.length === 0) return
    const first = await numbersFrom()
    const chunks = joinDeltas(waiting)
    waiting = []
    next = first + chunks.length
    await write(first, chunks)
  }
  const startWriting = (): void => {
    writing = writing.then(writeWaiting)
    // The error reaches who flushes.
    writing.catch(() => {})
  }
  const all = async (): Promise<readonly Chunk[]> => (await read()).map(({ chunk }) => chunk)

  return {
    add(chunk) {
      waiting.push(chunk)
      if (!isResting) return
      isResting = false
      startWriting()
      runtime.after(batchMs, () => {
        isResting = true
        if (waiting.length > 0) startWriting()
      })
    },
    async flush() {
      startWriting()
      await writing
    },
    count: async (type) => (await all()).filter((chunk) => chunk.type === type).length,
    isEnded: async () => (await all()).some(isEnd),
  }
}

/** Whether this chunk ends the reply. */
export const isEnd = ({ type }: Chunk): boolean => type === "finish" || type === "abort"

/** Joins neighbouring pieces of the same text, so that a batch has few chunks. */
function joinDeltas(chunks: readonly Chunk[]): readonly Chunk[] {
  const joined: Chunk[] = []
  for (const chunk of chunks) {
    const last = joined.at(-1)
    const both = last === undefined ? undefined : joinTwo(last, chunk)
    if (both === undefined) joined.push(chunk)
    else joined[joined.length - 1] = both
  }
  return joined
}

function joinTwo(last: Chunk, chunk: Chunk): Chunk | undefined {
  if (last.type === "text-delta" && chunk.type === "text-delta" && last.id === chunk.id)
    return { ...last, ...chunk, delta: last.delta + chunk.delta }
  if (last.type === "reasoning-delta" && chunk.type === "reasoning-delta" && last.id === chunk.id)
    return { ...last, ...chunk, delta: last.delta + chunk.delta }
  if (last.type === "tool-input-delta" && chunk.type === "tool-input-delta" && last.toolCallId === chunk.toolCallId)
    return { ...last, inputTextDelta: last.inputTextDelta + chunk.inputTextDelta }
  return undefined
}

const pageSize = 500

/** Reads all pages of a list. */
export async function listAll<R extends KeptRecord>(
  list: (page: Pick<Extract<RecordQuery, { tenant: string }>, "afterId" | "limit">) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const all: R[] = []
  for (let afterId: string | undefined; ; ) {
    const page = await list({ limit: pageSize, ...(afterId === undefined ? {} : { afterId }) })
    all.push(...page)
    afterId = page.at(-1)?.id
    if (page.length < pageSize) return all
  }
}

const takenOver = (run: string): HoldpointError =>
  new HoldpointError("already_settled", `Another process continues the run ${run}. This one stops here.`)
