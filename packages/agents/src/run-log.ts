// The log of the chunks that a run sends. Chunks are numbered from 1 and stored before they are sent, so that any
// process can replay them to any reader. The log is not the journal: the next step of a run never depends on the log.

import { isHoldpointError, type Runtime, type Storage } from "@holdpoint/hub"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { KeptRecord, RecordQuery } from "@holdpoint/hub/storage"
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

/** The run, as read by the process that writes its log. The version orders the writers. */
type WrittenRun = Pick<Run, "id" | "tenant" | "version" | "expiresAt">

export interface RunLogs {
  /**
   * Opens the log of a run for writing. `assertOurs` rejects when another process has taken over the run. `isNew` means
   * that the run has no log yet, so there is nothing to read.
   */
  open(run: WrittenRun, assertOurs: () => Promise<void>, options?: { readonly isNew?: boolean }): RunLog
  /** Reads the chunks after this number. */
  read(run: Pick<Run, "id" | "tenant">, after: number): Promise<readonly NumberedChunk[]>
  /** Calls `tell` with chunks that this process has just stored. Returns an unsubscribe function. */
  follow(run: string, tell: (chunks: readonly NumberedChunk[]) => void): () => void
}

export interface RunLog {
  /** Adds a chunk, to be written soon. The first chunk after a pause is written immediately, later ones in batches. */
  add(chunk: Chunk): void
  /** Resolves when all added chunks are stored. Rejects when a write failed. */
  flush(): Promise<void>
  /** The number of chunks of this type in the log. */
  count(type: Chunk["type"]): Promise<number>
  /** Whether the log has a chunk that matches. */
  has(matches: (chunk: Chunk) => boolean): Promise<boolean>
  /** Whether the log has no chunks. */
  isEmpty(): Promise<boolean>
  /** Whether the log has the end of the reply. */
  isEnded(): Promise<boolean>
}

export interface RunLogsParts {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly runtime: Runtime
}

export function createRunLogs({ storage, sealer, runtime }: RunLogsParts): RunLogs {
  const records = storage.records(logKind)
  const texts = createSealedText(sealer, logKind)
  const followers = new Map<string, Set<(chunks: readonly NumberedChunk[]) => void>>()

  const list = ({ id, tenant }: Pick<Run, "id" | "tenant">): Promise<readonly LogPart[]> =>
    listAll((query) => records.list({ tenant, owner: id, ...query }))

  const open = (parts: readonly LogPart[], after = 0): readonly NumberedChunk[] =>
    withoutLateParts(parts)
      .filter(({ first, count }) => first + count > after + 1)
      .flatMap((part) => {
        const chunks = texts.open(part).chunks as readonly Chunk[]
        return chunks.map((chunk, index) => ({ number: part.first + index, chunk }))
      })
      .filter(({ number }) => number > after)

  const read: RunLogs["read"] = async (run, after) => open(await list(run), after)

  const write = async (
    run: WrittenRun,
    writer: string,
    { first, chunks }: { readonly first: number; readonly chunks: readonly Chunk[] },
  ): Promise<boolean> => {
    const part: LogPart = {
      ...{ id: `${run.id} ${String(first).padStart(9, "0")}`, tenant: run.tenant, version: 1, run: run.id },
      first,
      count: chunks.length,
      runVersion: run.version,
      writer,
      expiresAt: run.expiresAt,
    }
    if (!(await records.insert(texts.seal(part, { chunks }))) && !(await isOwnPart(part))) return false
    const numbered = chunks.map((chunk, index) => ({ number: first + index, chunk }))
    for (const notify of followers.get(run.id) ?? []) notify(numbered)
    return true
  }

  /** Whether this log has written the part, although the write was reported as failed. */
  const isOwnPart = async ({ id, writer }: LogPart): Promise<boolean> => (await records.get(id))?.writer === writer

  return {
    read,
    follow(run, notify) {
      const callbacks = followers.get(run) ?? new Set()
      followers.set(run, callbacks.add(notify))
      return () => {
        callbacks.delete(notify)
        if (callbacks.size === 0) followers.delete(run)
      }
    },
    open(run, assertOurs, { isNew = false } = {}) {
      const writer = runtime.newId()
      return openLog({
        ...{ runtime, assertOurs, isNew },
        async read() {
          const parts = await list(run)
          return { chunks: open(parts).map(({ chunk }) => chunk), next: endOf(parts) }
        },
        end: async () => endOf(await list(run)),
        write: (first, chunks) => write(run, writer, { first, chunks }),
      })
    },
  }
}

/** Drops parts that a process wrote after another process had taken over its run and begun to write. */
function withoutLateParts(parts: readonly LogPart[]): readonly LogPart[] {
  let newest = 0
  return parts.filter(({ runVersion }) => {
    newest = Math.max(newest, runVersion)
    return runVersion === newest
  })
}

/** The number after the last chunk of these parts. */
const endOf = (parts: readonly LogPart[]): number =>
  parts.reduce((end, { first, count }) => Math.max(end, first + count), 1)

/**
 * After this time without a check, a process checks before a write that it still owns the run. Much shorter than a
 * worker's lease, so that a process that was suspended notices that it has lost the run.
 */
