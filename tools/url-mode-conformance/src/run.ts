// Runs the checks against one server, revision by revision, and collects the results.

import type { UrlModeCheck, Verdict } from "./check.ts"
import { verdictOf } from "./check.ts"
import type { CheckContext, Tools } from "./check-context.ts"
import { createCheckContext } from "./check-context.ts"
import { urlModeChecks } from "./checks/all.ts"
import { discoverTools, findUnsupportedReason, toTools } from "./discover.ts"
import type { ReceivedMessage } from "./exchange.ts"
import type { UrlModeRevision, UrlModeTarget } from "./target.ts"
import { urlModeRevisions } from "./target.ts"

export interface UrlModeResult extends Verdict {
  readonly id: string
  readonly title: string
  readonly level: UrlModeCheck["level"]
  readonly revision: UrlModeRevision
  /** The URL of the section that the check is based on. */
  readonly spec: string
}

export interface UrlModeReport {
  readonly url: string
  readonly results: readonly UrlModeResult[]
  /** Revisions that the server does not speak; they were not checked. */
  readonly unspoken: readonly UnsupportedRevision[]
  readonly passed: number
  readonly failed: number
  readonly blocked: number
  readonly skipped: number
}

export interface UnsupportedRevision {
  readonly revision: UrlModeRevision
  readonly why: string
}

export interface UrlModeOptions {
  /** The revisions to check. Default: every revision that the server speaks. */
  readonly revisions?: readonly UrlModeRevision[]
  /** The checks to run. Default: all. */
  readonly checks?: readonly UrlModeCheck[]
  /** Called with each result when its check ends. */
  readonly onResult?: (result: UrlModeResult) => void
  readonly onUnspoken?: (unsupported: UnsupportedRevision) => void
  readonly onStart?: (check: UrlModeCheck, revision: UrlModeRevision) => void
  readonly signal?: AbortSignal
}

export async function checkUrlMode(target: UrlModeTarget, options: UrlModeOptions = {}): Promise<UrlModeReport> {
  const { revisions = urlModeRevisions, checks = urlModeChecks, signal } = options
  const results: UrlModeResult[] = []
  const record = (result: UrlModeResult): void => {
    results.push(result)
    options.onResult?.(result)
  }
  const unspoken: UnsupportedRevision[] = []
  let tools: Tools = {}
  const askedKeys = new Set<string>()
  for (const revision of revisions) {
    signal?.throwIfAborted()
    const reason = await findUnsupportedReason(target, revision)
    if (reason !== undefined) {
      unspoken.push({ revision, why: reason })
      options.onUnspoken?.({ revision, why: reason })
      continue
    }
    if (tools.url === undefined) tools = await discoverTools(target, revision)
    const log: ReceivedMessage[] = []
    for (const check of checks) {
      const { id, title, level, spec } = check
      if (spec[revision] === undefined) continue
      signal?.throwIfAborted()
      options.onStart?.(check, revision)
      const verdict = await runCheck(
        check,
        createCheckContext(target, { revision, tools: toTools(target, tools), log, askedKeys }),
      )
      record({ id, title, level, revision, spec: `${specification}/${revision}/${spec[revision]}`, ...verdict })
    }
  }
  const count = (outcome: Verdict["outcome"]): number => results.filter((result) => result.outcome === outcome).length
  const [passed, failed] = [count("passed"), count("failed")]
  return { url: target.url, results, unspoken, passed, failed, blocked: count("blocked"), skipped: count("skipped") }
}

const specification = "https://modelcontextprotocol.io/specification"

async function runCheck(check: UrlModeCheck, context: CheckContext): Promise<Verdict> {
  try {
    await context.target.reset?.()
    await check.run(context)
    return { outcome: "passed" }
  } catch (error) {
    return verdictOf(error)
  } finally {
    await context.close()
  }
}
