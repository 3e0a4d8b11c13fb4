// One house for the whole matrix: connected once with everything, asking before each loss, and every call looked at from
// outside: what came back, what was sent to Nextcloud, what the person was asked.

import type { CallToolResult } from "@modelcontextprotocol/client"
import { scopeWords } from "../../src/scopes.ts"
import type { Tool } from "../../src/tool.ts"
import { agree, type House, openHouse, type Prompt, textIn } from "../house.ts"
import { connect } from "../nextcloud.ts"
import type { SampleWorld } from "../samples/sample.ts"
import { type Servant, startServant } from "./server.ts"

export interface Stage {
  readonly house: House
  readonly server: Servant
  readonly world: SampleWorld
  call(tool: Pick<Tool, "name" | "app">, input: object, how?: How): Promise<Called>
  /** As it was after opening. */
  tidy(): void
  close(): Promise<void>
}

export interface How {
  /** What the person says when something would be lost. */
  readonly onLoss?: "accept" | "decline"
}

export interface Called {
  readonly result: CallToolResult
  readonly text: string
  /** Besides what is looked up once and kept. */
  readonly requests: readonly string[]
  readonly losses: readonly Prompt[]
  readonly consents: readonly Prompt[]
  /** Pauses before something was tried again. */
  readonly pauses: number
}

export async function openStage(): Promise<Stage> {
  const server = await startServant()
  let pauses = 0
  let onLoss: "accept" | "decline" = "accept"
  const house = await openHouse({
    standIn: server,
    gatherMs: 0,
    confirm: { "*": "always" },
    times: { wait: async () => void pauses++ },
    answer: async (prompt, here) =>
      prompt.url === undefined && onLoss === "decline" ? { action: "decline" } : agree(prompt, here),
  })
  // From here on the client checks what it gets against the schemas that were listed: all, while no account is connected.
  await house.client.listTools()
  await connectWithAll(house)
  const options = { url: server.url }
  const alice = connect(server.fetch, options).nextcloud
  const bob = connect(server.fetch, { ...options, user: "bob" }).nextcloud
  return {
    house,
    server,
    world: { standIn: server, alice, bob },
    async call({ name, app }, input, how = {}) {
      const before = house.prompts.length
      onLoss = how.onLoss ?? "accept"
      pauses = 0
      server.forget()
      const result = await house.call(name, input)
      const prompts = house.prompts.slice(before)
      return {
        ...{ result, text: textIn(result), pauses },
        requests: server.requests.filter((request) => !isCached(request) && !isZone(app, request)),
        losses: prompts.filter(({ url }) => url === undefined),
        consents: prompts.filter(({ url }) => url !== undefined),
      }
    },
    tidy() {
      delete server.switches.intercept
      server.spoil = undefined
      server.forgive()
      // What was recorded of writes is answered from the first one again.
      server.world.state("recorded", () => new Map<string, number>()).clear()
    },
    async close() {
      await house.close()
      await server.close()
    },
  }
}

async function connectWithAll(house: House): Promise<void> {
  const provisioned = await house.call("provision_nextcloud_access", { scopes: Object.keys(scopeWords) })
  await house.allow((provisioned.structuredContent as { readonly link: string }).link)
  await house.call("nc_users_get_capabilities")
}

/** The user's zone is kept for a minute as well; others ask the same address for something else. */
const isZone = (app: string, request: string): boolean =>
  (app === "calendar" || app === "tasks") && request.endsWith("GET /ocs/v2.php/cloud/user")

const isCached = (request: string): boolean =>
  /^PROPFIND \/remote\.php\/dav\/$|\/cloud\/capabilities$|\/core\/navigation\/apps$/.test(request)
