// The part of Slack that agents use: messages of verified people, and the Web API of a workspace. Also classifies
// failed calls.

import { isHoldpointError } from "@holdpoint/hub"
import type { SlackMessageEvent as Event } from "../events.ts"
import type { SlackApp as App } from "../part.ts"
import type { Workspace } from "../workspaces.ts"
import { slackErrorOf } from "../workspaces.ts"

export type Json = Readonly<Record<string, unknown>>

/**
 * A mention of the app, or a direct message to it, from a person whose Slack account is linked. Its text is untrusted.
 */
export type SlackMessageEvent = Omit<Event, "id">

export type SlackWorkspace = Pick<Workspace, "botUser" | "call">

export interface SlackApp extends Pick<App, "onMessage"> {
  readonly workspaces: Pick<App["workspaces"], "find">
}

/**
 * Why a call of the Web API failed. After `limited` and `refused`, the call had no effect. After `unknown`, it may have
 * had one, because the connection was lost.
 */
export type SlackFault =
  | { readonly kind: "limited"; readonly retryAfterMs: number }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "unknown" }

export function faultOf(error: unknown): SlackFault {
  const refusal = slackErrorOf(error)
  if (refusal !== undefined) return { kind: "refused", code: refusal }
  if (!isHoldpointError(error) || error.code !== "too_often") return { kind: "unknown" }
  return { kind: "limited", retryAfterMs: error.retryAfterMs ?? 1_000 }
}
