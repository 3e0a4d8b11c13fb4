// The section `nextcloud` of holdpoint.config.ts: its members, and a check that reports every problem at once.

import type { Policy } from "@holdpoint/nextcloud"
import { HoldpointError, type Problem } from "@holdpoint/sdk"
import { nearest } from "@holdpoint/sdk/forms"
import type { UrlWay } from "@holdpoint/sdk/mcp"
import type { OwnAccountRule } from "@holdpoint/sdk/vault"

export interface NextcloudConfig {
  /** The URL of your Nextcloud, with its path if it has one. */
  readonly host?: string
  /** Which tools are offered: names of toolsets, “default” or “all”. */
  readonly tools?: readonly string[]
  readonly readOnly?: boolean
  /** Confirmation before something is removed: by tool, by toolset, or “*”; each never, once or always. */
  readonly confirm?: Readonly<Record<string, Policy>>
  /** The name of this server in what people read. */
  readonly name?: string
  readonly offlineAccess?: boolean
  /** A client of the core's OAuth 2 app, instead of the login flow. */
  readonly oauth?: { readonly clientId: string; readonly clientSecret: string }
  /** A client of an OpenID Connect provider: Nextcloud's own, or the one that people sign in with. */
  readonly oidc?: { readonly clientId: string; readonly clientSecret?: string; readonly discoveryUrl?: string }
  /** Pass-through: the audience of Nextcloud's tokens, as the provider names it. Default: Nextcloud's address. */
  readonly audience?: string
  /** Pass-through: forward the caller's own token. MCP forbids it; only for tokens whose audience names both servers. */
  readonly handOnTokens?: boolean
  /** How long a person may take to answer. */
  readonly timeoutSeconds?: number
  /** Where people sign in and connect by login flow: whose account it may be. Default: only their own (`required`). */
  readonly ownAccount?: OwnAccountRule
  /** How clients of 2025-11-25 are sent to a page: by a request during the call (`push`), or by the error -32042. */
  readonly urlWay?: UrlWay
  /** The error -32042 as the drafts of url mode defined it, for clients written for them. Implies `urlWay: "error"`. */
  readonly drafts?: boolean
}

interface Kind {
  readonly expected: string
  readonly fits: (value: unknown) => boolean
  /** The kinds of an object's members. */
  readonly fields?: Fields
}

type Fields = Readonly<Record<string, Kind>>

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== ""
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const text: Kind = { expected: "text", fits: isText }
const yesNo: Kind = { expected: "true or false", fits: (value) => typeof value === "boolean" }
const texts: Kind = { expected: "a list of text", fits: (value) => Array.isArray(value) && value.every(isText) }
const number: Kind = { expected: "a number", fits: (value) => typeof value === "number" }
const object: Kind = { expected: "an object", fits: isObject }

const fields: Fields = {
  host: text,
  tools: texts,
  readOnly: yesNo,
  /** Its members are checked later, against the known toolsets and tools. */
  confirm: object,
  name: text,
  offlineAccess: yesNo,
  oauth: { ...object, fields: { clientId: text, clientSecret: text } },
  oidc: { ...object, fields: { clientId: text, clientSecret: text, discoveryUrl: text } },
  audience: text,
  handOnTokens: yesNo,
  timeoutSeconds: number,
  /** The allowed words are checked later, together with the environment's. */
  ownAccount: text,
  urlWay: text,
  drafts: yesNo,
}

/** Returns the section if it is valid. Errors never repeat a value, because some are secrets. */
export function readSection(section: Readonly<Record<string, unknown>>): NextcloudConfig {
  const problems = [...problemsOf("nextcloud.", section, fields)]
  if (problems.length === 0) return section
  throw new HoldpointError("invalid_config", "The settings for Nextcloud cannot be used.", { problems })
}

function* problemsOf(prefix: string, given: Readonly<Record<string, unknown>>, known: Fields): Generator<Problem> {
  for (const [name, value] of Object.entries(given)) {
    const path = `${prefix}${name}`
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (kind === undefined) yield { path, message: "is not a setting.", suggestion: suggest(name, Object.keys(known)) }
    else if (value !== undefined && !kind.fits(value)) yield { path, message: `must be ${kind.expected}.` }
    else if (kind.fields !== undefined && isObject(value)) yield* problemsOf(`${path}.`, value, kind.fields)
  }
}

/** `shown` is the list to print when no name is similar: a hundred tools would be too many. */
export function suggest(name: string, known: readonly string[], shown: readonly string[] = known): string {
  const meant = nearest(name, known)
  return meant === undefined ? `There are ${shown.join(", ")}.` : `Did you mean ${meant}?`
}
