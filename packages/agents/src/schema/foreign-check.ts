// Checks arguments against the schema of a foreign tool in a worker thread with a deadline and a memory limit: a schema
// is a program that its server wrote. The worker runs this same file, so this file imports nothing of the agents.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import type { Schema } from "./without-patterns.ts"
import { withoutPatterns } from "./without-patterns.ts"

/**
 * The result of a check: the problem with the arguments, or none. `unusable`: the schema is not valid. `tooCostly`: the
 * check was ended at a limit.
 */
export type CheckResult =
  | { readonly kind: "checked"; readonly problem: string | undefined }
  | { readonly kind: "unusable" }
  | { readonly kind: "tooCostly"; readonly words: string }

/** The limits of one check. */
export interface CheckLimits {
  readonly deadlineMs: number
  readonly memoryMb: number
  /** How long the thread may take to start. */
  readonly startMs: number
}

export const checkLimits: CheckLimits = { deadlineMs: 10_000, memoryMb: 64, startMs: 60_000 }

/** Creates a check with its own thread, which starts with the first check. One check at a time. */
export function createForeignCheck(
  limits: CheckLimits = checkLimits,
): (schema: Schema, input: unknown) => Promise<CheckResult> {
  /** The texts of schemas that were too costly: they are not tried again. */
  const costlySchemas = new Map<string, CheckResult>()
  let thread: Promise<Worker> | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const checkNow = async (schema: string, input: unknown): Promise<CheckResult> => {
    const known = costlySchemas.get(schema)
    if (known !== undefined) return known
    const starting = thread ?? startThread(limits)
    thread = starting
    const forget = (): void => {
      if (thread === starting) thread = undefined
    }
    const worker = await starting.catch((error: unknown) => {
      forget()
      throw error
    })
    worker.once("exit", forget)
    const result = await resultFrom(worker, { schema, input }, limits)
    worker.off("exit", forget)
    if (result.kind === "tooCostly") {
      forget()
      await worker.terminate()
      for (const oldest of costlySchemas.keys()) {
        if (costlySchemas.size < mostSchemas) break
        costlySchemas.delete(oldest)
      }
      costlySchemas.set(schema, result)
    }
    return result
  }
  return (schema, input) => {
    const text = JSON.stringify(schema)
    const result = queue.then(() => checkNow(text, input))
    queue = result.catch(() => {})
    return result
  }
}

/** The check that all agents of this process share. */
export const checkForeign = createForeignCheck()

/** The most schemas that are kept: compiled ones in the thread, and texts of costly ones. */
const mostSchemas = 200

interface Job {
  readonly schema: string
  readonly input: unknown
}

async function startThread({ memoryMb, startMs }: CheckLimits): Promise<Worker> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { checks: "schemas" },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
    // The worker does not inherit this process's output, environment and flags: some flags keep a worker from starting.
    stdout: true,
    stderr: true,
    env: {},
    execArgv: [],
  })
  // Its end is noticed by “exit”. Without this listener, a thread that runs out of memory while nothing waits for it, or
  // while it is ended, would end this process.
  worker.on("error", () => {})
  const starting = listen(worker)
  const timer = setTimeout(starting.end, startMs)
  const isStarted = (await starting.next) !== undefined
  clearTimeout(timer)
  if (!isStarted) {
    await worker.terminate()
    throw new Error("The thread that checks the arguments of tools did not start.")
  }
  // A thread that waits for checks does not keep the process alive.
  worker.unref()
  return worker
}

async function resultFrom(worker: Worker, job: Job, { deadlineMs, memoryMb }: CheckLimits): Promise<CheckResult> {
  const answering = listen(worker)
  let words = `more than ${memoryMb} MB of memory`
  const timer = setTimeout(() => {
    words = `longer than ${deadlineMs / 1_000} s`
    answering.end()
  }, deadlineMs)
  worker.postMessage(job)
  const result = await answering.next
  clearTimeout(timer)
  return result === undefined ? { kind: "tooCostly", words } : (result as CheckResult)
}

/** Waits for the next message of the thread. Resolves to undefined when the thread has ended, or when `end` is called. */
function listen(worker: Worker): { readonly next: Promise<unknown>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const end = (): void => resolve(undefined)
  worker.on("message", resolve).on("error", end).on("exit", end)
  // Not `removeAllListeners`: the worker would not receive messages any more.
  const next = promise.finally(() => worker.off("message", resolve).off("error", end).off("exit", end))
  return { next, end }
}

type Check = (input: unknown) => string | undefined

/** Runs in the thread: answers checks until the thread is ended. */
async function answerChecks(port: NonNullable<typeof parentPort>): Promise<void> {
  const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/client/validators/ajv")
  const checks = new Map<string, Check | undefined>()
  const compile = (schema: string): Check | undefined => {
    try {
      const validate = new AjvJsonSchemaValidator().getValidator(withoutPatterns(JSON.parse(schema)))
      return (input) => validate(input).errorMessage
    } catch {
      return undefined
    }
  }
  port.on("message", ({ schema, input }: Job) => {
    const check = checks.has(schema) ? checks.get(schema) : compile(schema)
    if (checks.size >= mostSchemas) checks.clear()
    checks.set(schema, check)
    const result: CheckResult = check === undefined ? { kind: "unusable" } : { kind: "checked", problem: check(input) }
    port.postMessage(result)
  })
  port.postMessage("ready")
}

if (!isMainThread && workerData instanceof Object && "checks" in workerData && parentPort !== null)
  await answerChecks(parentPort)
