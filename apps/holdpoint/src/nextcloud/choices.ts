// How often each person wants to be asked for confirmation, kept in the server's storage. The implementation is
// imported on first use.

import { systemRuntime } from "@holdpoint/hub"
import { choicesAbout } from "@holdpoint/nextcloud"
import type { PageChoices } from "@holdpoint/server/http"
import type { ServerStorage } from "../serve/storage.ts"
import type { Plan } from "./plan.ts"

export function choicesOf({ nextcloud }: Plan, { storage }: Pick<ServerStorage, "storage">): PageChoices {
  const { toolsets, readOnly, confirm } = nextcloud
  let opening: Promise<PageChoices["kept"]> | undefined
  const openChoices = (): Promise<PageChoices["kept"]> => {
    opening ??= import("@holdpoint/server/identity").then(({ createChoices }) => createChoices(storage, systemRuntime))
    return opening
  }
  return {
    kept: {
      all: async (...args) => (await openChoices()).all(...args),
      get: async (...args) => (await openChoices()).get(...args),
      set: async (...args) => (await openChoices()).set(...args),
      clear: async (...args) => (await openChoices()).clear(...args),
    },
    groups: async () => [await choicesAbout({ toolsets, readOnly }, confirm)],
  }
}
