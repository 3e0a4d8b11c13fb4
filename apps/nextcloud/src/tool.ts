// A tool as data: what it is called, what it needs, what it gives, how it is confirmed, and the function that does it.

import type { ContentBlock } from "@modelcontextprotocol/server"
import type { Capabilities } from "./api/capabilities.ts"
import type { Nextcloud } from "./api/nextcloud.ts"
import type { Json, ObjectSchema } from "./schema.ts"
import type { Scope } from "./scopes.ts"

/** The apps of Nextcloud for which there are tools. Each is a toolset: `--tools notes,calendar`. */
export const toolsets = [
  "notes",
  "files",
  "history",
  "sharing",
  "calendar",
  "tasks",
  "contacts",
  "deck",
  "tables",
  "cookbook",
  "news",
  "talk",
  "mail",
  "collectives",
  "search",
  "notifications",
  "status",
  "users",
] as const

/** The name of a toolset: one app of Nextcloud. */
export type Toolset = (typeof toolsets)[number]

/**
 * `read` changes nothing. `add` only adds. `set` sets something to a state, and doing it twice is doing it once.
 * `change` replaces something that is there. `remove` takes it away.
 */
export type Effect = "read" | "add" | "set" | "change" | "remove"

/** Whether a person is asked before it is done: never, until they have said yes once, or each time. */
export type Policy = "never" | "once" | "always"

/** What a person reads before they say yes: names and numbers, never an id. */
export interface Loss {
  /** “the note “Milk”” */
  readonly what: string
  /** What goes with it: “12 files, 3.4 MB”, “It cannot be undone.” */
  readonly details?: readonly string[]
  /** Handed to `run`, so that exactly what was shown is removed: an ETag, for example. */
  readonly guard?: string
}

export interface Confirmation<I> {
  /** Always, unless said otherwise. */
  readonly policy: Policy
  /** Requests to Nextcloud that `about` makes: one, unless said otherwise. */
  readonly requests: number
  /** Begins with a verb: “Delete”. */
  readonly verb: string
  /** For which arguments something is lost at all. For all of them when absent. */
  when?(input: I): boolean
  /** What is chosen for all tools at once does not count: only what is chosen for this one, or for its toolset. */
  readonly standsAlone?: boolean
  /** Where nothing is taken away: the button that says no, and what is told of `what` after it. */
  readonly declined?: { readonly no: string; readonly kept: string }
  about(input: I, nextcloud: Nextcloud): Promise<Loss>
}

/** What a tool can do besides returning. */
export interface Run {
  /** What the person was shown, if they were asked. */
  readonly loss?: Loss
  /** For long work. */
  progress(message: string, fraction?: number): Promise<void>
  readonly signal: AbortSignal
}

/** Pictures, sounds and files besides the structured answer. */
export interface WithContent<O> {
  readonly output: O
  readonly content: readonly ContentBlock[]
}

type Source = "recorded" | "documented"

export interface Definition<I, O> {
  /** nc_<app>_<verb>_<noun> */
  readonly name: string
  /** Where it is not the one of the name. */
  readonly app?: Toolset
  readonly title: string
  /** For the model: one or two short sentences. */
  readonly description: string
  readonly scopes: readonly Scope[]
  readonly effect: Effect
  /** Reaches others than this person: messages, invitations, pages of the web. */
  readonly reachesOthers?: boolean
  readonly input: ObjectSchema<I>
  readonly output: ObjectSchema<O>
  /** To Nextcloud, when connected and everything that is cached is there: one, unless said. A note says what more may be. */
  readonly requests?: number
  readonly requestsNote?: string
  /** What its wire shapes rest on: recordings of a real server, unless it is the documented API alone. */
  readonly source?: Source
  /** What of it the recordings do not cover, in words. */
  readonly notRecorded?: string
  /** Whether this server has what it needs. Always when absent. */
  readonly offered?: (capabilities: Capabilities) => boolean
  readonly confirm?: Omit<Confirmation<I>, "policy" | "requests"> & Partial<Confirmation<I>>
  run(input: I, nextcloud: Nextcloud, run: Run): Promise<O | WithContent<O>>
}

/** One tool, as data and a function. */
export interface Tool extends Omit<Definition<never, unknown>, "input" | "output" | "run" | "confirm"> {
  readonly input: ObjectSchema<unknown>
  readonly output: ObjectSchema<unknown>
  readonly app: Toolset
  readonly requests: number
  readonly source: Source
  readonly confirm?: Confirmation<unknown>
  run(input: unknown, nextcloud: Nextcloud, run: Run): Promise<unknown>
}

/** Checks what the types cannot, and forgets the types: a table holds tools of all kinds. */
export function defineTool<I, O>(definition: Definition<I, O>): Tool {
  const { name, effect, confirm } = definition
  const [, named] = /^nc_([a-z]+)(?:_[a-z0-9]+)+$/.exec(name) ?? []
  const app = definition.app ?? toolsets.find((toolset) => toolset === named)
  if (named === undefined || app === undefined) throw new Error(`${name} is not named nc_<app>_<verb>_<noun>.`)
  if (effect === "read" && confirm !== undefined) throw new Error(`${name} only reads: there is nothing to confirm.`)
  const confirmed = confirm === undefined ? {} : { confirm: { policy: "always", requests: 1, ...confirm } }
  return { requests: 1, source: "recorded", ...definition, app, ...confirmed } as unknown as Tool
}

/** For those that say nothing of it themselves. */
export const offeredIf = (offered: NonNullable<Tool["offered"]>, tools: readonly Tool[]): readonly Tool[] =>
  tools.map((tool) => ({ offered, ...tool }))

export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export function hintsOf({ effect, reachesOthers = false }: Pick<Tool, "effect" | "reachesOthers">): Hints {
  return {
    readOnlyHint: effect === "read",
    destructiveHint: effect === "change" || effect === "remove",
    idempotentHint: effect !== "add" && effect !== "change",
    openWorldHint: reachesOthers,
  }
}

/** As clients get it in tools/list. */
export function toListed(tool: Tool): { name: string; title: string; description: string } & Record<string, unknown> {
  const { name, title, description, input, output } = tool
  return { name, title, description, inputSchema: input.json, annotations: hintsOf(tool), outputSchema: output.json }
}

export const withContent = <O>(output: O, content: readonly ContentBlock[]): WithContent<O> => ({ output, content })

export type { Json }