const trustMs = 5_000

/** Chunks added within this time share one write. */
const batchMs = 25

interface LogParts {
  readonly runtime: Pick<Runtime, "after" | "now">
  readonly assertOurs: () => Promise<void>
  readonly isNew: boolean
  /** Reads the chunks of the log, and the number for the next one. */
  readonly read: () => Promise<{ readonly chunks: readonly Chunk[]; readonly next: number }>
  /** Returns the number after the last chunk that any process has written. */
  readonly end: () => Promise<number>
  /** Returns false when another process has written at this number. */
  readonly write: (first: number, chunks: readonly Chunk[]) => Promise<boolean>
}

function openLog({ runtime, assertOurs, isNew, read, end, write }: LogParts): RunLog {
  let next = isNew ? 1 : undefined
  // The chunks of the log: read from the store when first needed, and extended by each write of this process.
  let cached: Chunk[] | undefined = isNew ? [] : undefined
  let oursAt = runtime.now()
  let pendingChunks: Chunk[] = []
  let cancelBatchTimer: (() => void) | undefined
  let lastWrite = Promise.resolve()
  /** Chunks whose write has failed. They are written first, as one part, because the write may have taken effect. */
  let unwritten: readonly Chunk[] = []

  const checkOurs = async (): Promise<void> => {
    const askedAt = runtime.now()
    await assertOurs()
    oursAt = askedAt
  }
  const writeWaiting = async (): Promise<void> => {
    if (unwritten.length > 0) await writePart(unwritten)
    if (pendingChunks.length === 0) return
    const chunks = joinDeltas(pendingChunks)
    pendingChunks = []
    await writePart(chunks)
  }
  const writePart = async (chunks: readonly Chunk[]): Promise<void> => {
    unwritten = chunks
    if (runtime.now() - oursAt >= trustMs) await checkOurs()
    next ??= await end()
    while (!(await write(next, chunks))) {
      // The previous process of the run wrote one more part at this number: continue after that part.
      cached = undefined
      await checkOurs()
      next = await end()
    }
    next += chunks.length
    unwritten = []
    cached?.push(...chunks)
  }
  /** After a failure of the storage, its chunks are written with the next ones. A run that was lost writes no more. */
  const continueAfter = (error: unknown): void => {
    if (!(isHoldpointError(error) && error.isOfStorage)) throw error
  }
  const startWriting = (): void => {
    if (pendingChunks.length === 0 && unwritten.length === 0) return
    lastWrite = lastWrite.catch(continueAfter).then(writeWaiting)
    // Prevents an unhandled rejection. The error is not lost: `flush` awaits the same promise and rejects with it.
    lastWrite.catch(doNothing)
  }
  /** The chunks of the log, with those that are still to be written. */
  const readAll = async (): Promise<readonly Chunk[]> => [...(await readStored()), ...unwritten, ...pendingChunks]
  // The read is queued between the writes, so that `cached` has each chunk exactly once.
  const readStored = async (): Promise<readonly Chunk[]> => {
    if (cached !== undefined) return cached
    const earlierWrite = lastWrite.catch(continueAfter)
    const reading = earlierWrite.then(async () => {
      const stored = await read()
      next ??= stored.next
      cached = [...stored.chunks]
      return cached
    })
    lastWrite = earlierWrite.then(() => reading.then(doNothing, doNothing))
    lastWrite.catch(doNothing)
    return reading
  }

  return {
    add(chunk) {
      pendingChunks.push(chunk)
      if (cancelBatchTimer !== undefined) return
      cancelBatchTimer = runtime.after(batchMs, () => {
        cancelBatchTimer = undefined
        startWriting()
      })
      // After the current turn of the event loop, so that all chunks added in it share the write.
      setImmediate(startWriting)
    },
    async flush() {
      // Ends the batch, so that the next chunk is written immediately.
      cancelBatchTimer?.()
      cancelBatchTimer = undefined
      startWriting()
      await lastWrite
    },
    count: async (type) => (await readAll()).filter((chunk) => chunk.type === type).length,
    has: async (matches) => (await readAll()).some(matches),
    isEmpty: async () => (await readAll()).length === 0,
    isEnded: async () => (await readAll()).some(isEnd),
  }
}

const doNothing = (): void => {}

/** Whether this chunk ends the reply. */
export const isEnd = ({ type }: Chunk): boolean => type === "finish" || type === "abort"

/** Joins adjacent deltas of the same text, so that a batch has fewer chunks. */
function joinDeltas(chunks: readonly Chunk[]): readonly Chunk[] {
  const joined: Chunk[] = []
  for (const chunk of chunks) {
    const last = joined.at(-1)
    const joinedChunk = last === undefined ? undefined : joinTwo(last, chunk)
    if (joinedChunk === undefined) joined.push(chunk)
    else joined[joined.length - 1] = joinedChunk
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
  const records: R[] = []
  for (let afterId: string | undefined; ; ) {
    const page = await list({ limit: pageSize, ...(afterId === undefined ? {} : { afterId }) })
    records.push(...page)
    afterId = page.at(-1)?.id
    if (page.length < pageSize) return records
  }
}
