// Asks a question in a tool call through files: the script's side of the file contract of `holdpoint shell`.

import { randomUUID } from "node:crypto"
import { existsSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { isObject } from "@holdpoint/hub/internal"

/** The answer as the server writes it. */
export interface CallAnswer {
  readonly action: string
  readonly content?: Readonly<Record<string, unknown>>
  readonly reason?: string
  readonly message?: string
}

/** Asks in the call to which this request file belongs. Aborting the signal withdraws the question. */
export async function askByFiles(requestFile: string, request: object, signal: AbortSignal): Promise<CallAnswer> {
  const base = `${requestFile.replace(/\.request$/, "")}.ask-${randomUUID()}`
  const response = `${base}.response`
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const check = (): void => {
    if (existsSync(response)) resolve()
    else if (!existsSync(dirname(response))) reject(new Error("The call has ended, and its questions with it."))
  }
  const withdraw = (): void => writeWhole(`${base}.cancel`, {})
  const watcher = watch(dirname(requestFile), check)
  // Polls as well, because some file systems lose notifications.
  const timer = setInterval(check, pollMs)
  signal.addEventListener("abort", withdraw, { once: true })
  try {
    writeWhole(`${base}.request`, request)
    if (signal.aborted) withdraw()
    await promise
    const answer = readAnswer(readFileSync(response, "utf8"))
    rmSync(response, { force: true })
    return answer
  } finally {
    signal.removeEventListener("abort", withdraw)
    clearInterval(timer)
    watcher.close()
  }
}

const pollMs = 1_000

/** Writes a file atomically, so that readers never see a part of it. */
function writeWhole(path: string, value: object): void {
  writeFileSync(`${path}.tmp`, JSON.stringify(value), { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}

function readAnswer(json: string): CallAnswer {
  const answer = JSON.parse(json) as unknown
  if (!isObject(answer) || typeof answer.action !== "string")
    throw new Error("The answer to the question cannot be read.")
  const { action, content, reason, message } = answer
  return {
    action,
    ...(isObject(content) ? { content } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(typeof message === "string" ? { message } : {}),
  }
}
