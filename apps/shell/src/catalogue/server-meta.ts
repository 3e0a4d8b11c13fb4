// The name of a project of scripts, from server.d/server.meta.json as projects of mcp-bash have it. Only names are read.

import { lstatSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { rootOf } from "./inspect.ts"
import { parseObject } from "./metadata-file.ts"

/** What a project says about itself. */
export interface ServerMeta {
  /** The name for programs. */
  readonly name?: string
  /** The name for people. */
  readonly title?: string
  readonly version?: string
}

/** Reads it for a folder of tools, or for the project that has them. Empty when there is none that can be read. */
export function serverMetaOf(given: string): ServerMeta {
  const root = rootOf(given)
  if (root === undefined) return {}
  const path = join(dirname(root), "server.d", "server.meta.json")
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile() || found.size > mostBytes) return {}
  const read = parseObject(readFileSync(path, "utf8"), path)
  if ("problem" in read) return {}
  const { name, title, version } = read.fields
  return { ...text("name", name), ...text("title", title), ...text("version", version) }
}

const mostBytes = 64 * 1_024

const text = (member: keyof ServerMeta, value: unknown): ServerMeta =>
  typeof value === "string" && value.trim() !== "" && value.length <= 200 ? { [member]: value.trim() } : {}
