// For a person who starts the server by hand: says whether a Nextcloud answers at the configured address.

import { createGuardedFetch, metadataLimits } from "@holdpoint/fetching/internal"
import { examine } from "@holdpoint/nextcloud/doctor"
import type { Call } from "../command.ts"
import { green, red } from "../output.ts"
import { unlessStopped } from "../stop-signal.ts"
import { networkOf } from "./accounts.ts"
import type { Plan } from "./plan.ts"

/** Warns instead of failing: an unreachable Nextcloud may come back. */
export async function reportReachability({ io, out }: Call, { nextcloud, settings }: Plan): Promise<void> {
  const { url } = nextcloud
  const fetch = createGuardedFetch({ ...metadataLimits, ...networkOf(nextcloud, settings) })
  const { server, problems } = await unlessStopped(io.signal, examine({ url, fetch }))
  if (server !== undefined) out.note(green("✔ "), `Found ${server.product} ${server.version} at ${url}.`)
  for (const problem of problems) out.note(red("✘ "), problem)
  if (server === undefined)
    out.note(`No call will work until that is fixed. To check again: npx holdpoint nextcloud doctor --host ${url}`)
}
