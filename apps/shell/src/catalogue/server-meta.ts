// The names and version of a project of scripts, from server.d/server.meta.json, the file of mcp-bash projects.

import { lstatSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { rootOf } from "./inspect.ts"
import { parseObject } from "./metadata-file.ts"

/** The names and version of a project. */
export interface ServerMeta {
  /** The name for programs. */
  readonly name?: string
  /** The name for people. */
  readonly title?: string
  readonly version?: string
}

/** Reads server.meta.json for a folder of tools, or for the project that has them. Empty when it cannot be read. */
export function serverMetaOf(path: string): ServerMeta {
  const root = rootOf(path)
  if (root === undefined) return {}
  const file = join(dirname(root), "server.d", "server.meta.json")
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile() || stats.size > maxBytes) return {}
  const parsedMeta = parseObject(readFileSync(file, "utf8"), file)
  if ("problem" in parsedMeta) return {}
  const { name, title, version } = parsedMeta.fields
  return { ...toMember("name", name), ...toMember("title", title), ...toMember("version", version) }
}

const maxBytes = 64 * 1_024

const toMember = (member: keyof ServerMeta, value: unknown): ServerMeta =>
  typeof value === "string" && value.trim() !== "" && value.length <= 200 ? { [member]: value.trim() } : {}
