// The actions of `holdpoint agents`: shows what changed in the lists of foreign servers' tools, and accepts a list.

import type { ToolList } from "@holdpoint/agents/internal"
import {
  acceptLast,
  differencesOf,
  digestOf,
  escapeInvisible,
  isAccepted,
  type ToolDifference,
  toolListIdOf,
  toolListKind,
} from "@holdpoint/agents/internal"
import { HoldpointError } from "@holdpoint/hub"
import { nearest } from "@holdpoint/hub/forms"
import type { Call, ExitCode } from "./command.ts"
import { bold, dim } from "./output.ts"
import { type StorageSession, withStorage } from "./session.ts"
import { wrongUse } from "./wrong-use.ts"

export function listTools(call: Call): Promise<ExitCode> {
  return withStorage(call, { mustExist: true }, async ({ storage }) => {
    const lists = await allLists(storage)
    if (call.args.has("json")) call.out.json(lists.map(toPublic))
    else if (lists.length === 0) call.out.note("No tools of foreign servers have been listed yet.")
    else for (const list of lists) printList(call, list)
    return 0 as const
  })
}

export function acceptTools(call: Call): Promise<ExitCode> {
  const [, name] = call.args.words
  if (name === undefined) throw wrongUse("The name of the server is missing.", "Write: holdpoint agents accept NAME")
  return withStorage(call, { mustExist: true }, async ({ storage }) => {
    const records = storage.records(toolListKind)
    const list = await records.get(toolListIdOf(name))
    if (list === undefined) throw unknownServer(name, await allLists(storage))
    if (isAccepted(list, list.tools)) {
      if (call.args.has("json")) call.out.json(toPublic(list))
      else call.out.say(`The tools of ${name} are accepted as they are; nothing changed.`)
      return 0 as const
    }
    const next = acceptLast(list)
    // Writes exactly the list that is shown: a list that changed in between has another version.
    if (!(await records.replace(next)))
      throw new HoldpointError("already_settled", `The tools of ${name} have just changed again. Run this once more.`)
    if (call.args.has("json")) call.out.json({ ...toPublic(list), isAccepted: true })
    else {
      printList(call, list)
      call.out.say(`Accepted. Policies decide again which tools of ${name} run without asking.`)
    }
    return 0 as const
  })
}

async function allLists({ records }: StorageSession["storage"]): Promise<readonly ToolList[]> {
  const store = records(toolListKind)
  const lists: ToolList[] = []
  for (;;) {
    const after = lists.at(-1)
    const page = await store.list({
      tenant: "",
      limit: pageSize,
      ...(after === undefined ? {} : { afterId: after.id }),
    })
    lists.push(...page)
    if (page.length < pageSize) return lists
  }
}

const pageSize = 100

function unknownServer(name: string, lists: readonly ToolList[]): HoldpointError {
  const names = lists.map(({ server }) => server)
  const near = nearest(name, names)
  const advice = near !== undefined ? `Did you mean ${near}?` : "`holdpoint agents tools` lists the servers."
  return new HoldpointError("not_found", `No tools of “${name}” have been listed. ${advice}`)
}

const differencesIn = ({ accepted, tools }: ToolList): readonly ToolDifference[] => differencesOf(accepted.tools, tools)

const toPublic = (list: ToolList): object => ({
  server: list.server,
  tools: list.tools.map(({ name }) => name),
  digest: digestOf(list.tools),
  isAccepted: isAccepted(list, list.tools),
  listedAt: list.listedAt,
  differences: differencesIn(list),
})

function printList({ out }: Call, list: ToolList): void {
  const state = isAccepted(list, list.tools) ? "accepted" : "changed: its tools are asked about"
  out.say(bold(toLine(list.server)), `  ${list.tools.length} tools, ${state}  `, dim(digestOf(list.tools).slice(0, 12)))
  if (isAccepted(list, list.tools)) return
  for (const { name, kind, changes } of differencesIn(list)) {
    out.say(`  ${kind.padEnd(8)} ${toLine(name)}`)
    for (const { what, before, after } of changes) {
      out.say(`    ${what} before: ${toLine(before)}`)
      out.say(`    ${" ".repeat(what.length)} after:  ${toLine(after)}`)
    }
  }
}

/** A server's text on one line, with its invisible characters as escapes. */
const toLine = (text: string): string => escapeInvisible(text).replaceAll("\n", "\\n")
