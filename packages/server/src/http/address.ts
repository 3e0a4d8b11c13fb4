// Checks the configured addresses of the pages once, at start-up, so that a wrong address is reported before anyone
// needs it.

import type { Addresses } from "@holdpoint/hub"
import { HoldpointError, type Problem } from "@holdpoint/hub"
import { checkUrl, invalidConfig, textProblem } from "@holdpoint/hub/internal"
import type { ReturnTarget } from "./site.ts"

/**
 * Throws unless publicUrl is an origin without a path: links, redirects and `__Host-` cookies all start at the root of
 * one host.
 */
export function assertAddresses({ publicUrl }: Addresses, callbackUrl: string | undefined): void {
  const urlCheck = checkUrl(publicUrl)
  if (!urlCheck.ok) throw invalid(urlCheck.problems.map(({ message }) => message).join(" "))
  const { origin } = new URL(publicUrl)
  if (origin !== publicUrl)
    throw invalid(`The pages live at the root of a host: write ${origin}, and nothing after it.`)
  const callback = callbackUrl === undefined ? undefined : URL.parse(callbackUrl)
  if (callback === undefined || (callback !== null && callbackUrl === `${origin}${callback.pathname}`)) return
  throw new HoldpointError(
    "invalid_config",
    `Providers send people back to this server's own pages: write the callback address as ${origin}/…, without parameters.`,
  )
}

/**
 * Throws if a return target or an opener is not a valid address; otherwise a typo would only show when a person follows
 * it.
 */
export function assertTargets({ returnTargets = {}, openers = {} }: Targets): void {
  const problems = [
    ...Object.entries(returnTargets).flatMap(([id, target]) => targetProblems(`returnTargets.${id}`, target)),
    ...Object.entries(openers).flatMap(([id, origin]) => openerProblems(`openers.${id}`, origin)),
  ]
  if (problems.length > 0) throw invalidConfig("Pages that people come from or go back to", problems)
}

interface Targets {
  readonly returnTargets?: Readonly<Record<string, ReturnTarget>>
  readonly openers?: Readonly<Record<string, string>>
}

function targetProblems(path: string, target: ReturnTarget): readonly Problem[] {
  const { name, href } = { ...target }
  if (textProblem(name, 100) !== undefined || typeof href !== "string")
    return [{ path, message: "must be an object.", suggestion: 'Write { name: "the chat", href: "https://…" }.' }]
  const urlCheck = checkUrl(href)
  return urlCheck.ok ? [] : urlCheck.problems.map((problem) => ({ ...problem, path: `${path}.href` }))
}

function openerProblems(path: string, origin: string): readonly Problem[] {
  const urlCheck = checkUrl(String(origin))
  if (!urlCheck.ok) return urlCheck.problems.map((problem) => ({ ...problem, path }))
  const exactOrigin = new URL(origin).origin
  return exactOrigin === origin ? [] : [{ path, message: "must be an origin.", suggestion: `Write ${exactOrigin}` }]
}

const invalid = (reason: string): HoldpointError =>
  new HoldpointError(
    "invalid_config",
    `The public address of the pages cannot be used. ${reason} Set publicUrl to the address that people use to reach them.`,
  )
