// The private folder of one call, through which the script and the server exchange files. Removed when the call has
// ended.

import { mkdirSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"

export interface CallFolder {
  readonly path: string
  /** The part of the file names that belongs to this call. */
  readonly key: string
  /** The path of a file in the folder. */
  file(name: string): string
  remove(): Promise<void>
}

/** Creates the folder. Only the user of the server may enter it. */
export function createCallFolder(base: string, key: string): CallFolder {
  const path = join(base, key)
  mkdirSync(path, { mode: 0o700 })
  return {
    path,
    key,
    file: (name) => join(path, name),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/**
 * The part of a request's file name that distinguishes parallel questions: empty in the file that
 * `MCP_ELICIT_REQUEST_FILE` names, otherwise a name that the script chose.
 */
export type Slot = string

export type Part = "request" | "response" | "cancel" | "wake"

export const fileOf = (folder: CallFolder, slot: Slot, part: Part): string =>
  folder.file(`elicit.${folder.key}${slot === "" ? "" : `.${slot}`}.${part}`)

/** Reads the slot out of a file's name. Undefined for files of other kinds. */
export function slotOf(folder: CallFolder, name: string): { slot: Slot; part: "request" | "cancel" } | undefined {
  const [, key, slot = "", part] = /^elicit\.([\w-]+)(?:\.([\w-]{1,64}))?\.(request|cancel)$/.exec(name) ?? []
  return key === folder.key ? { slot, part: part as "request" | "cancel" } : undefined
}
