// Reads the elicitation capabilities that a client declared. Pure. A bare `elicitation: {}` means forms only. A client
// is sent nothing in a mode that it did not declare.

import type { Revision } from "@holdpoint/hub/forms"
import { isObject } from "@holdpoint/hub/internal"

/** An MCP client as it declared itself. */
export interface Client {
  /** The protocol revision; undefined for revisions older than elicitation. */
  readonly revision: Revision | undefined
  readonly form: boolean
  readonly url: boolean
  /** Whether this server can send the client a request during its call. */
  readonly isReachable: boolean
  /** The name as the client reports it, unverified. */
  readonly name?: string
  readonly version?: string
}

/** The two modes of elicitation that a client may support. */
export interface Modes {
  readonly form: boolean
  readonly url: boolean
}

/** Corrections by the operator for a client whose declared capabilities are wrong. */
export interface ClientOverride extends Partial<Modes> {
  /** How a client of 2025-11-25 is sent to a page. */
  readonly urlWay?: UrlWay
}

/**
 * How a client is sent to a page. `push`: by a request during the call, which is held. `error`: the call ends with
 * -32042, and the client calls again.
 */
export type UrlWay = "push" | "error"

export const noModes: Modes = { form: false, url: false }

export function modesOf(capabilities: unknown, revision: Revision | undefined): Modes {
  const declared = memberOf(capabilities, "elicitation")
  if (revision === undefined || !isObject(declared)) return noModes
  if (revision === "2025-06-18") return { form: true, url: false }
  const url = isObject(declared.url)
  return { form: isObject(declared.form) || !url, url }
}

/**
 * Returns the newest known revision that is not newer than this version; undefined for versions before elicitation.
 * Versions are dates, which are compared as text.
 */
export function revisionOf(version: unknown): Revision | undefined {
  if (typeof version !== "string") return undefined
  return revisions.find((revision) => version >= revision)
}

const revisions = ["2026-07-28", "2025-11-25", "2025-06-18"] as const satisfies readonly Revision[]

export function toClient(
  facts: {
    readonly revision: Revision | undefined
    readonly modes: Modes
    readonly info: unknown
    readonly isReachable: boolean
  },
  overrides: Readonly<Record<string, ClientOverride>>,
): Client {
  const name = textOf(memberOf(facts.info, "name"))
  const version = textOf(memberOf(facts.info, "version"))
  const override = name === undefined ? undefined : overrides[name]
  return {
    revision: facts.revision,
    form: override?.form ?? facts.modes.form,
    url: override?.url ?? facts.modes.url,
    isReachable: facts.isReachable,
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
  }
}

export const isModern = ({ revision }: Pick<Client, "revision">): boolean => revision === "2026-07-28"

/** Removes control characters from the name that a client reports, and shortens it so that it fits on a page. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined
  const cleanText = value.replace(/\p{C}/gu, "").trim().slice(0, 100)
  return cleanText === "" ? undefined : cleanText
}

export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export const isRequestId = (id: unknown): id is string | number => typeof id === "string" || typeof id === "number"
