// How the effect of a tool reaches others, and how often a person is asked about each kind of reach. One policy for all
// apps: tools only say whom a call reaches, with what.

import { createHash } from "node:crypto"

/**
 * How often the person is asked. `always`: each time, because it leaves this Nextcloud or opens more than before.
 * `once`: a Yes counts for the same recipient, object and access.
 */
export const reachKinds = {
  /** All who have an address can open it. */
  public: "always",
  /** E-mail and invitations by e-mail. */
  email: "always",
  /** Another server, or a group that can have members outside this Nextcloud: teams, conversations with guests. */
  outside: "always",
  /** Something that others have is less protected than before: by a password, an expiry date, fewer permissions. */
  weakened: "always",
  /** The recipients can pass the access on, or take it from others. */
  manage: "always",
  /** People and groups of this Nextcloud. */
  inside: "once",
} as const satisfies Readonly<Record<string, "always" | "once">>

export type ReachKind = keyof typeof reachKinds

/** What one call does for one recipient. */
export interface Reached {
  readonly kind: ReachKind
  /** The recipient: its kind and its id or address. */
  readonly to: string
  /** What they get, by an id that never becomes that of another object. */
  readonly object: string
  /** What they may do with it. */
  readonly access?: string
}

/** Finds out whom a call reaches. */
export interface ReachRule<I, N> {
  /** The kinds that a call can have. */
  readonly kinds: readonly ReachKind[]
  /** The number of requests that `find` makes. The default is none. */
  readonly requests?: number
  /** Empty when no one else is reached. */
  find(input: I, nextcloud: N): Promise<readonly Reached[]> | readonly Reached[]
}

/**
 * How a tool reaches others: by a rule; `shown`: people who have access already see it, or are notified; `ended`:
 * others lose something, which is confirmed as a loss.
 */
export type Reach<I, N> = ReachRule<I, N> | "shown" | "ended"

export const isAlwaysAsked = (kinds: readonly ReachKind[]): boolean =>
  kinds.some((kind) => reachKinds[kind] === "always")

/** The name under which a Yes is stored. It contains no address and no path. */
export function agreementName(tool: string, { kind, to, object, access = "" }: Reached): string {
  const digest = createHash("sha256").update(JSON.stringify([kind, to, object, access]))
  return `agreed ${tool} ${digest.digest("base64url")}`
}
