// The matrix as data: every tool, and every outcome that a call can have. A cell says how a test causes this outcome,
// or why the outcome is impossible.

import type { Tool } from "../../src/tool.ts"
import { samples } from "../samples/all.ts"
import { answering } from "../samples/answers.ts"
import type { SampleWorld } from "../samples/sample.ts"

export const columns = [
  "success",
  "not found",
  "no permission",
  "conflict",
  "expired credentials",
  "server down",
  "a page in place of an answer",
  "a broken answer",
  "an answer of other types",
  "declined",
] as const

export type Column = (typeof columns)[number]

/** `sample`: a sample call causes the outcome. `forced`: the server refuses every request. */
export type Cell = { readonly by: "sample" | "forced" } | { readonly impossible: string }

export function cellOf(tool: Tool, column: Column): Cell {
  const reason = exceptions[tool.name]?.[column] ?? generally(tool, column)
  if (reason !== undefined) return { impossible: reason }
  return { by: hasOwn(tool.name, column) ? "sample" : "forced" }
}

function generally({ effect, confirm }: Tool, column: Column): string | undefined {
  if (column === "conflict" && effect === "read") return "it only reads, so there is no conflict"
  if (column === "declined" && confirm === undefined) return "it takes nothing away that could be asked about"
  return undefined
}

function hasOwn(name: string, column: Column): boolean {
  const { missing, foreign, conflict } = samples[name] ?? {}
  if (column === "not found") return missing !== undefined
  if (column === "no permission") return foreign !== undefined
  if (column === "conflict") return conflict !== undefined
  return column === "success" || column === "declined"
}

const cachedReason = "it answers from what is kept of the server for a minute, and asks nothing"

const exceptions: Readonly<Record<string, Readonly<Partial<Record<Column, string>>>>> = {
  nc_users_get_capabilities: {
    "no permission": cachedReason,
    "expired credentials": cachedReason,
    "server down": cachedReason,
    "a page in place of an answer": cachedReason,
    "a broken answer": cachedReason,
    "an answer of other types": cachedReason,
  },
  nc_status_get_status: { "not found": "that nothing is set is an answer: they are offline" },
}

/** Tools that report the outcome of each part, so that a conflict in one part is not an error of the call. */
export const tellsOfParts: ReadonlySet<string> = new Set(["nc_calendar_bulk_operations"])

/** Tools whose number of requests grows with the account's content: counted before other samples add content. */
export const growing: readonly string[] = ["nc_calendar_find_availability", "nc_calendar_bulk_operations"]

/** Tools that overwrite, and so lose something, only when the destination exists. */
const losing: ReadonlySet<string> = new Set(["nc_files_move_resource", "nc_files_copy_resource"])

/** Arguments with which tools reach others, that keep to the person's own data in their sample. */
const reaching: Readonly<Record<string, object>> = {
  nc_calendar_create_event: { attendees: [{ email: "carol@example.org" }] },
  nc_calendar_update_event: { attendees: [{ email: "carol@example.org" }] },
}

/** Responses from the API documentation, for tools of which only refusals were recorded. */
const documented: Readonly<Record<string, (world: SampleWorld) => void>> = {
  nc_news_add_feed(world) {
    const feed = { id: 7, url: "https://feeds.example/rss.xml", title: "News", folderId: null, unreadCount: 2 }
    answering(world, "POST", "/apps/news/api/v1-3/feeds", { feeds: [feed], newestItemId: 12 })
  },
  nc_news_delete_folder(world) {
    answering(world, "GET", "/apps/news/api/v1-3/folders", { folders: [{ id: 1, name: "Morning" }] })
    answering(world, "DELETE", "/apps/news/api/v1-3/folders/1", [])
  },
  nc_cookbook_import_recipe(world) {
    const recipe = { id: 300, name: "Spätzle", recipeIngredient: ["Mehl"], recipeInstructions: ["Rühren"] }
    answering(world, "POST", "/apps/cookbook/api/v1/import", recipe)
  },
}

export async function argumentsOf(name: string, world: SampleWorld): Promise<object> {
  documented[name]?.(world)
  return (await samples[name]?.arguments(world)) ?? {}
}

export async function argumentsFor(name: string, column: Column, world: SampleWorld): Promise<object> {
  const { missing, foreign, conflict } = samples[name] ?? {}
  if (column === "not found" && missing !== undefined) return missing
  if (column === "no permission" && foreign !== undefined)
    return typeof foreign === "function" ? foreign(world) : foreign
  if (column === "conflict" && conflict !== undefined) return conflict(world)
  if (column === "declined" && losing.has(name)) return { ...(await conflict?.(world)), overwrite: true }
  const more = column === "declined" ? reaching[name] : undefined
  return { ...(await argumentsOf(name, world)), ...more }
}
