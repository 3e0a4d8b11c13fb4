// What each person chooses about being asked, kept with everything else of theirs.

import { choicesAbout } from "@holdpoint/nextcloud"
import { systemRuntime } from "@holdpoint/sdk"
import type { PageChoices } from "@holdpoint/sdk/http"
import { createChoices } from "@holdpoint/sdk/identity"
import type { Ground } from "./ground.ts"
import type { Plan } from "./place.ts"

export function choicesOf({ nextcloud }: Plan, { storage }: Pick<Ground, "storage">): PageChoices {
  const { toolsets, readOnly, confirm } = nextcloud
  return {
    kept: createChoices(storage, systemRuntime),
    groups: async () => [await choicesAbout({ toolsets, readOnly }, confirm)],
  }
}
