// Reads the metadata of a script: a comment near its top, and the JSON file beside it, which overrides the comment.

import { lstatSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isObject } from "../json.ts"
import type { ToolProblem } from "../tool.ts"
import { headerOf } from "./program.ts"
import { trustedPath } from "./trust.ts"

/** A script, and the metadata file that belongs to it. */
export interface Candidate {
  readonly file: string
  readonly meta?: string
  /** Whether it is the main script of its folder, such as tool.sh, whose tool has the name of the folder by default. */
  readonly isMain: boolean
}

/** A candidate, and the folder that has it. */
export interface ScriptFile {
  readonly root: string
  /** The real path of the tool's folder. */
  readonly folder: string
  /** The folder's name below the root. */
  readonly name: string
  readonly candidate: Candidate
}

/** The longest metadata, in bytes. */
const maxBytes = 256 * 1_024

type Metadata =
  | { readonly fields: Readonly<Record<string, unknown>>; readonly path: string }
  | { readonly problem: ToolProblem }

/** The members of the metadata file and of the comment in the script. The file overrides the comment. */
export function readMetadata({ root, folder, name, candidate }: ScriptFile, head: Buffer): Metadata {
  const script = join(name, candidate.file)
  const header = headerOf(head)
  const headerFields = header === undefined ? { fields: {} } : parseObject(header, `${script}: # mcp`)
  if ("problem" in headerFields) return headerFields
  const { meta } = candidate
  if (meta === undefined) return { fields: headerFields.fields, path: script }
  const path = join(name, meta)
  const trustedFile = trustedPath(join(folder, meta), root)
  if ("problem" in trustedFile) return { problem: { path, ...trustedFile.problem } }
  const { size } = lstatSync(trustedFile.realPath)
  if (size > maxBytes) return { problem: { path, message: `has ${size} bytes; at most ${maxBytes} are allowed.` } }
  const fileFields = parseObject(readFileSync(trustedFile.realPath, "utf8"), path)
  return "problem" in fileFields ? fileFields : { fields: { ...headerFields.fields, ...fileFields.fields }, path }
}

/** Parses a text that must be a JSON object. Returns its members as `fields`, or what is wrong with it. */
export function parseObject(
  json: string,
  path: string,
): { readonly fields: Readonly<Record<string, unknown>> } | { readonly problem: ToolProblem } {
  try {
    const fields: unknown = JSON.parse(json)
    if (isObject(fields)) return { fields }
    return { problem: { path, message: "is not a JSON object.", suggestion: 'Write {"description": "…"}.' } }
  } catch (error) {
    return { problem: { path, message: `is not JSON: ${error instanceof Error ? error.message : String(error)}` } }
  }
}
