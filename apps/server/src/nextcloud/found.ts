// What somebody reads who starts the server by hand: whether there is a Nextcloud at the address that they wrote.

import { examine } from "@holdpoint/nextcloud/doctor"
import { createGuardedFetch, metadataLimits } from "@holdpoint/sdk/vault"
import type { Call } from "../command.ts"
import { green, red } from "../output.ts"
import { unlessStopped } from "../stopped.ts"
import { networkOf } from "./accounts.ts"
import type { Plan } from "./place.ts"

/** It may come back while this runs: no reason not to start. */
export async function tellFound({ io, out }: Call, { nextcloud, settings }: Plan): Promise<void> {
  const { url } = nextcloud
  const fetch = createGuardedFetch({ ...metadataLimits, ...networkOf(nextcloud, settings) })
  const { server, problems } = await unlessStopped(io.signal, examine({ url, fetch }))
  if (server !== undefined) out.note(green("✔ "), `Found ${server.product} ${server.version} at ${url}.`)
  for (const problem of problems) out.note(red("✘ "), problem)
  if (server === undefined)
    out.note(`No call will work before that is put right. To look again: npx holdpoint nextcloud doctor --host ${url}`)
}
