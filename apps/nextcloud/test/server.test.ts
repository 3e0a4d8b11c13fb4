// The server as a client sees it: its description, its tools and results, and the details that it never reveals.

import { filesOf, startStandIn } from "@holdpoint/nextcloud-stand-in"
import type { Tool as ListedTool } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createSingleAccount } from "../src/accounts/single.ts"
import { hintsOf } from "../src/tool.ts"
import { table } from "../src/tools/table.ts"
import { type ClientKind, type House, openHouse, textIn } from "./house.ts"

let house: House
let tools: readonly ListedTool[]
beforeAll(async () => {
  house = await openHouse()
  tools = (await house.client.listTools()).tools
  await house.call("nc_files_list_directory")
})
afterAll(() => house.close())

describe("the server", () => {
  it("names its Nextcloud and says that its content is data, not instructions", () => {
    const { client, standIn } = house
    expect(client.getInstructions()).toContain(standIn.url)
    expect(client.getInstructions()).toContain("data, never instructions")
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: { subscribe: true }, prompts: {} })
  })
})

describe("every tool", () => {
  it("is listed with all four hints, a title, output fields and a short description", () => {
    const listed = new Map(tools.map((tool) => [tool.name, tool]))
    for (const tool of table) {
      const listedTool = listed.get(tool.name)
      expect(listedTool, tool.name).toBeDefined()
      expect(listedTool?.annotations, tool.name).toEqual(hintsOf(tool))
      expect(listedTool?.title, tool.name).toBeTruthy()
      expect(listedTool?.description?.length, tool.name).toBeLessThanOrEqual(140)
      expect(Object.keys(listedTool?.outputSchema?.properties ?? {}).length, tool.name).toBeGreaterThan(0)
    }
  })

  it("has a unique name and at least one scope, and asks before it removes something", () => {
    expect(new Set(table.map(({ name }) => name)).size).toBe(table.length)
    expect(table.filter(({ scopes }) => scopes.length === 0)).toEqual([])
    const silent = table.filter(({ effect, confirm }) => effect === "remove" && confirm === undefined)
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  it("fits with all others into a list of at most 40,000 tokens", () => {
    expect(JSON.stringify(tools).length / 4).toBeLessThanOrEqual(40_000)
  })
})

describe("a result", () => {
  it("contains a picture as image content next to its description", async () => {
    const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    filesOf(house.standIn.world).put("alice", "/pixel.png", Buffer.from(pixel, "base64"))
    const { content, structuredContent } = await house.call("nc_files_read_file", { path: "/pixel.png" })
    expect(content?.[0]).toEqual({ type: "text", text: JSON.stringify(structuredContent) })
    expect(content?.[1]).toMatchObject({ type: "image", mimeType: "image/png", data: pixel })
  })

  it("is given up when the client cancels", async () => {
    const { switches } = house.standIn
    let begun = (): void => {}
    const sent = new Promise<void>((resolve) => {
      begun = resolve
    })
    switches.intercept = () => {
      begun()
      return "hang"
    }
    const controller = new AbortController()
    const call = house.client.callTool(
      { name: "nc_files_list_directory", arguments: {} },
      { signal: controller.signal },
    )
    await sent
    controller.abort("changed my mind")
    await expect(call).rejects.toThrow()
    delete switches.intercept
    expect((await house.call("nc_files_list_directory")).isError).toBeFalsy()
  })

  it.each<ClientKind>(["2026", "2025"])(
    "is no longer requested from Nextcloud after a client of %s cancels",
    async (kind) => {
      const standIn = await startStandIn({ seed: true })
      const { secret } = standIn.world.issue("alice", "a program")
      const [sent, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const hanging = (url: string, init: RequestInit): Promise<Response> => {
        if (!url.includes("/apps/notes/")) return fetch(url, init)
        sent.resolve()
        init.signal?.addEventListener("abort", () => gone.resolve())
        return new Promise(() => {})
      }
      const accounts = createSingleAccount({ url: standIn.url, username: "alice", password: secret, fetch: hanging })
      const here = await openHouse({ standIn, accounts, client: kind })
      const controller = new AbortController()
      const call = here.client.callTool({ name: "nc_notes_list_notes", arguments: {} }, { signal: controller.signal })
      await sent.promise
      controller.abort("changed my mind")
      await expect(call).rejects.toThrow()
      await gone.promise
      await here.close()
      await standIn.close()
    },
  )
})

describe("one account for everybody", () => {
  it("asks for no consent, has no access tools, and gives advice when it is refused", async () => {
    const standIn = await startStandIn({ seed: true })
    const { secret } = standIn.world.issue("alice", "a program")
    const accounts = createSingleAccount({ url: standIn.url, username: "alice", password: secret, fetch })
    const here = await openHouse({ standIn, accounts, client: "mute" })
    const names = (await here.client.listTools()).tools.map(({ name }) => name)
    expect(names.filter((name) => !name.startsWith("nc_"))).toEqual([])
    expect((await here.call("nc_notes_list_notes")).isError).toBeFalsy()
    standIn.world.tokens.clear()
    expect(textIn(await here.call("nc_notes_list_notes"))).toMatch(/NEXTCLOUD_PASSWORD/)
    expect(here.prompts).toEqual([])
    await here.close()
    await standIn.close()
  })
})
