// A chat on another origin: its page calls the run API with a token from its backend, reads the stream and answers a
// question. The browser sends no cookie, and a page on an unlisted origin can read no response.

import { randomBytes } from "node:crypto"
import { helper, sha256 } from "@holdpoint/testkit/agents/callers-world"
import { verifies } from "@holdpoint/testkit/verifies"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { createAgents, readAgents, runResource } from "../../src/agents.ts"
import { type Site, startSite } from "../attacks/setup.ts"
import { openStage, type Stage } from "./world.ts"

const apiKey = randomBytes(24).toString("hex")
let stage: Stage
/** The origins of a listed chat, and of a page that is not listed. */
let chat: Site
let stranger: Site
/** The headers that the browser sent with each request to the run API. */
const sent: { readonly method: string; readonly cookie: string | null }[] = []

beforeAll(async () => {
  const serve = () =>
    startSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
      response.end("<!doctype html><title>Chat</title><h1>Chat</h1>")
    })
  ;[chat, stranger] = await Promise.all([serve(), serve()])
  stage = await openStage({
    authorization: { resources: [runResource] },
    mounts: (site) => {
      const actsFor = { issuer: `${site.addresses.publicUrl}/idp`, tenant: "local" }
      const apiKeys = [{ id: "shop", sha256: sha256(apiKey), actsFor }]
      const agents = createAgents(site, readAgents({ ...helper([]), origins: [chat.url], apiKeys } as never))
      const fetch = (request: Request): Promise<Response> => {
        sent.push({ method: request.method, cookie: request.headers.get("cookie") })
        return agents.fetch(request)
      }
      return [{ ...agents, fetch }]
    },
  })
})
afterAll(async () => {
  await stage.close()
  await Promise.all([chat.close(), stranger.close()])
})
afterEach(() => {
  sent.length = 0
  expect(stage.problems).toEqual([])
})

/** Requests the token as the backend of the chat does. */
async function tokenFor(subject: string): Promise<string> {
  const response = await fetch(`${stage.server.publicUrl}/run/api/tokens`, {
    ...{ method: "POST", body: JSON.stringify({ subject }) },
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
  })
  return ((await response.json()) as { readonly token: string }).token
}

interface Talk {
  readonly api: string
  readonly headers: Readonly<Record<string, string>>
}

/** Runs in the page: sends a message, answers the question in the stream, and reads the stream to its end. */
const talk = (page: Page, options: Talk): Promise<{ readonly text: string; readonly asked: string }> =>
  page.evaluate(async ({ api, headers }) => {
    const send = (path: string, body: unknown) =>
      fetch(`${api}${path}`, { method: "POST", headers, body: JSON.stringify(body), credentials: "include" })
    const message = { role: "user", parts: [{ type: "text", text: "trip" }] }
    const response = await fetch(`${api}/run/api/chat`, {
      ...{ method: "POST", headers, body: JSON.stringify({ id: "trip", messages: [message] }) },
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    let asked = ""
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: "" }
      if (done) return { text, asked }
      text += value
      const id = /"elicitationId":"([^"]+)"/.exec(text)?.[1]
      if (id === undefined || asked !== "") continue
      asked = id
      const answer = { conversationId: "trip", elicitationId: id, action: "accept", content: { where: "Rome" } }
      // This request includes cookies, so the page must not be able to read its response.
      const withCookies = await send("/run/api/elicitation-responses", { ...answer, action: "decline" }).then(
        () => "read",
        () => "not read",
      )
      text += `[${withCookies}]`
      await fetch(`${api}/run/api/elicitation-responses`, { method: "POST", headers, body: JSON.stringify(answer) })
    }
  }, options)

const headersWith = (token: string) => ({
  ...{ authorization: `Bearer ${token}`, "content-type": "application/json", "x-supports-elicitation": "true" },
})

verifies(
  "run.other-origin",
  "a page of a listed origin talks in one stream across a question, and its requests have no cookie",
  async () => {
    // Alice has a session in this browser, which the page must not use.
    const page = await stage.arriveAs("alice")
    await page.goto(chat.url)
    const { text, asked } = await talk(page, {
      api: stage.server.publicUrl,
      headers: headersWith(await tokenFor("alice")),
    })
    expect(asked).not.toBe("")
    expect(text).toContain("to Rome")
    expect(text).toContain("[not read]")
    expect(sent.map(({ method }) => method)).toContain("OPTIONS")
    expect(sent.filter(({ cookie }) => cookie !== null)).toEqual([])
    await stage.leave()
  },
)

it("a page of another origin can read no response, even with the right token", async () => {
  const page = await stage.arriveAs("alice")
  await page.goto(stranger.url)
  const token = await tokenFor("alice")
  const options = { api: stage.server.publicUrl, headers: headersWith(token) }
  await expect(talk(page, options)).rejects.toThrow("Failed to fetch")
  const read = await page.evaluate(
    (url) => fetch(url, { credentials: "include" }).then(({ status }) => String(status), String),
    `${stage.server.publicUrl}/run/api/elicitations`,
  )
  expect(read).toContain("Failed to fetch")
  await stage.leave()
})
