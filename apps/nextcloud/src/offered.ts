// Which tools a caller is offered: those of the chosen toolsets, that this server's apps can do.

import type { Capabilities } from "./api/capabilities.ts"
import type { Nextcloud } from "./api/nextcloud.ts"
import type { ChoiceGroup } from "./policy.ts"
import { toChoiceGroup } from "./policy.ts"
import type { Policy, Tool, Toolset } from "./tool.ts"

/** Which tools are offered. */
export interface Choice {
  readonly toolsets: ReadonlySet<Toolset>
  readonly readOnly: boolean
}

/** Offered unless somebody chooses: what most people have and use, and what fits well into a model's context. */
export const defaultToolsets: readonly Toolset[] = ["notes", "files", "calendar", "tasks", "contacts", "search"]

export function chosen(table: readonly Tool[], { toolsets, readOnly }: Choice): readonly Tool[] {
  return table.filter((tool) => toolsets.has(tool.app) && (!readOnly || tool.effect === "read"))
}

/** Of the chosen ones. All, as long as nobody is connected: only then the server says what it has. */
export async function offered(tools: readonly Tool[], nextcloud: Nextcloud | undefined): Promise<readonly Tool[]> {
  if (nextcloud === undefined) return tools
  const capabilities = await nextcloud.capabilities()
  const apps = await nextcloud.apps()
  return tools.filter((tool) => {
    const app = appOf[tool.app]
    const isThere = app === undefined || apps.has(app) || capabilities.has(app)
    return isThere && isPossible(tool, capabilities)
  })
}

/** Where an app tells something that nobody understands, its tools say themselves what does not work. */
function isPossible(tool: Tool, capabilities: Capabilities): boolean {
  try {
    return tool.offered === undefined || tool.offered(capabilities)
  } catch {
    return true
  }
}

/** What Nextcloud calls the app of a toolset; undefined for what every server has. */
const appOf: Readonly<Record<Toolset, string | undefined>> = {
  notes: "notes",
  files: undefined,
  history: undefined,
  sharing: undefined,
  calendar: undefined,
  tasks: undefined,
  contacts: undefined,
  deck: "deck",
  tables: "tables",
  cookbook: "cookbook",
  news: "news",
  talk: "spreed",
  mail: "mail",
  collectives: "collectives",
  search: undefined,
  notifications: "notifications",
  status: "user_status",
  users: undefined,
}

/** What people can choose about the tools that are switched on. */
export async function choicesAbout(choice: Choice, configured: Readonly<Record<string, Policy>>): Promise<ChoiceGroup> {
  const { table } = await import("./tools/table.ts")
  return toChoiceGroup(chosen(table, choice), configured)
}

/** The names of all tools. */
export async function toolNames(): Promise<readonly string[]> {
  const { table } = await import("./tools/table.ts")
  return table.map(({ name }) => name)
}

/** The tools of each app, or why there are none. */
export type ToolsByApp = readonly {
  readonly app: Toolset
  readonly offered: readonly string[]
  /** Why there are none. */
  readonly missing?: string
}[]

/** The tools that would be offered, by app, to look at before a client is connected. */
export async function offeredBy(choice: Choice, nextcloud: Nextcloud | undefined): Promise<ToolsByApp> {
  const { table } = await import("./tools/table.ts")
  const tools = chosen(table, choice)
  const there = new Set(await offered(tools, nextcloud).catch(() => tools))
  return [...choice.toolsets].map((app) => {
    const ours = tools.filter((tool) => tool.app === app && there.has(tool)).map(({ name }) => name)
    return { app, offered: ours, ...(ours.length === 0 ? { missing: "not installed at this server" } : {}) }
  })
}
