// The whole flow with the official client: a call is refused, the program discovers the authorization server, the person signs
// in and allows it, and the call is made as that person.

import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { verifies } from "@holdpoint/testkit/verifies"
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it } from "vitest"
import { clientId, createProgram, isBack, openScene, type Program, redirectUri, type Scene } from "./scene.ts"

let scene: Scene
afterEach(async () => {
  expect(scene.problems).toEqual([])
  await scene.close()
})

const connect = async (program: Program) => {
  const transport = new StreamableHTTPClientTransport(scene.mcp, { authProvider: program })
  const client = new Client({ name: "writer", version: "1.0.0" })
  const connected = client.connect(transport).then(
    () => true,
    (error: unknown) => {
      if (error instanceof UnauthorizedError) return false
      throw error
    },
  )
  return { client, transport, isConnected: await connected }
}

/** The person at the browser, from the program's redirect to its callback. */
const consent = async (program: Program, subject: string, choice: "allow" | "deny" = "allow"): Promise<URL> => {
  const browser = openJarBrowser()
  scene.people.settings.user = subject
  const page = await browser.open(program.sent.at(-1)?.href ?? "")
  expect(page.text).toContain("Let “Writer” use Example Notes?")
  const back = await browser.submit(page, { do: choice }, { stopAt: isBack })
  noteCanary("code", back.url.searchParams.get("code"))
  return back.url
}

describe("the official client", () => {
  verifies(
    "authority.from-call-to-token",
    "goes from a refused call to a call in the name of the person who signed in",
    async () => {
      scene = await openScene()
      const program = createProgram(clientId, redirectUri)
      const first = await connect(program)
      expect(first.isConnected).toBe(false)
      expect(Object.fromEntries(program.sent[0]?.searchParams ?? [])).toMatchObject({
        ...{ client_id: clientId, resource: scene.mcp.href, scope: "notes.read", code_challenge_method: "S256" },
      })
      const back = await consent(program, "alice")
      await first.transport.finishAuth(back.searchParams)
      const second = await connect(program)
      expect(second.isConnected).toBe(true)
      const result = await second.client.callTool({ name: "count" })
      expect(result.content).toEqual([{ type: "text", text: "three" }])
      expect(scene.callers.at(-1)).toMatchObject({ principal: scene.person("alice"), clientId, scopes: ["notes.read"] })
      await second.client.close()
    },
  )

  it("registers itself where that is allowed, and comes back to a port of its own", async () => {
    scene = await openScene({ registration: {}, metadataDocuments: false })
    const program = createProgram(undefined, "http://127.0.0.1:43117/callback")
    const { transport } = await connect(program)
    const back = await consent(program, "bob")
    expect(back.href.startsWith("http://127.0.0.1:43117/callback?")).toBe(true)
    await transport.finishAuth(back.searchParams)
    const { client, isConnected } = await connect(program)
    expect(isConnected).toBe(true)
    expect(scene.callers.at(-1)?.principal).toEqual(scene.person("bob"))
    await client.close()
  })

  it("gets access_denied when the person says no", async () => {
    scene = await openScene()
    const program = createProgram(clientId, redirectUri)
    const { transport } = await connect(program)
    const back = await consent(program, "alice", "deny")
    expect(back.searchParams.get("error")).toBe("access_denied")
    await expect(transport.finishAuth(back.searchParams)).rejects.toThrow()
    expect(program.stored.tokens).toBeUndefined()
  })

  it("refreshes a rejected token without asking the person again", async () => {
    scene = await openScene()
    const program = createProgram(clientId, redirectUri)
    const { transport } = await connect(program)
    await transport.finishAuth((await consent(program, "alice")).searchParams)
    const before = program.stored.tokens
    if (before !== undefined) program.stored.tokens = { ...before, access_token: `${before.access_token}x` }
    const { client, isConnected } = await connect(program)
    expect(isConnected).toBe(true)
    expect(program.stored.tokens?.refresh_token).not.toBe(before?.refresh_token)
    expect(program.sent).toHaveLength(1)
    await client.close()
  })
})
