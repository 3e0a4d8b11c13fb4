// One house for the whole matrix: connected once with all scopes, with a question before each loss. Records of every
// call its result, its requests to Nextcloud, and its questions.

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
  /** Restores the state after opening. */
  tidy(): void
  close(): Promise<void>
}

export interface How {
  /** The person's answer when something would be lost. */
  readonly onLoss?: "accept" | "decline"
}

export interface Called {
  readonly result: CallToolResult
  readonly text: string
  /** The requests, without those for cached facts. */
  readonly requests: readonly string[]
  readonly losses: readonly Prompt[]
  readonly consents: readonly Prompt[]
  /** The number of pauses before retries. */
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
    clock: { wait: async () => void pauses++ },
    answer: async (prompt, here) =>
      prompt.url === undefined && onLoss === "decline" ? { action: "decline" } : agree(prompt, here),
  })
  // From here on the client checks results against the listed schemas. Without a connected account, all tools are
  // listed.
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
      // Recorded responses to writes start again with the first.
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

/** The request for the user's time zone, which is cached. Other tools use the same address for other facts. */
const isZone = (app: string, request: string): boolean =>
  (app === "calendar" || app === "tasks") && request.endsWith("GET /ocs/v2.php/cloud/user")

const isCached = (request: string): boolean =>
  /^PROPFIND \/remote\.php\/dav\/$|\/cloud\/capabilities$|\/core\/navigation\/apps$/.test(request)
