// The interface of a check, and the functions by which it ends as failed, skipped or blocked.

import type { CheckContext } from "./check-context.ts"
import { brief } from "./json.ts"
import type { UrlModeRevision } from "./target.ts"

export interface UrlModeCheck {
  /** Names the check in `--check` and in reports. A published id never changes. */
  readonly id: string
  /** The claim about the server. */
  readonly title: string
  /** The specification's keyword for this rule: MUST or SHOULD. */
  readonly level: "must" | "should"
  /**
   * The section that has the rule, by revision, below https://modelcontextprotocol.io/specification/REVISION/. The
   * check runs only in these revisions.
   */
  readonly spec: Readonly<Partial<Record<UrlModeRevision, string>>>
  /** Returns when the claim holds; otherwise throws through `fail`, `skip` or `block`. */
  run(context: CheckContext): Promise<void>
}

export interface Verdict {
  /** Skipped: the check does not apply to this server. Blocked: the check applies, but could not run. */
  readonly outcome: "passed" | "failed" | "skipped" | "blocked"
  /** Why a check was skipped or blocked. */
  readonly why?: string
  /** What to do so that a blocked check can run. */
  readonly next?: string
  readonly expected?: string
  readonly came?: string
}

const verdictKey = Symbol("verdict")

/** Ends the check as failed. `actual` is what the server did instead of `expected`. */
export function fail(expected: string, actual: unknown): never {
  throw Object.assign(new Error(`Expected ${expected}; ${brief(actual)} came.`), {
    [verdictKey]: { outcome: "failed", expected, came: brief(actual) } satisfies Verdict,
  })
}

export function expect(holds: boolean, expected: string, actual: unknown): asserts holds {
  if (!holds) fail(expected, actual)
}

/** Ends the check as skipped: it does not apply to this server. */
export function skip(reason: string): never {
  throw Object.assign(new Error(reason), { [verdictKey]: { outcome: "skipped", why: reason } satisfies Verdict })
}

/** Ends the check as blocked. `advice` says what to change so that the check can run. */
export function block(reason: string, advice: string): never {
  throw Object.assign(new Error(reason), {
    [verdictKey]: { outcome: "blocked", why: reason, next: advice } satisfies Verdict,
  })
}

export function verdictOf(error: unknown): Verdict {
  if (error instanceof Error && verdictKey in error) return error[verdictKey] as Verdict
  const reason = error instanceof Error ? [error.message, causeOf(error)].filter(Boolean).join(": ") : String(error)
  return { outcome: "failed", expected: "an exchange with the server without errors", came: reason }
}

const causeOf = ({ cause }: Error): string => (cause instanceof Error ? cause.message : "")
