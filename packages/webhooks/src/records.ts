// The records of webhooks: the endpoint of a program, one delivery for each event that it receives, and the position up
// to which the trail was read.

import type { AttemptResult } from "@holdpoint/fetching"
import type { PrincipalId, Status } from "@holdpoint/hub"
import type { Due, Sealed } from "@holdpoint/hub/internal"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"
import type { EventType } from "./map.ts"

/**
 * The address at which a program receives events. Its id is the program's: a program has at most one endpoint. `sealed`
 * holds `secret`, and after a rotation `former`.
 */
export interface Endpoint extends KeptRecord {
  readonly sealed: Sealed
  readonly url: string
  readonly events: readonly EventType[]
  /** `own`: the questions that the program asked. `audience`: all questions that its key would allow it to ask. */
  readonly hears: "own" | "audience"
  /** `paused` by a person: events are kept. `disabled` by the server: no events are kept. */
  readonly state: "active" | "paused" | "disabled"
  /** Why it is disabled: the receiver answered 410, or failed for days. */
  readonly reason?: "gone" | "failing" | undefined
  /** Since when every attempt has failed; absent after a success. */
  readonly failingSince?: number | undefined
  /** Until this time, events are signed with the former secret as well. */
  readonly formerUntil?: number
  /** The end of the trail when the endpoint was created: earlier events are not sent. */
  readonly since: number
  readonly createdAt: number
  /** The person who created it; absent when it was created on the command line. */
  readonly madeBy?: PrincipalId
}

export const endpointKind: RecordKind<Endpoint> = {
  name: "webhook_endpoint",
  owner: () => allEndpoints,
  // Every endpoint has a due time, so that each process can list the endpoints of all tenants when it starts.
  dueAt: ({ createdAt }) => createdAt,
  expiresAt: () => undefined,
}

export const allEndpoints = "endpoints"

/** One event for one endpoint. Its id is the `webhook-id`, the same in all attempts. */
export interface WebhookDelivery extends KeptRecord, Due {
  readonly endpoint: string
  readonly type: EventType | "endpoint.tested"
  /** Absent for a test event. */
  readonly question?: string
  /** The question's revision after the step: events of a question are sent in this order. */
  readonly revision: number
  /** The question's status after the step. */
  readonly status?: Status
  /** When the step happened. */
  readonly at: number
  /** `owed`: to be sent when due. `accepted`: the receiver answered 2xx. `failed`: given up. */
  readonly state: "owed" | "accepted" | "failed"
  readonly dueAt: number
  readonly last?: AttemptResult | undefined
  /** When it was accepted or given up. */
  readonly endedAt?: number | undefined
}

export const webhookDeliveryKind: RecordKind<WebhookDelivery> = {
  name: "webhook_delivery",
  owner: ({ endpoint, question }) => laneOf(endpoint, question ?? "test"),
  dueAt: ({ state, dueAt }) => (state === "owed" ? dueAt : undefined),
  expiresAt: ({ endedAt }) => (endedAt === undefined ? undefined : endedAt + listedMs),
}

/** How long a delivery that has ended is listed and can be sent again. */
export const listedMs = 7 * 86_400_000

/** One question's events for one endpoint are a lane: each is sent after the previous one was accepted or given up. */
export const laneOf = (endpoint: string, question: string): string => `${endpoint} ${question}`

/** The position up to which the trail was read for all endpoints. Later events are found again after a crash. */
export interface WebhookCursor extends KeptRecord {
  readonly position: number
}

export const cursorKind: RecordKind<WebhookCursor> = {
  name: "webhook_cursor",
  owner: () => undefined,
  dueAt: () => undefined,
  expiresAt: () => undefined,
}

/** The id of the only cursor, which belongs to no tenant. */
export const cursorId = "webhooks"
