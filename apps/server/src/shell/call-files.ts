// The files through which a program of a tool asks within its call: the contract of `holdpoint shell`, from the side of
// the script.

import { randomUUID } from "node:crypto"
import { existsSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** The answer as the server writes it. */
export interface CallAnswer {
  readonly action: string
  readonly content?: Readonly<Record<string, unknown>>
  readonly reason?: string
  readonly message?: string
}

/** Asks in the call whose request file this is. When the signal is aborted, the question is taken back. */
export async function askByFiles(requestFile: string, request: object, signal: AbortSignal): Promise<CallAnswer> {
  const base = `${requestFile.replace(/\.request$/, "")}.ask-${randomUUID()}`
  const response = `${base}.response`
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = (): void => {
    if (existsSync(response)) resolve()
    else if (!existsSync(dirname(response))) reject(new Error("The call has ended, and its questions with it."))
  }
  const takeBack = (): void => put(`${base}.cancel`, {})
  const watcher = watch(dirname(requestFile), look)
  // For file systems that lose notifications.
  const timer = setInterval(look, backstopMs)
  signal.addEventListener("abort", takeBack, { once: true })
  try {
    put(`${base}.request`, request)
    if (signal.aborted) takeBack()
    await promise
    const answer = readAnswer(readFileSync(response, "utf8"))
    rmSync(response, { force: true })
    return answer
  } finally {
    signal.removeEventListener("abort", takeBack)
    clearInterval(timer)
    watcher.close()
  }
}

const backstopMs = 1_000

/** The file appears whole. */
function put(path: string, value: object): void {
  writeFileSync(`${path}.tmp`, JSON.stringify(value), { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}

function readAnswer(json: string): CallAnswer {
  const given = JSON.parse(json) as unknown
  if (!isObject(given) || typeof given.action !== "string") throw new Error("The answer of the call cannot be read.")
  const { action, content, reason, message } = given
  return {
    action,
    ...(isObject(content) ? { content } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(typeof message === "string" ? { message } : {}),
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
