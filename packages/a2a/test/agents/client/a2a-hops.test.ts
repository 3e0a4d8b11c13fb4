// Two servers with agents: an agent of the first server gives tasks to the second server over A2A. Each hop asks its
// own question, and an answer reaches the agent that asked first.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import { createMemoryStorage } from "@holdpoint/hub"
import { askingAgents, type Deeds, noDeeds } from "@holdpoint/testkit/a2a/agents/asking-agents"
import type { AgentsServer, StreamReader } from "@holdpoint/testkit/agents/agents-server"
import { answer, question, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"

interface Below {
  readonly server: AgentsServer
  readonly url: string
  /** The methods of the answered requests, in order. */
  readonly methods: readonly string[]
}

/** Starts the second server, with its agents, on a port of this machine. */
async function startBelow(deeds: Deeds): Promise<Below> {
  const methods: string[] = []
  let server: AgentsServer | undefined
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = new Headers(request.headers as Record<string, string>)
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
    const gone = new AbortController()
    response.on("close", () => gone.abort())
    const init = { method: request.method ?? "GET", headers, signal: gone.signal, ...body }
    const answered = await server?.fetch(new Request(`${publicUrl}${request.url}`, init))
    response.writeHead(answered?.status ?? 503, Object.fromEntries(answered?.headers ?? []))
    for await (const chunk of answered?.body ?? []) response.write(chunk)
    response.end()
    methods.push(String(/"method":"(\w+)"/.exec(Buffer.concat(chunks).toString())?.[1]))
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const publicUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  server = await startAgents(askingAgents(deeds), { publicUrl, storage: createMemoryStorage() })
  return { server, methods, url: `${publicUrl}/a2a/helper/` }
}

/** An agent that passes its task on to the second server. */
function agentsAbove(url: string): AgentsConfig {
  const model = scriptedModel(({ message, results, step }) =>
    step === 0
      ? { calls: [{ tool: "below", input: { task: message } }] }
      : { text: results.map(({ output }) => String(output)).join(" | ") },
  )
  return {
    agents: { manager: { model, a2aAgents: ["below"], policies: { "*": "always" } } },
    a2aAgents: { below: { url, title: "Below", credentialScope: "none" } },
  }
}

let deeds: Deeds
let below: AgentsServer
let above: AgentsServer
let methods: readonly string[]
beforeEach(async () => {
  deeds = noDeeds()
  const started = await startBelow(deeds)
  below = started.server
  methods = started.methods
  above = await startAgents(agentsAbove(started.url))
})

async function asked(stream: StreamReader, count = 1) {
  const questions = new Map<string, Awaited<ReturnType<typeof question>>>()
  while (questions.size < count) {
    const one = await question(stream)
    questions.set(one.elicitationId, one)
  }
  return [...questions.values()]
}

const accept = (elicitationId: string, content?: object) =>
  answer(above, "c1", { elicitationId, action: "accept", ...(content === undefined ? {} : { content }) })

describe("an agent on another Holdpoint server", () => {
  it("asks the person a form, over two rounds", async () => {
    const stream = await above.say("c1", "plan")
    const [first] = await asked(stream)
    expect(first?.message).toMatch(/^“Below” \(.*\) asks: Which first\?$/)
    await accept(first?.elicitationId ?? "", { choice: "a" })
    let next = await question(stream)
    while (next.elicitationId === first?.elicitationId) next = await question(stream)
    await accept(next.elicitationId, { choice: "b" })
    expect(textOf(await stream.rest())).toContain("I heard: a then b.")
  })

  it("asks two forms at the same time", async () => {
    const stream = await above.say("c1", "name+address")
    const [first, second] = await asked(stream, 2)
    const named = [first, second].find((one) => one?.message.endsWith("Who are you?") === true)
    const other = named === first ? second : first
    await accept(named?.elicitationId ?? "", { name: "Ada" })
    await accept(other?.elicitationId ?? "", { street: "Main Street 1", town: "Bonn" })
    expect(textOf(await stream.rest())).toContain("I heard: Ada, Main Street 1 in Bonn.")
  })

  it("gets the person's refusal of an approval, with the reason", async () => {
    const stream = await above.say("c1", "remove")
    const [approval] = await asked(stream)
    await answer(above, "c1", { elicitationId: approval?.elicitationId, action: "decline", reason: "Not today." })
    await stream.rest()
    expect(deeds.done).toEqual([])
    const [there] = await below.hub.list({ tenant: "local", state: "all", limit: 9 })
    expect(there).toMatchObject({ status: "declined", reason: { message: "Not today." } })
  })

  it("sends the person to a page, and continues when the page is done", async () => {
    const stream = await above.say("c1", "pay")
    const [link] = await asked(stream)
    expect(link).toMatchObject({ mode: "url" })
    const [there] = await below.hub.list({ tenant: "local", state: "open", limit: 9 })
    if (there === undefined || !("principal" in below.identity)) throw new Error("no question")
    await below.hub.answer(there.id, { by: below.identity.principal, action: "accept" })
    await below.hub.complete(there.id)
    expect(textOf(await stream.rest())).toContain("I heard: paid.")
    expect(await above.hub.list({ tenant: "local", state: "all", limit: 9 })).toHaveLength(1)
  })

  it("has its task cancelled when the reply is stopped", async () => {
    const stream = await above.say("c1", "wait")
    await expect.poll(() => deeds.steps).toBe(1)
    await stream.until("tool-input-available")
    await above.post("/run/api/chat/c1/stop", {})
    await stream.rest()
    await expect.poll(() => methods).toContain("CancelTask")
  })
})
