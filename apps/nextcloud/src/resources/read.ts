// Reads a resource by running its tool, and returns the content as text or bytes.

import type { Ask } from "@holdpoint/mcp"
import type { CallToolResult, ReadResourceResult } from "@modelcontextprotocol/server"
import type { Accounts, Caller } from "../accounts/accounts.ts"
import { isNextcloudError } from "../api/error.ts"
import { checkArguments } from "../arguments.ts"
import type { CallParts } from "../call.ts"
import { hasContent, runTool } from "../call.ts"
import type { Tool } from "../tool.ts"
import type { ResourceMatch } from "./address.ts"

export interface ResourceContent {
  readonly result: ReadResourceResult
  /** A version that changes whenever the resource does. */
  readonly version?: string
}

/** The resource, or why it could not be read. */
export type ReadOutcome = ResourceContent | Failed

interface Failed {
  readonly failed: string
  readonly isMissing?: boolean
}

/** A resource and the tool that reads it. */
export interface Target extends ResourceMatch {
  readonly uri: string
  readonly tool: Tool
}

export async function readResource(
  parts: CallParts,
  { uri, tool, row, variables }: Target,
  ask: Ask,
): Promise<ReadOutcome> {
  const callReader = (extraInput: object) => runTool(parts, tool, { ...row.input(variables), ...extraInput }, ask)
  const outcome = await readAll(callReader, { row, tool }).catch(toFailed)
  if ("failed" in outcome) return outcome
  const { output, second } = outcome
  const version = row.version === undefined ? undefined : output[row.version]
  const result = { contents: [toContents(row, output, second, uri)] }
  return typeof version === "string" ? { result, version } : { result }
}

function toFailed(error: unknown): Failed {
  if (!isNextcloudError(error)) throw error
  return { failed: error.message, isMissing: error.kind === "not_found" }
}

type Output = Readonly<Record<string, unknown>>

/** Reads all parts of a long text and joins them, up to a limit, because resources have no paging. */
async function readAll(
  call: (extraInput: object) => Promise<CallToolResult>,
  { row, tool }: { readonly row: ResourceMatch["row"]; readonly tool: Tool },
): Promise<{ readonly output: Output; readonly second: unknown } | Failed> {
  let extraInput = {}
  let text = ""
  let version: unknown
  for (;;) {
    const { structuredContent, content = [], isError } = await call(extraInput)
    const [firstBlock, secondBlock] = content
    if (isError === true)
      return { failed: firstBlock?.type === "text" ? firstBlock.text : "The resource cannot be read." }
    const output = (structuredContent ?? {}) as Output
    const part = row.content === undefined ? undefined : output[row.content]
    if (row.content === undefined || typeof part !== "string") return { output, second: secondBlock }
    const partVersion = output[row.version ?? ""]
    if (text !== "" && partVersion !== version) return { failed: "It changed while it was being read. Read it again." }
    version = partVersion
    text += part
    if (output.next_offset === undefined) return { output: { ...output, [row.content]: text }, second: secondBlock }
    if (text.length > mostCharacters || !("offset" in tool.input.properties)) return { failed: tooLong(tool) }
    extraInput = { offset: output.next_offset }
  }
}

const mostCharacters = 2_000_000

const tooLong = ({ name }: Tool): string =>
  `It is too long to be returned as a whole. Read it in parts with the tool ${name}.`

function toContents(
  { content: member, mimeType }: ResourceMatch["row"],
  output: Readonly<Record<string, unknown>>,
  block: unknown,
  uri: string,
): ReadResourceResult["contents"][number] {
  const kind = [output.type, output.mime_type].find(isMimeType) ?? mimeType
  const text = member === undefined ? JSON.stringify(output) : output[member]
  if (typeof text === "string") return { uri, mimeType: member === undefined ? "application/json" : kind, text }
  const blob = bytesOf(block)
  if (blob !== undefined) return { uri, mimeType: kind, blob }
  return { uri, mimeType: "application/json", text: JSON.stringify(output) }
}

const isMimeType = (value: unknown): value is string => typeof value === "string" && value.includes("/")

/** The base64 bytes of a picture, a sound or an embedded file. */
function bytesOf(block: unknown): string | undefined {
  if (typeof block !== "object" || block === null) return undefined
  if ("data" in block && typeof block.data === "string") return block.data
  if (!("resource" in block) || typeof block.resource !== "object" || block.resource === null) return undefined
  return "blob" in block.resource && typeof block.resource.blob === "string" ? block.resource.blob : undefined
}

/**
 * The current version, read without asking the person. Undefined without sufficient access. A missing resource has the
 * version “not there”.
 */
export async function readVersion(
  accounts: Accounts,
  target: Omit<Target, "uri">,
  caller: Caller,
): Promise<string | undefined> {
  try {
    return await versionNow(accounts, target, caller)
  } catch (error) {
    if (isNextcloudError(error) && error.kind === "not_found") return "not there"
    throw error
  }
}

async function versionNow(
  accounts: Accounts,
  { tool, row, variables }: Omit<Target, "uri">,
  caller: Caller,
): Promise<string | undefined> {
  const nextcloud = await accounts.find(caller, tool.scopes)
  if (nextcloud === undefined || row.version === undefined) return undefined
  const runContext = { progress: async () => {}, signal: new AbortController().signal }
  const output = await tool.run(await checkArguments(tool, row.input(variables)), nextcloud, runContext)
  const structuredOutput = hasContent(output) ? output.output : output
  const version = (structuredOutput as Readonly<Record<string, unknown>>)[row.version]
  return typeof version === "string" ? version : undefined
}
