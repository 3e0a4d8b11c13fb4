// Each tool of Deck, Talk, Collectives, search, notifications, status and users once against the stand-in: its output
// matches its schema, its number of requests is as stated, and its errors are explained.

import { createStandIn } from "@holdpoint/nextcloud-stand-in"
import { beforeEach, describe, expect, it } from "vitest"
import type { Tool } from "../../src/tool.ts"
import { toListed } from "../../src/tool.ts"
import { collectivesTools } from "../../src/tools/collectives/collectives.ts"
import { deckTools } from "../../src/tools/deck/deck.ts"
import { notificationTools } from "../../src/tools/notifications/notifications.ts"
import { searchTools } from "../../src/tools/search/search.ts"
import { statusTools } from "../../src/tools/status/status.ts"
import { talkTools } from "../../src/tools/talk/talk.ts"
import { userTools } from "../../src/tools/users/users.ts"
import { aboutOf, callTool } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import { notificationSamples, searchSamples, statusSamples, userSamples } from "../samples/account.ts"
import { collectivesSamples } from "../samples/collectives.ts"
import { deckSamples } from "../samples/deck.ts"
import type { Sample, Samples } from "../samples/sample.ts"
import { talkSamples } from "../samples/talk.ts"
import { failing } from "./recorded-call.ts"

const tools = [
  ...deckTools,
  ...talkTools,
  ...collectivesTools,
  ...searchTools,
  ...notificationTools,
  ...statusTools,
  ...userTools,
]

const samples: Samples = {
  ...deckSamples,
  ...talkSamples,
  ...collectivesSamples,
  ...searchSamples,
  ...notificationSamples,
  ...statusSamples,
  ...userSamples,
}

const standIn = createStandIn({ seed: true, trusted: ["cloud.test"] })
const alice = connect(standIn.fetch)
const sampled = { standIn, alice: alice.nextcloud, bob: connect(standIn.fetch, { user: "bob" }).nextcloud }

beforeEach(() => {
  delete standIn.switches.intercept
})

const sampleOf = (tool: Tool): Sample => {
  const sample = samples[tool.name]
  if (sample === undefined) throw new Error(`There is no sample of ${tool.name}.`)
  return sample
}

const rows = tools.map((tool) => [tool.name, tool] as const)

describe("each tool, once", () => {
  it.each(rows)("%s succeeds, in as many requests as the table says", async (_, tool) => {
    const input = await sampleOf(tool).arguments(sampled)
    alice.forget()
    await callTool(tool, input, alice.nextcloud)
    expect(alice.requests.map(({ method, path }) => `${method} ${path}`)).toHaveLength(tool.requests)
  })

  it.each(rows.filter(([, { confirm }]) => confirm !== undefined))(
    "%s names what is lost, not its id",
    async (_, tool) => {
      const input = await sampleOf(tool).arguments(sampled)
      alice.forget()
      expect((await aboutOf(tool, input, alice.nextcloud)).what).toMatch(/“.+”|all \d+/)
      expect(alice.requests).toHaveLength(tool.confirm?.requests ?? -1)
    },
  )

  it.each(rows.filter(([name]) => samples[name]?.missing !== undefined))(
    "%s reports a missing object",
    async (_, tool) => {
      const error = await failing(callTool(tool, sampleOf(tool).missing ?? {}, alice.nextcloud))
      expect(error.kind).toBe("not_found")
    },
  )

  it.each(rows.filter(([name]) => samples[name]?.foreign !== undefined))(
    "%s reports a missing permission",
    async (_, tool) => {
      const error = await failing(callTool(tool, sampleOf(tool).foreign ?? {}, alice.nextcloud))
      expect(error.kind).toBe("forbidden")
    },
  )

  it.each(rows.filter(([name]) => samples[name]?.conflict !== undefined))(
    "%s returns the current state on a conflict",
    async (_, tool) => {
      const input = (await sampleOf(tool).conflict?.(sampled)) ?? {}
      const error = await failing(callTool(tool, input, alice.nextcloud))
      expect(error.kind).toBe("conflict")
      expect(error.current).toBeDefined()
    },
  )

  it.each(rows.filter(([, { requests }]) => requests > 0))(
    "%s distinguishes a web page from refused credentials",
    async (_, tool) => {
      const input = await sampleOf(tool).arguments(sampled)
      const page = async () => new Response("<html>", { headers: { "content-type": "text/html" } })
      expect((await failing(callTool(tool, input, connect(page).nextcloud))).kind).toBe("malformed")
      const dead = async () => new Response("", { status: 401 })
      expect((await failing(callTool(tool, input, connect(dead).nextcloud))).kind).toBe("unauthorized")
    },
  )
})

describe("the list of tools", () => {
  it("stays small", () => {
    for (const tool of tools) {
      expect(tool.description.length, tool.name).toBeLessThanOrEqual(140)
      expect(JSON.stringify(toListed(tool)).length, tool.name).toBeLessThan(1_800)
    }
    const sizes = tools.map((tool) => JSON.stringify(toListed(tool)).length)
    expect(sizes.reduce((sum, size) => sum + size, 0) / tools.length).toBeLessThan(880)
  })

  it("marks the Collectives tools as documented only, since nothing was recorded", () => {
    for (const tool of collectivesTools) expect(tool.source, tool.name).toBe("documented")
  })
})
