// Notices the requests that a script writes, by file notification. A request is taken once, whole, and never by following
// a link. A script that writes it in several steps gets a moment to finish.

import type { FSWatcher } from "node:fs"
import { lstatSync, readdirSync, readFileSync, unlinkSync, watch } from "node:fs"
import type { CallFolder, Slot } from "./call-folder.ts"
import { fileOf, slotOf } from "./call-folder.ts"

export interface RequestEvents {
  request(slot: Slot, request: TakenRequest): void
  /** The script takes its question back. */
  cancel(slot: Slot): void
  report(doing: string, error: unknown): void
}

export type TakenRequest = { readonly json: unknown } | { readonly problem: string }

/** Returns a function that stops watching. */
export function watchRequests(folder: CallFolder, events: RequestEvents): () => void {
  /** When each unfinished request was first seen. */
  const unfinished = new Map<string, number>()
  let again: NodeJS.Timeout | undefined
  const take = (name: string): void => {
    const found = slotOf(folder, name)
    if (found === undefined) return
    const path = fileOf(folder, found.slot, found.part)
    if (found.part === "cancel") {
      unlinkSync(path)
      events.cancel(found.slot)
      return
    }
    const since = unfinished.get(name) ?? performance.now()
    const request = readRequest(path, performance.now() - since >= patienceMs)
    if (request === undefined) {
      unfinished.set(name, since)
      again ??= setTimeout(() => {
        again = undefined
        scan()
      }, lookAgainMs)
      return
    }
    unfinished.delete(name)
    unlinkSync(path)
    events.request(found.slot, request)
  }
  const scan = (): void => {
    for (const name of namesIn(folder.path).sort()) {
      try {
        take(name)
      } catch (error) {
        if (!isMissing(error)) events.report("reading a question of a script", error)
      }
    }
  }
  const stop = watchFolder(folder.path, scan, events.report)
  return () => {
    clearTimeout(again)
    stop()
  }
}

/** How long a request may be unfinished before it counts as broken. */
const patienceMs = 1_000
const lookAgainMs = 20
const mostBytes = 1_024 * 1_024

/** Undefined while it may still be written. */
function readRequest(path: string, isLast: boolean): TakenRequest | undefined {
  const found = lstatSync(path)
  if (!found.isFile()) return { problem: "The request is not a regular file." }
  if (found.size > mostBytes) return { problem: "The request is longer than 1 MiB." }
  const text = readFileSync(path, "utf8")
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return isLast ? { problem: "The request is not JSON." } : undefined
  }
}

function watchFolder(path: string, onChange: () => void, report: RequestEvents["report"]): () => void {
  let timer: NodeJS.Timeout | undefined
  const poll = (): void => {
    timer ??= setInterval(onChange, pollMs)
  }
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(path, onChange)
    watcher.on("error", (error) => {
      report("watching the questions of a script", error)
      poll()
    })
  } catch (error) {
    // The system's limit of watched files is reached.
    report("watching the questions of a script", error)
    poll()
  }
  return () => {
    clearInterval(timer)
    watcher?.close()
  }
}

const pollMs = 50

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"
