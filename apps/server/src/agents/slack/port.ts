// Slack as talking to agents needs it: messages of verified people, and the Web API of a workspace. Types, and what a
// failed call means.

import type { Principal } from "@holdpoint/sdk"
import { isHoldpointError } from "@holdpoint/sdk"

export type Json = Readonly<Record<string, unknown>>

/** A mention of the app or a direct message to it, of a person whose Slack account is linked. */
export interface SlackMessageEvent {
  readonly kind: "mention" | "direct"
  readonly team: string
  readonly user: string
  readonly channel: string
  readonly ts: string
  /** The first message of the thread; absent outside of threads. */
  readonly thread_ts?: string
  /** As Slack writes it. What it says about people proves nothing. */
  readonly text: string
  /** The person to whom the Slack account is linked. */
  readonly principal: Principal
}

export interface SlackWorkspace {
  /** The app as a user of the workspace. */
  readonly botUser: string
  call(method: string, args: Json): Promise<Json>
}

export interface SlackApp {
  /** Calls the listener with each message until it resolves. Returns an unsubscribe function. */
  onMessage(listener: (message: SlackMessageEvent) => Promise<void>): () => void
  readonly workspaces: { find(team: string): Promise<SlackWorkspace | undefined> }
}

/**
 * Why a call failed. `limited` and `refused`: nothing was done. `unknown`: the connection was lost, and it may have been
 * done.
 */
export type SlackFault =
  | { readonly is: "limited"; readonly retryAfterMs: number }
  | { readonly is: "refused"; readonly code: string }
  | { readonly is: "unknown" }

export function faultOf(error: unknown): SlackFault {
  if (!isHoldpointError(error)) return { is: "unknown" }
  const { code, problems, retryAfterMs } = error as typeof error & { readonly retryAfterMs?: number }
  if (code === "too_often") return { is: "limited", retryAfterMs: retryAfterMs ?? 1_000 }
  if (code === "provider_refused") return { is: "refused", code: problems[0]?.path ?? "unknown_error" }
  return { is: "unknown" }
}
