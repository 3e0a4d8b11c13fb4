// Decides which tools a caller is offered: those of the chosen toolsets that the server's apps support.

import type { Capabilities } from "./api/capabilities.ts"
import type { Nextcloud } from "./api/nextcloud.ts"
import type { ChoiceGroup } from "./policy.ts"
import { toChoiceGroup } from "./policy.ts"
import type { Policy, Tool, Toolset } from "./tool.ts"

/** The operator's choice of toolsets. */
export interface Choice {
  readonly toolsets: ReadonlySet<Toolset>
  readonly readOnly: boolean
}

/** The toolsets that are on by default: what most people use, and what fits well into a model's context. */
export const defaultToolsets: readonly Toolset[] = ["notes", "files", "calendar", "tasks", "contacts", "search"]

export function chosenTools(table: readonly Tool[], { toolsets, readOnly }: Choice): readonly Tool[] {
  return table.filter((tool) => toolsets.has(tool.app) && (!readOnly || tool.effect === "read"))
}

/**
 * The chosen tools that Nextcloud supports. Returns all of them while no account is connected, because Nextcloud
 * reports its apps only to an account.
 */
export async function supportedTools(
  tools: readonly Tool[],
  nextcloud: Nextcloud | undefined,
): Promise<readonly Tool[]> {
  if (nextcloud === undefined) return tools
  const capabilities = await nextcloud.capabilities()
  const apps = await nextcloud.apps()
  return tools.filter((tool) => {
    const app = appOf[tool.app]
    const isInstalled = app === undefined || apps.has(app) || capabilities.has(app)
    return isInstalled && isPossible(tool, capabilities)
  })
}

/**
 * Whether the capabilities allow this tool. True when they cannot be interpreted: the tool itself then reports what
 * does not work.
 */
function isPossible(tool: Tool, capabilities: Capabilities): boolean {
  try {
    return tool.offered === undefined || tool.offered(capabilities)
  } catch {
    return true
  }
}

/** Nextcloud's id of the app behind each toolset; undefined for the apps that every server has. */
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

/** The confirmation policies that people can choose for the enabled tools. */
export async function choicesAbout(choice: Choice, configured: Readonly<Record<string, Policy>>): Promise<ChoiceGroup> {
  const { table } = await import("./tools/table.ts")
  return toChoiceGroup(chosenTools(table, choice), configured)
}

/** The names of all tools. */
export async function toolNames(): Promise<readonly string[]> {
  const { table } = await import("./tools/table.ts")
  return table.map(({ name }) => name)
}

/** The scopes that a tool needs. Empty for a tool that does not exist. */
export async function scopesOfTool(name: string): Promise<readonly string[]> {
  const { table } = await import("./tools/table.ts")
  return table.find((tool) => tool.name === name)?.scopes ?? []
}

/** The offered tools of each app, or the reason why there are none. */
export type ToolsByApp = readonly {
  readonly app: Toolset
  readonly offered: readonly string[]
  /** Why none of the app's tools are offered. */
  readonly missing?: string
}[]

/** The tools that would be offered, grouped by app, for a preview before a client connects. */
export async function offeredBy(choice: Choice, nextcloud: Nextcloud | undefined): Promise<ToolsByApp> {
  const { table } = await import("./tools/table.ts")
  const tools = chosenTools(table, choice)
  const supportedNames = new Set(await supportedTools(tools, nextcloud).catch(() => tools))
  return [...choice.toolsets].map((app) => {
    const offeredNames = tools.filter((tool) => tool.app === app && supportedNames.has(tool)).map(({ name }) => name)
    return {
      app,
      offered: offeredNames,
      ...(offeredNames.length === 0 ? { missing: "not installed on this server" } : {}),
    }
  })
}
