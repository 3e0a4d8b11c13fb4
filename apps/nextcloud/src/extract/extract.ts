// Text out of a document, in a thread of its own with a deadline and bounded memory: documents come from anybody, and
// reading one must not keep other calls waiting. This file is also what the thread runs; it imports nothing of the tools.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"

export interface Extracted {
  readonly kind: DocumentKind
  /** Pages, sheets or slides with their names; one without a name where a document has no such parts. */
  readonly parts: readonly Part[]
  /** There was more than is read. */
  readonly isCut: boolean
}

export type DocumentKind = "pdf" | "text" | "spreadsheet" | "presentation"

export interface Part {
  readonly name?: string
  readonly text: string
}

export interface ExtractOptions {
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}

/** Why a document has no text for us, in words that follow “it failed: ”. */
export interface Unreadable {
  readonly because: string
}

type Answer = Extracted | Unreadable

/** One document at a time in the whole process: it takes a core. */
let line: Promise<unknown> = Promise.resolve()

export function extractText(bytes: Uint8Array, options: ExtractOptions = {}): Promise<Answer> {
  const mine = line.then(() => extractNow(bytes, options))
  line = mine.catch(() => {})
  return mine
}

async function extractNow(bytes: Uint8Array, { deadlineMs = 10_000, signal }: ExtractOptions): Promise<Answer> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { document: bytes },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    // What a library prints about a document is not for our output, and flags of our process are not the thread's: some
    // keep it from starting.
    ...{ stdout: true, stderr: true, env: {}, execArgv: [] },
  })
  const deadline = AbortSignal.timeout(deadlineMs)
  const ends = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
  try {
    return await new Promise<Answer>((resolve, reject) => {
      worker.once("message", resolve)
      worker.once("error", (error) => (isOutOfMemory(error) ? resolve(tooMuchMemory) : reject(error)))
      worker.once("exit", () => reject(new Error("The thread that reads documents ended without an answer.")))
      ends.addEventListener("abort", () =>
        deadline.aborted ? resolve(tooLong(deadlineMs)) : reject(signal?.reason as Error),
      )
    })
  } finally {
    await worker.terminate()
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

const tooMuchMemory: Unreadable = { because: "reading it takes more memory than one document may have" }
const tooLong = (ms: number): Unreadable => ({ because: `reading it takes longer than ${ms / 1000} seconds` })

/** The thread: one document, one answer. */
async function answer(bytes: Uint8Array): Promise<Answer> {
  const { readDocument } = await import("./document.ts")
  return readDocument(bytes)
}

if (!isMainThread && workerData instanceof Object && "document" in workerData)
  parentPort?.postMessage(await answer(workerData.document as Uint8Array))
