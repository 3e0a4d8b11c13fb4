// Two people at a real server, and an official client of an MCP server that uses the first person's account.

import type { RunningStandIn, StandIn } from "@holdpoint/nextcloud-stand-in"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import type { CallToolResult } from "@modelcontextprotocol/client"
import { createSingleAccount } from "../../src/accounts/single.ts"
import { createNextcloud } from "../../src/api/client.ts"
import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { openHouse } from "../house.ts"
import type { SampleWorld } from "../samples/sample.ts"
import type { LiveSettings, Visitor } from "./settings.ts"

export interface LiveWorld {
  readonly samples: SampleWorld
  call(name: string, input: object): Promise<{ readonly result: CallToolResult; readonly requests: readonly string[] }>
  close(): Promise<void>
}

export async function openLive({ url, alice, bob, toolsets }: LiveSettings): Promise<LiveWorld> {
  for (const { password } of [alice, bob]) noteCanary("app_password", password)
  const requests: string[] = []
  const counted = (address: string, init: RequestInit): Promise<Response> => {
    requests.push(
      `${init.method ?? "GET"} ${new URL(address).pathname.slice(new URL(url).pathname.replace(/\/$/, "").length)}`,
    )
    return fetch(address, init)
  }
  const accounts = createSingleAccount({ url, username: alice.name, password: alice.password, fetch: counted })
  const house = await openHouse({
    accounts,
    // Only its address is used: no account is connected through the vault here.
    standIn: { url } as RunningStandIn,
    choice: { toolsets, readOnly: false },
    confirm: { "*": "always" },
  })
  await house.client.listTools()
  return {
    samples: { standIn: absent, alice: connectAs(url, alice), bob: connectAs(url, bob) },
    async call(name, input) {
      requests.splice(0)
      const result = await house.call(name, input)
      return { result, requests: requests.filter((request) => !isCached(request) && !isZone(name, request)) }
    },
    close: () => house.close(),
  }
}

/** The request for the user's time zone, which is cached. Other tools use the same address for other facts. */
const isZone = (tool: string, request: string): boolean =>
  /^nc_(calendar|tasks)_/.test(tool) && request.endsWith("GET /ocs/v2.php/cloud/user")

const isCached = (request: string): boolean =>
  /^PROPFIND \/remote\.php\/dav\/$|\/cloud\/capabilities$|\/core\/navigation\/apps$/.test(request)

/** The error of a sample that cannot be prepared at this server: its test is skipped with this reason. */
export const lacking = (reason: string): Error => Object.assign(new Error(reason), { name: "Lacking" })

export const isLacking = (error: unknown): error is Error => error instanceof Error && error.name === "Lacking"

const absent = new Proxy({} as StandIn, {
  get() {
    throw lacking("it needs something that only the stand-in can be told")
  },
})

function connectAs(url: string, { name, password }: Visitor): Nextcloud {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`
  return createNextcloud({
    url,
    facts: {},
    fetch: (address, init) => fetch(address, { ...init, headers: { ...(init.headers as object), authorization } }),
  })
}
