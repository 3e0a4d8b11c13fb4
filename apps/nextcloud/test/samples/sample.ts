// One call of each tool, for tests that go through all of them.

import type { StandIn } from "@holdpoint/nextcloud-stand-in"
import type { Nextcloud } from "../../src/api/nextcloud.ts"

export interface SampleWorld {
  readonly standIn: StandIn
  readonly alice: Nextcloud
  readonly bob: Nextcloud
}

type Arguments = Readonly<Record<string, unknown>>

export interface Sample {
  /** Returns the arguments of the call, after preparing what the call needs, as alice. */
  arguments(world: SampleWorld): Promise<Arguments> | Arguments
  /** Why the stand-in cannot answer the call with success: no such response was recorded. */
  readonly unrecorded?: string
  /** Arguments that lead to “not found”. */
  readonly missing?: Arguments
  /** Arguments that lead to “no permission”. */
  readonly foreign?: Arguments | ((world: SampleWorld) => Promise<Arguments> | Arguments)
  /** Returns arguments that lead to a conflict. */
  conflict?(world: SampleWorld): Promise<Arguments> | Arguments
}

export type Samples = Readonly<Record<string, Sample>>
