// What a check is, and how it says that something does not hold, or that it could not look.

import { brief } from "./json.ts"
import type { Stage } from "./stage.ts"
import type { UrlModeRevision } from "./target.ts"

export interface UrlModeCheck {
  /** Never changes once published. */
  readonly id: string
  /** What holds of a server that passes. */
  readonly title: string
  /** What the specification calls it. */
  readonly level: "must" | "should"
  /** Where each revision says so, below https://modelcontextprotocol.io/specification/REVISION/. Others are not checked. */
  readonly spec: Readonly<Partial<Record<UrlModeRevision, string>>>
  /** Returns when it holds; else throws by `fail`, `skip` or `block`. */
  run(stage: Stage): Promise<void>
}

export interface Verdict {
  /** Skipped: it cannot be told here. Blocked: it could be told, but something kept the check from running. */
  readonly outcome: "passed" | "failed" | "skipped" | "blocked"
  /** Of a check that was skipped or blocked. */
  readonly why?: string
  /** What lets a blocked check run. */
  readonly next?: string
  readonly expected?: string
  readonly came?: string
}

const verdict = Symbol("verdict")

/** What was hoped for is not what came. */
export function fail(expected: string, came: unknown): never {
  throw Object.assign(new Error(`Expected ${expected}; ${brief(came)} came.`), {
    [verdict]: { outcome: "failed", expected, came: brief(came) } satisfies Verdict,
  })
}

export function expect(holds: boolean, expected: string, came: unknown): asserts holds {
  if (!holds) fail(expected, came)
}

/** It cannot be told here. */
export function skip(why: string): never {
  throw Object.assign(new Error(why), { [verdict]: { outcome: "skipped", why } satisfies Verdict })
}

/** It could be told, if the server or the person who runs the checks did something about it. */
export function block(why: string, next: string): never {
  throw Object.assign(new Error(why), { [verdict]: { outcome: "blocked", why, next } satisfies Verdict })
}

export function verdictOf(error: unknown): Verdict {
  if (error instanceof Error && verdict in error) return error[verdict] as Verdict
  const why = error instanceof Error ? [error.message, causeOf(error)].filter(Boolean).join(": ") : String(error)
  return { outcome: "failed", expected: "that the server can be spoken with to the end", came: why }
}

const causeOf = ({ cause }: Error): string => (cause instanceof Error ? cause.message : "")
