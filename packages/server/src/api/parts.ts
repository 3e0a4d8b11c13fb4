// The parts that the routes of the HTTP API share, and one request of an authenticated program.

import type { Addresses, Hub, Principal, Runtime } from "@holdpoint/hub"
import type { Program } from "../identity/programs/records.ts"
import type { ListPeople } from "./by-email.ts"
import type { EventStreams } from "./event-streams.ts"
import type { SameForm } from "./forms.ts"
import type { ProgramCounts } from "./program-limits.ts"
import type { StreamPlaces } from "./stream-places.ts"
import type { Waits } from "./waits.ts"

export interface ApiParts {
  readonly hub: Hub
  readonly addresses: Addresses
  readonly runtime: Pick<Runtime, "after">
  readonly streams: EventStreams
  readonly places: StreamPlaces
  readonly waits: Waits
  readonly sameForm: SameForm
  readonly limits: Pick<ProgramCounts, "askWithin">
  /** Lists the people of a tenant who have signed in. */
  readonly people: (tenant: string) => ReturnType<ListPeople>
}

interface ApiRequest {
  readonly request: Request
  /** The id in the path. Empty when the path has none. */
  readonly id: string
  /** Whether the caller is still authorised: a key or a session may be withdrawn during a long response. */
  readonly isStillAllowed: () => Promise<boolean>
}

export interface ProgramRequest extends ApiRequest {
  readonly program: Program
}

export interface PersonRequest extends ApiRequest {
  readonly person: Principal
}

export type ProgramRoute = (parts: ApiParts, visit: ProgramRequest) => Promise<Response>
export type PersonRoute = (parts: ApiParts, visit: PersonRequest) => Promise<Response>
