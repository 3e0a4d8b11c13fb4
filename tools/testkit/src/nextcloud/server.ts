// A Nextcloud for tests: the stand-in of the Nextcloud app, with its secrets noted as such.

import { type RunningStandIn, startStandIn } from "@holdpoint/nextcloud-stand-in"
import { noteCanary } from "../canaries/note.ts"

export type FakeNextcloud = RunningStandIn

/** Users are alice, bob, carol and admin, with the password `alice-Pass-2026` and so on. */
export const createFakeNextcloud = (
  options: Pick<NonNullable<Parameters<typeof startStandIn>[0]>, "path" | "now" | "port" | "users"> = {},
): Promise<FakeNextcloud> => startStandIn({ ...options, onSecret: ({ kind, value }) => noteCanary(kind, value) })
