// Notices the requests that a script writes. A request is taken once, whole, and never by following a link. A script that
// writes it in several steps gets a moment to finish.

import { readdirSync, renameSync, unlinkSync } from "node:fs"
import type { CallFolder, Slot } from "./call-folder.ts"
import { fileOf, slotOf } from "./call-folder.ts"
import type { FolderWatch } from "./folder-watch.ts"
import { isErrno, isMissing, readSmallFile } from "./small-file.ts"

export interface RequestEvents {
  request(slot: Slot, request: TakenRequest): void
  /** The script takes its question back. */
  cancel(slot: Slot): void
  report(doing: string, error: unknown): void
}

export type TakenRequest = { readonly json: unknown } | { readonly problem: string }

/** Returns a function that stops taking requests. */
export function watchRequests(folder: CallFolder, watching: FolderWatch, events: RequestEvents): () => void {
  /** When each unfinished request was first seen. */
  const unfinished = new Map<string, number>()
  let again: NodeJS.Timeout | undefined
  let refused = 0
  let isStopped = false

  const remove = (path: string): void => {
    try {
      unlinkSync(path)
    } catch (error) {
      // A folder in the place of a request: out of the way, so that it is refused once.
      if (!isErrno(error, "EISDIR", "EPERM")) throw error
      renameSync(path, folder.file(`refused.${++refused}`))
    }
  }
  const take = (name: string): void => {
    const found = slotOf(folder, name)
    if (found === undefined) return
    const path = fileOf(folder, found.slot, found.part)
    if (found.part === "cancel") {
      remove(path)
      events.cancel(found.slot)
      return
    }
    const since = unfinished.get(name) ?? performance.now()
    const request = readRequest(path, performance.now() - since >= patienceMs)
    if (request === undefined) {
      unfinished.set(name, since)
      again ??= setTimeout(() => {
        again = undefined
        for (const one of [...unfinished.keys()]) look(one)
      }, lookAgainMs)
      return
    }
    unfinished.delete(name)
    remove(path)
    events.request(found.slot, request)
  }
  const look = (name: string): void => {
    try {
      take(name)
    } catch (error) {
      unfinished.delete(name)
      if (!isMissing(error)) events.report("reading a question of a script", error)
    }
  }
  watching.add((name) => {
    if (isStopped) return
    if (name !== undefined) look(name)
    else for (const one of namesIn(folder.path).sort()) look(one)
  })
  return () => {
    isStopped = true
    clearTimeout(again)
  }
}

/** How long a request may be unfinished before it counts as broken. */
const patienceMs = 1_000
const lookAgainMs = 20
const mostBytes = 1_024 * 1_024

/** Undefined while it may still be written. */
function readRequest(path: string, isLast: boolean): TakenRequest | undefined {
  const read = readSmallFile(path, mostBytes)
  if (read === "not a file") return { problem: "The request is not a regular file." }
  if (read === "too long") return { problem: "The request is longer than 1 MiB." }
  try {
    return { json: JSON.parse(read.toString("utf8")) as unknown }
  } catch {
    return isLast ? { problem: "The request is not JSON." } : undefined
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
