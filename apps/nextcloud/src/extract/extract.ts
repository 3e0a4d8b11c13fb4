// Extracts text from a document in a worker thread with a deadline and a memory limit: documents are untrusted, and
// reading one must not block other calls. The worker runs this same file, so this file imports no tools.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import type { Extracted, Unreadable } from "./extracted.ts"

export interface ExtractOptions {
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}

type Answer = Extracted | Unreadable

/** The queue: one document at a time per process, because each takes a whole core. */
let queue: Promise<unknown> = Promise.resolve()

export function extractText(bytes: Uint8Array, options: ExtractOptions = {}): Promise<Answer> {
  const result = queue.then(() => extractNow(bytes, options))
  queue = result.catch(() => {})
  return result
}

async function extractNow(bytes: Uint8Array, { deadlineMs = 10_000, signal }: ExtractOptions): Promise<Answer> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { document: bytes },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    // The worker does not inherit this process's output, environment and flags: some flags keep a worker from starting.
    ...{ stdout: true, stderr: true, env: {}, execArgv: [] },
  })
  const deadline = AbortSignal.timeout(deadlineMs)
  const endSignal = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
  try {
    return await new Promise<Answer>((resolve, reject) => {
      worker.once("message", resolve)
      worker.once("error", (error) => (isOutOfMemory(error) ? resolve(tooMuchMemory) : reject(error)))
      worker.once("exit", () => reject(new Error("The thread that reads documents ended without an answer.")))
      endSignal.addEventListener("abort", () =>
        deadline.aborted ? resolve(tooLong(deadlineMs)) : reject(signal?.reason as Error),
      )
    })
  } finally {
    await worker.terminate()
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

const tooMuchMemory: Unreadable = { because: "reading it takes more memory than one document may use" }
const tooLong = (ms: number): Unreadable => ({ because: `reading it takes longer than ${ms / 1000} seconds` })

/** Runs in the worker thread: extracts the text of the one document that the worker was given. */
async function readInWorker(bytes: Uint8Array): Promise<Answer> {
  const { readDocument } = await import("./document.ts")
  return readDocument(bytes)
}

if (!isMainThread && workerData instanceof Object && "document" in workerData)
  parentPort?.postMessage(await readInWorker(workerData.document as Uint8Array))
