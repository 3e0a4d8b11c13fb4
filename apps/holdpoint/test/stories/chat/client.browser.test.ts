// The typed client in a real browser, on a page of the server's own origin: alice's session proves who she is.

import { fileURLToPath } from "node:url"
import type { Client } from "@holdpoint/client"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ChatStage, openChatStage } from "./world.ts"

let stage: ChatStage
let script: string

beforeAll(async () => {
  stage = await openChatStage()
  const input = fileURLToPath(import.meta.resolve("@holdpoint/client"))
  const bundled = await rolldown({ input, platform: "browser", logLevel: "silent" })
  const { output } = await bundled.generate({ format: "iife", name: "holdpointClient" })
  await bundled.close()
  script = output[0].code
})

afterAll(() => stage.close())

// Globals of the code that runs in the page.
declare const document: { title: string }
declare const location: { readonly origin: string }
declare const holdpointClient: { createClient(options: { readonly url: string }): Client }

describe("the client in a browser", () => {
  it("reads a reply, answers its question, and resumes the reply after the server was restarted", async () => {
    const page = await stage.open("id=other")
    await page.addScriptTag({ content: script })
    const reading = page.evaluate(async () => {
      const client = holdpointClient.createClient({ url: location.origin })
      const seen: string[] = []
      for await (const event of client.chat("c1").send("plan a trip")) {
        seen.push(event.type === "text" ? event.text : event.type)
        if (event.type === "elicitation-request") document.title = event.elicitationId
      }
      return seen
    })
    await expect.poll(() => page.title()).toMatch(/^[\w-]{20,}$/)
    await stage.restart()
    await page.evaluate(async () => {
      const client = holdpointClient.createClient({ url: location.origin })
      const answer = { conversationId: "c1", elicitationId: document.title, action: "accept" } as const
      await client.answer({ ...answer, content: { where: "Rome" } })
    })
    const seen = await reading
    expect(seen.join(" ")).toContain("elicitation-resolved")
    expect(seen.filter((word) => word === "elicitation-request")).toHaveLength(1)
    expect(seen.slice(seen.lastIndexOf("step") + 1, -1).join("")).toBe("I heard: to Rome.")
    expect(seen.at(-1)).toBe("end")
  })
})
