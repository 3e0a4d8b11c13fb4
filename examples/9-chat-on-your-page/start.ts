// Starts both servers, on two origins: they have to know each other's address.

import { createHash, randomBytes } from "node:crypto"
import type { Runtime } from "@holdpoint/sdk"
import { type Notes, startNotes } from "../5-connect-an-account/notes.ts"
import { freePort } from "../10-add-it-to-your-app/programs.ts"
import { startHoldpoint } from "./holdpoint.ts"
import { startIntranet } from "./intranet.ts"

export interface Example {
  /** The origin of the site with the chat. */
  readonly site: string
  /** The origin of Holdpoint. */
  readonly holdpoint: string
  /** What other people run: a service where alice has notes. */
  readonly notes: Notes
  close(): Promise<void>
}

export async function startExample(parts: { readonly runtime?: Runtime } = {}): Promise<Example> {
  const [port, sitePort] = [await freePort(), await freePort()]
  const notes = await startNotes()
  const apiKey = randomBytes(32).toString("hex")
  const keyDigest = createHash("sha256").update(apiKey).digest("hex")
  const holdpoint = await startHoldpoint({ ...parts, port, site: `http://localhost:${sitePort}`, keyDigest, notes })
  const intranet = await startIntranet({ port: sitePort, holdpoint: holdpoint.publicUrl, apiKey })
  return {
    ...{ site: intranet.url, holdpoint: holdpoint.publicUrl, notes },
    async close() {
      await intranet.close()
      await holdpoint.close()
      await notes.close()
    },
  }
}
