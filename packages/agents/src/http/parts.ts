// The types of the run API's routes, and what they share.

import type { Hub } from "@holdpoint/hub"
import type { Trail } from "@holdpoint/hub/storage"
import type { createEventStreams } from "@holdpoint/server/http"
import type { Conversations } from "../conversations.ts"
import type { AgentsConfig } from "../definition.ts"
import type { RunLogs } from "../run-log.ts"
import type { Runs } from "../runs.ts"
import type { RunCaller } from "./callers.ts"
import type { PersonTokens } from "./person-tokens.ts"
import type { ReaderParts } from "./reader.ts"
import type { StreamPlace, StreamPlaces } from "./stream-owner.ts"

export interface ApiParts {
  readonly config: AgentsConfig
  readonly hub: Hub
  readonly runs: Runs
  readonly logs: RunLogs
  readonly conversations: Conversations
  readonly streams: ReturnType<typeof createEventStreams>
  readonly places: StreamPlaces
  readonly readers: ReaderParts
  /** The URL of the page where people find their questions. */
  readonly inbox: string
  /** Makes an id for a conversation that the client did not name. */
  readonly newId: () => string
  readonly personTokens: PersonTokens
  readonly trail: Pick<Trail, "read" | "end">
  readonly report: (activity: string, error: unknown) => void
}

/** One request with its identified caller. */
export interface Visit {
  readonly request: Request
  readonly caller: RunCaller
  /** The parameters of the path. */
  readonly path: Readonly<Record<string, string>>
  /** The place of the response if it is a stream. */
  readonly place: StreamPlace
  /** Whether the request would still be accepted: sessions and tokens can end while a response is under way. */
  readonly isStillAllowed: () => Promise<boolean>
}

export type Route = (parts: ApiParts, visit: Visit) => Promise<Response>

/** Whether the client states that it can show questions. */
export const canShowQuestions = ({ headers }: Request): boolean => headers.get("x-supports-elicitation") === "true"
