// Slack as talking to agents needs it: messages of verified people, and the Web API of a workspace. Types, and what a
// failed call means.

import { isHoldpointError } from "@holdpoint/sdk"
import type { SlackMessageEvent as Event, Slack, Workspace } from "@holdpoint/sdk/slack"
import { slackErrorOf } from "@holdpoint/sdk/slack"

export type Json = Readonly<Record<string, unknown>>

/** A mention of the app or a direct message to it, of a person whose Slack account is linked. Its text proves nothing. */
export type SlackMessageEvent = Omit<Event, "id">

export type SlackWorkspace = Pick<Workspace, "botUser" | "call">

export interface SlackApp extends Pick<Slack, "onMessage"> {
  readonly workspaces: Pick<Slack["workspaces"], "find">
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
  const refusal = slackErrorOf(error)
  if (refusal !== undefined) return { is: "refused", code: refusal }
  if (!isHoldpointError(error) || error.code !== "too_often") return { is: "unknown" }
  return { is: "limited", retryAfterMs: error.retryAfterMs ?? 1_000 }
}
