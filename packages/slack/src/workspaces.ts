// Slack's Web API, one workspace at a time. A call that Slack limits fails with `too_often` and the time to wait. Until
// then, further calls of the same kind fail without a request. Errors contain no token.

import { createGuardedFetch } from "@holdpoint/fetching/internal"
import type { Runtime } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import { createLimits, type Limits } from "./limits.ts"
import type { Json } from "./wire.ts"

/** A workspace in which the app is installed. */
export interface Workspace {
  readonly team: string
  readonly name: string
  /** The app's own user id in the workspace. */
  readonly botUser: string
  /**
   * Calls a method of the Web API. Throws `too_often` with `retryAfterMs`, `provider_unavailable`, or
   * `provider_refused`; `slackErrorOf` returns Slack's error code.
   */
  call(method: string, args: Json, signal?: AbortSignal): Promise<Json>
}

/** The workspaces in which the app is installed. */
export interface Workspaces {
  /** Finds a workspace. Undefined for a workspace without a configured bot token. */
  find(team: string): Promise<Workspace | undefined>
  all(): Promise<readonly Workspace[]>
}

export interface WorkspacesOptions {
  /** A bot token for each workspace. */
  readonly botTokens: readonly string[]
  /** Another address of the Web API, for tests and for trying out. */
  readonly apiUrl?: string | undefined
  readonly runtime: Pick<Runtime, "now">
  readonly fetch?: Fetch | undefined
}

const timeoutMs = 15_000

/** Creates the workspaces of these tokens. The first use of a token asks Slack for its workspace. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const fetch = options.fetch ?? createSlackFetch(options.apiUrl)
  const opening = new Map<string, Promise<Workspace>>()
  const open = (token: string): Promise<Workspace> => {
    const pending = opening.get(token)
    if (pending !== undefined) return pending
    const created = openWorkspace(token, { ...options, fetch })
    opening.set(token, created)
    // A failure is not cached, so that the next use asks Slack again.
    created.catch(() => opening.delete(token))
    return created
  }
  const all = (): Promise<readonly Workspace[]> => Promise.all(options.botTokens.map(open))
  return { all, find: async (team) => (await all()).find((workspace) => workspace.team === team) }
}

/** Creates the guarded fetch for Slack's API. It may also reach the host of `apiUrl` on a private network. */
export function createSlackFetch(apiUrl?: string): Fetch {
  const alsoAllow = apiUrl === undefined ? [] : [new URL(apiUrl).hostname]
  return createGuardedFetch({ timeoutMs, until: "body", maxBytes: 5_000_000, alsoAllow })
}

/** Returns Slack's error code of a refused call, such as `channel_not_found`. */
export function slackErrorOf(error: unknown): string | undefined {
  return error instanceof HoldpointError && error.code === "provider_refused" ? error.problems[0]?.path : undefined
}

async function openWorkspace(token: string, options: WorkspacesOptions): Promise<Workspace> {
  const call = await createCall(token, options)
  const { team_id: team, team: name, user_id: botUser } = await call("auth.test", {})
  if (typeof team !== "string" || typeof botUser !== "string")
    throw new HoldpointError("provider_unavailable", "Slack did not say which workspace the bot token belongs to.")
  return { team, name: typeof name === "string" ? name : team, botUser, call }
}

async function createCall(token: string, options: WorkspacesOptions): Promise<Workspace["call"]> {
  // Imported on use, because only programs with Slack install this optional package.
  const { WebClient, ErrorCode } = await import("@slack/web-api")
  const { apiUrl, runtime, fetch } = options
  const client = new WebClient(token, {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
    ...(fetch === undefined ? {} : { fetch: (url, init) => fetch(url, init as RequestInit) }),
    ...{ timeout: timeoutMs, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, allowAbsoluteUrls: false },
    maxRequestConcurrency: 32,
    logger: silentLogger,
  })
  const limits = createLimits(runtime)
  return async (method, args, signal) => {
    signal?.throwIfAborted()
    limits.assertFree(method, args)
    try {
      return (await client.apiCall(method, args)) as unknown as Json
    } catch (error) {
      throw toError(error, { method, args, limits, codes: ErrorCode })
    }
  }
}

interface Failed {
  readonly method: string
  readonly args: Json
  readonly limits: Limits
  readonly codes: { readonly RateLimitedError: string; readonly PlatformError: string }
}

function toError(error: unknown, { method, args, limits, codes }: Failed): unknown {
  const { code, retryAfter, data } = error as { code?: string; retryAfter?: number; data?: Json }
  if (code === codes.RateLimitedError) return limits.note(method, args, (retryAfter ?? 1) * 1_000)
  if (code !== codes.PlatformError)
    return new HoldpointError("provider_unavailable", `Slack could not be reached for ${method}.`)
  const errorCode = typeof data?.error === "string" ? data.error : "unknown_error"
  // Slack's error code is the path of a problem, so that programs can distinguish refusals.
  const problems = [{ path: errorCode, message: "is what Slack answered." }]
  return new HoldpointError("provider_refused", `Slack refused ${method}: ${errorCode}.`, { problems })
}

/**
 * The logger of Slack's client, which logs nothing: errors are thrown anyway, and log lines may contain people's
 * messages.
 */
export const silentLogger = {
  ...{ debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, setName() {} },
  getLevel: () => "error" as never,
}
