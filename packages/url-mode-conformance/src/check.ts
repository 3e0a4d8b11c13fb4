// What a check is, and how it reports that a claim does not hold, or that it could not be checked.

import type { CheckContext } from "./check-context.ts"
import { brief } from "./json.ts"
import type { UrlModeRevision } from "./target.ts"

export interface UrlModeCheck {
  /** Never changes once published. */
  readonly id: string
  /** The claim about the server. */
  readonly title: string
  /** The keyword of the specification. */
  readonly level: "must" | "should"
  /** The section in each revision, below https://modelcontextprotocol.io/specification/REVISION/. Other revisions are not checked. */
  readonly spec: Readonly<Partial<Record<UrlModeRevision, string>>>
  /** Returns when the claim holds; otherwise throws through `fail`, `skip` or `block`. */
  run(context: CheckContext): Promise<void>
}

export interface Verdict {
  /** Skipped: the check does not apply here. Blocked: it applies, but something kept it from running. */
  readonly outcome: "passed" | "failed" | "skipped" | "blocked"
  /** Why a check was skipped or blocked. */
  readonly why?: string
  /** What to do so that a blocked check can run. */
  readonly next?: string
  readonly expected?: string
  readonly came?: string
}

const verdict = Symbol("verdict")

/** The server did something else than expected. */
export function fail(expected: string, came: unknown): never {
  throw Object.assign(new Error(`Expected ${expected}; ${brief(came)} came.`), {
    [verdict]: { outcome: "failed", expected, came: brief(came) } satisfies Verdict,
  })
}

export function expect(holds: boolean, expected: string, came: unknown): asserts holds {
  if (!holds) fail(expected, came)
}

/** The check does not apply here. */
export function skip(why: string): never {
  throw Object.assign(new Error(why), { [verdict]: { outcome: "skipped", why } satisfies Verdict })
}

/** The check applies, and could run if the server or the person who runs the checks changed something. */
export function block(why: string, next: string): never {
  throw Object.assign(new Error(why), { [verdict]: { outcome: "blocked", why, next } satisfies Verdict })
}

export function verdictOf(error: unknown): Verdict {
  if (error instanceof Error && verdict in error) return error[verdict] as Verdict
  const why = error instanceof Error ? [error.message, causeOf(error)].filter(Boolean).join(": ") : String(error)
  return { outcome: "failed", expected: "an exchange with the server without errors", came: why }
}

const causeOf = ({ cause }: Error): string => (cause instanceof Error ? cause.message : "")
