// The Nextcloud server with the drafts of url mode enabled, as a client written for them sees it: the error, its address, its
// message, and the request that waits for the consent.

import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { describe, expect, it, onTestFinished } from "vitest"
import { z } from "zod"
import { serve, startCloud } from "./stage.ts"

interface Link {
  readonly mode: string
  readonly elicitationId: string
  readonly url: string
}

async function enter(env: Readonly<Record<string, string>>) {
  const cloud = await startCloud()
  const served = await serve(cloud, env)
  const client = new Client(
    { name: "of the drafts", version: "1" },
    { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode: "legacy" } },
  )
  await client.connect(new StreamableHTTPClientTransport(served.mcp, { requestInit: { headers: served.headers } }))
  onTestFinished(() => client.close())
  const refused = await client.callTool({ name: "nc_notes_list_notes" }).catch((error: unknown) => error)
  const { code, message, data } = refused as { code?: number; message: string; data?: { elicitations: Link[] } }
  return { client, served, code, message, link: data?.elicitations[0] as Link }
}

const track = (client: Client, params: object) =>
  client.request({ method: "elicitation/track", params: { ...params } }, z.looseObject({}))

describe("with NEXTCLOUD_DRAFTS=true", () => {
  it("a call without an account gets the drafts' error, with its message and address", async () => {
    const { served, code, message, link } = await enter({ NEXTCLOUD_DRAFTS: "true" })
    expect(code).toBe(-32000)
    expect(message).toContain("Nextcloud access provisioning required")
    expect(link.mode).toBe("url")
    expect(link.url).toBe(`${served.publicUrl}/oauth/provision?elicitationId=${link.elicitationId}`)
    const page = await openJarBrowser().ask(link.url)
    expect([page.status, page.headers.get("location")]).toEqual([303, `/connect/${link.elicitationId}`])
  })

  it("the server waits for the consent as long as the client says, in seconds", async () => {
    const { client, link } = await enter({ NEXTCLOUD_DRAFTS: "true" })
    await expect(track(client, { elicitationId: link.elicitationId, timeout: 0.05 })).rejects.toThrow(
      "Elicitation timed out - user did not complete authorization",
    )
  })
})

it("with only NEXTCLOUD_URL_WAY=error, the error is the specification's, with the usual address", async () => {
  const { served, code, link } = await enter({ NEXTCLOUD_URL_WAY: "error" })
  expect(code).toBe(-32042)
  expect(link.url).toBe(`${served.publicUrl}/connect/${link.elicitationId}`)
})
