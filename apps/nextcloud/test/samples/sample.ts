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
  /** May prepare what it needs, as alice. */
  arguments(world: SampleWorld): Promise<Arguments> | Arguments
  /** Why the stand-in cannot answer it with success: that was never recorded. */
  readonly unrecorded?: string
  /** Lead to “not found”. */
  readonly missing?: Arguments
  /** Lead to “no permission”. */
  readonly foreign?: Arguments | ((world: SampleWorld) => Promise<Arguments> | Arguments)
  /** Lead to a conflict. */
  conflict?(world: SampleWorld): Promise<Arguments> | Arguments
}

export type Samples = Readonly<Record<string, Sample>>
