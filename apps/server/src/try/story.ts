// The steps of `holdpoint try`: a call that needs an account stops, asks and returns; a call that deletes something
// asks first.

import { plainLines } from "@holdpoint/sdk/terminal"
import type { CallToolResult, Tool } from "@modelcontextprotocol/client"
import type { ExitCode } from "../command.ts"
import type { Io } from "../io.ts"
import type { Output } from "../output.ts"
import { bold, dim, green, red } from "../output.ts"
import type { ToolClient } from "./client.ts"
import type { Person } from "./person.ts"
import { toTable } from "./table.ts"

export interface Scene {
  readonly io: Io
  readonly out: Output
  readonly client: ToolClient
  readonly person: Person
  /** Whether the person was asked anything so far. */
  readonly hasAsked: () => boolean
}

const firstTool = "nc_notes_list_notes"
const secondTool = "nc_notes_delete_note"

export async function runStory(scene: Scene): Promise<ExitCode> {
  const { out, client, person, hasAsked } = scene
  const tools = await client.tools()
  const toolChoices = toolsToOffer(tools)
  out.say("")
  out.say(`The server offers ${tools.length} tools. Some that need nothing but your account:`)
  const tool = toolChoices[await person.choose("Which one should be called?", toolChoices.map(wordsOf))]
  if (tool === undefined) return 1
  const result = await call(scene, tool.name)
  if (result === undefined) return 1
  printResult(out, result)
  if (result.isError === true) return 1
  if (!hasAsked()) out.say(dim("You were not asked: you allowed it before. `holdpoint try --reset` starts fresh."))
  return tool.name === firstTool ? deleteOne(scene, result) : 0
}

const wordsOf = ({ title = "", name }: Tool): string => `${title} (${name})`

/** The notes tool, then the first tool of each app that only reads and needs no arguments. */
function toolsToOffer(tools: readonly Tool[]): readonly Tool[] {
  const simpleTools = tools.filter(
    ({ name, annotations, inputSchema }) =>
      name.startsWith("nc_") && annotations?.readOnlyHint === true && (inputSchema.required ?? []).length === 0,
  )
  const ofApps = [...Map.groupBy(simpleTools, ({ name }) => name.split("_")[1]).values()].flatMap(
    ([first]) => first ?? [],
  )
  const isFirst = ({ name }: Tool): boolean => name === firstTool
  return [...simpleTools.filter(isFirst), ...ofApps.filter((tool) => !isFirst(tool))].slice(0, 5)
}

/** Repeats the call as often as the person wants; undefined when they cancel. */
async function call(
  { io, out, client, person }: Scene,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<CallToolResult | undefined> {
  for (;;) {
    out.say("")
    out.say(bold(`The client calls ${name}.`))
    const callEnd = new AbortController()
    const signal = AbortSignal.any([callEnd.signal, io.signal])
    const calling = client.call(name, args, { signal, progress: (words) => out.say(dim(`     … ${words}`)) })
    const choice = person.next(signal)
    // The loser of the race is not awaited: without a handler, its error would end the process.
    for (const promise of [calling, choice]) promise.catch(() => {})
    const winner = await Promise.race([calling, choice])
    callEnd.abort()
    if (typeof winner !== "string") return winner
    if (winner === "cancel") {
      out.say("Cancelled. Nothing was changed.")
      return undefined
    }
  }
}

function printResult(out: Output, { content, structuredContent, isError = false }: CallToolResult): void {
  out.say("")
  out.say(isError ? red("✘ ") : green("✔ "), isError ? "The tool failed:" : "The same call returned:")
  const rows = Object.values(structuredContent ?? {}).find((value) => Array.isArray(value) && value.length > 0)
  if (rows !== undefined && !isError) {
    for (const line of toTable(rows as readonly Readonly<Record<string, unknown>>[])) out.say("  ", line)
    return
  }
  for (const line of structuredContent === undefined ? textOf(content) : factsOf(structuredContent)) out.say("  ", line)
}

const textOf = (content: CallToolResult["content"]): readonly string[] =>
  content.flatMap((block) => (block.type === "text" ? plainLines(block.text) : []))

const factsOf = (structured: unknown): readonly string[] =>
  Object.entries(structured ?? {}).map(
    ([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`,
  )

async function deleteOne(scene: Scene, { structuredContent }: CallToolResult): Promise<ExitCode> {
  const { out, person } = scene
  const { notes = [] } = (structuredContent ?? {}) as { notes?: readonly { id: number; title: string }[] }
  const last = notes.at(-1)
  if (last === undefined) return 0
  out.say("")
  if (!(await person.confirm(`Delete the note “${last.title}”? The server asks before it does.`))) return 0
  const result = await call(scene, secondTool, { note_id: last.id })
  if (result === undefined) return 1
  printResult(out, result)
  return result.isError === true ? 1 : 0
}
