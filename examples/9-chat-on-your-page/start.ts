// Starts both servers, on two origins: they have to know each other's address.

import { createHash, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Runtime } from "@holdpoint/hub"
import { getRequestListener } from "@hono/node-server"
import { type Notes, startNotes } from "../5-connect-an-account/notes.ts"
import { startHoldpoint } from "./holdpoint.ts"
import { createIntranet } from "./intranet.ts"

export interface Example {
  /** The origin of the site with the chat. */
  readonly site: string
  /** The origin of Holdpoint. */
  readonly holdpoint: string
  /** The third-party service where alice has notes. */
  readonly notes: Notes
  close(): Promise<void>
}

export async function startExample(parts: { readonly runtime?: Runtime } = {}): Promise<Example> {
  const notes = await startNotes()
  // The site listens first, because Holdpoint needs its origin, and serves pages after Holdpoint has started.
  const intranet = createServer()
  await new Promise<void>((resolve) => intranet.listen(0, "localhost", resolve))
  const site = `http://localhost:${(intranet.address() as AddressInfo).port}`
  const apiKey = randomBytes(32).toString("hex")
  const keyDigest = createHash("sha256").update(apiKey).digest("hex")
  const holdpoint = await startHoldpoint({ ...parts, site, keyDigest, notes })
  const { fetch } = createIntranet({ holdpoint: holdpoint.publicUrl, apiKey })
  intranet.on("request", getRequestListener(fetch))
  return {
    ...{ site, holdpoint: holdpoint.publicUrl, notes },
    async close() {
      intranet.closeAllConnections()
      await new Promise((resolve) => intranet.close(resolve))
      await holdpoint.close()
      await notes.close()
    },
  }
}
