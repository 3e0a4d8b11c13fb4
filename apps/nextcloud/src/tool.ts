// The type of a tool: its name, scopes, schemas, confirmation, and the function that runs it.

import type { ContentBlock } from "@modelcontextprotocol/server"
import type { Capabilities } from "./api/capabilities.ts"
import type { Nextcloud } from "./api/nextcloud.ts"
import type { Reach } from "./reach.ts"
import type { Json, ObjectSchema } from "./schema.ts"
import type { Scope } from "./scopes.ts"

/** The Nextcloud apps that have tools. Each is a toolset: `--tools notes,calendar`. */
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

/** The name of a toolset: one Nextcloud app. */
export type Toolset = (typeof toolsets)[number]

/**
 * `read` changes nothing. `add` only adds. `set` sets a state and is idempotent. `change` replaces something that
 * exists. `remove` deletes it.
 */
export type Effect = "read" | "add" | "set" | "change" | "remove"

/** How often a person is asked before the tool runs: never, only the first time, or each time. */
export type Policy = "never" | "once" | "always"

/** The loss that a person reads before they confirm: names and numbers, never an id. */
export interface Loss {
  /** The object, such as “the note “Milk””. */
  readonly what: string
  /** More about the loss: “12 files, 3.4 MB”, “It cannot be undone.” */
  readonly details?: readonly string[]
  /** Passed to `run`, so that it removes exactly what was shown: an ETag, for example. */
  readonly guard?: string
}

export interface Confirmation<I> {
  /** The default is `always`. A tool with a rule of reach has none: its kinds of reach decide. */
  readonly policy: Policy
  /** The number of requests that `readLoss` makes. The default is one. */
  readonly requests: number
  /** The verb of the question: “Delete”. */
  readonly verb: string
  /** Whether a call with these arguments needs a confirmation. Absent: always. */
  when?(input: I): boolean
  /** For tools that remove nothing: the words after `what` when the person declines, such as “was not sent”. */
  readonly keptText?: string
  readLoss(input: I, nextcloud: Nextcloud): Promise<Loss>
}

/** The context of one tool run. */
export interface RunContext {
  /** The loss that the person confirmed. Absent when the person was not asked. */
  readonly loss?: Loss
  /** Reports the progress of long work. */
  progress(message: string, fraction?: number): Promise<void>
  readonly signal: AbortSignal
}

/** A structured output with additional content blocks: pictures, sounds, files. */
export interface WithContent<O> {
  readonly output: O
  readonly content: readonly ContentBlock[]
}

type Source = "recorded" | "documented"

export interface Definition<I, O> {
  /** nc_<app>_<verb>_<noun> */
  readonly name: string
  /** The toolset, when it differs from the one in the name. */
  readonly app?: Toolset
  readonly title: string
  /** For the model: one or two short sentences. */
  readonly description: string
  readonly scopes: readonly Scope[]
  readonly effect: Effect
  /** How the tool reaches beyond this person's data: shares, messages, invitations, web pages. Absent: it does not. */
  readonly reach?: Reach<I, Nextcloud>
  readonly input: ObjectSchema<I>
  readonly output: ObjectSchema<O>
  /**
   * The number of requests to Nextcloud with a connected account and a warm cache. The default is one. `requestsNote`
   * says when there are more.
   */
  readonly requests?: number
  readonly requestsNote?: string
  /**
   * Where the shapes of requests and responses come from: recordings of a real server (default), or the API's
   * documentation.
   */
  readonly source?: Source
  /** The behaviour that the recordings do not cover. */
  readonly notRecorded?: string
  /** Whether the server's capabilities support the tool. Absent: always. */
  readonly offered?: (capabilities: Capabilities) => boolean
  readonly confirm?: Omit<Confirmation<I>, "policy" | "requests"> & Partial<Confirmation<I>>
  run(input: I, nextcloud: Nextcloud, runContext: RunContext): Promise<O | WithContent<O>>
}

/** One tool: its description as data, and the function that runs it. */
export interface Tool extends Omit<Definition<never, unknown>, "input" | "output" | "run" | "confirm" | "reach"> {
  readonly input: ObjectSchema<unknown>
  readonly output: ObjectSchema<unknown>
  readonly app: Toolset
  readonly requests: number
  readonly source: Source
  readonly reach?: Reach<unknown, Nextcloud>
  readonly confirm?: Confirmation<unknown>
  run(input: unknown, nextcloud: Nextcloud, runContext: RunContext): Promise<unknown>
}

/**
 * Creates a tool: checks rules that the types cannot express, and erases the type parameters, so that one table can
 * hold all tools.
 */
export function defineTool<I, O>(definition: Definition<I, O>): Tool {
  const { name, effect, confirm, reach } = definition
  const [, appInName] = /^nc_([a-z]+)(?:_[a-z0-9]+)+$/.exec(name) ?? []
  const app = definition.app ?? toolsets.find((toolset) => toolset === appInName)
  if (appInName === undefined || app === undefined) throw new Error(`${name} is not named nc_<app>_<verb>_<noun>.`)
  if (effect === "read" && confirm !== undefined) throw new Error(`${name} only reads: there is nothing to confirm.`)
  if (typeof reach === "object" && confirm === undefined) throw new Error(`${name} reaches others without a question.`)
  const confirmed = confirm === undefined ? {} : { confirm: { policy: "always", requests: 1, ...confirm } }
  return { requests: 1, source: "recorded", ...definition, app, ...confirmed } as unknown as Tool
}

/** Adds an `offered` condition to the tools that have none. */
export const withOfferTest = (isOffered: NonNullable<Tool["offered"]>, tools: readonly Tool[]): readonly Tool[] =>
  tools.map((tool) => ({ offered: isOffered, ...tool }))

export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export function hintsOf({ effect, reach }: Pick<Tool, "effect" | "reach">): Hints {
  return {
    readOnlyHint: effect === "read",
    destructiveHint: effect === "change" || effect === "remove",
    idempotentHint: effect !== "add" && effect !== "change",
    openWorldHint: reach !== undefined,
  }
}

/** The tool's entry in tools/list. */
export function toListed(tool: Tool): { name: string; title: string; description: string } & Record<string, unknown> {
  const { name, title, description, input, output } = tool
  return { name, title, description, inputSchema: input.json, annotations: hintsOf(tool), outputSchema: output.json }
}

export const withContent = <O>(output: O, content: readonly ContentBlock[]): WithContent<O> => ({ output, content })

export type { Json }
