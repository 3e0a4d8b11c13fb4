// A small server that asks by link, honest except for one fault, and the suite's description of it.

import type { UrlModeTarget } from "@holdpoint/url-mode-conformance"
import type { Behaviour, Json } from "./behaviour.ts"
import { honest } from "./behaviour.ts"
import { createLegacy } from "./legacy.ts"
import { answerModern } from "./modern.ts"
import { createQuestionStore } from "./question-store.ts"

const people: Readonly<Record<string, string>> = {
  "Bearer token-of-the-first": "ana",
  "Bearer token-of-the-second": "bob",
}
const meta = "io.modelcontextprotocol/"

export function faultyTarget(fault: Partial<Behaviour> = {}): UrlModeTarget {
  const behaviour = { ...honest, ...fault }
  const store = createQuestionStore(behaviour)
  const legacy = createLegacy(store)
  const earlier = new Map<string, unknown>()

  const modern = async (body: Json, owner: string): Promise<Response> => {
    const params = body.params as Json
    const { [`${meta}clientCapabilities`]: capabilities } = params._meta as Json
    const request = {
      id: body.id,
      method: String(body.method),
      params,
      owner,
      capabilities,
      earlier: earlier.get(owner),
    }
    if (Object.keys(capabilities as Json).length > 0) earlier.set(owner, capabilities)
    const { status, message } = await answerModern(store, request)
    const sent = behaviour.message(message, "2026-07-28")
    if (behaviour.modernExtras.length === 0) return Response.json(sent, { status, headers: behaviour.modernHeaders })
    const text = [...behaviour.modernExtras, sent].map((message) => `data: ${JSON.stringify(message)}\n\n`).join("")
    return new Response(text, { status, headers: { "content-type": "text/event-stream", ...behaviour.modernHeaders } })
  }

  const mcp = async (request: Request): Promise<Response> => {
    const { headers, method } = request
    if (behaviour.checksOrigin && headers.has("origin")) return new Response(null, { status: 403 })
    const owner = people[headers.get("authorization") ?? ""] ?? (behaviour.checksCredentials ? undefined : "ana")
    if (owner === undefined) return new Response(null, { status: 401 })
    if (method === "DELETE") return new Response(null, { status: 204 })
    if (method === "GET") return legacy.listen(headers.get("mcp-session-id"))
    const body = (await request.json()) as Json
    const isModern = headers.get("mcp-protocol-version") === "2026-07-28"
    return isModern ? modern(body, owner) : legacy.post(body, owner, headers.get("mcp-session-id"))
  }

  const page = (request: Request): Response => {
    const url = new URL(request.url)
    const question = behaviour.find(store.questions, url.pathname.split("/").at(-1) ?? "")
    const visitor = /user=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1]
    const visit = { visitor, method: request.method, url }
    if (question !== undefined && behaviour.finishes(question, visit)) store.change(question, "done")
    const status = visitor === undefined ? 401 : question === undefined ? 404 : question.owner === visitor ? 200 : 403
    return new Response(behaviour.page(question, visit), { status, headers: { "content-type": "text/html" } })
  }

  const fetch: UrlModeTarget["fetch"] = async (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname === "/mcp" ? mcp(request) : page(request)
  }
  return {
    url: "http://127.0.0.1:4000/mcp",
    fetch,
    people: {
      first: { authorization: "Bearer token-of-the-first" },
      second: { authorization: "Bearer token-of-the-second" },
    },
    personal: ["ana", "ana@example.com"],
    urlTool: { name: "connect", arguments: { account: "notes" } },
    formTool: { name: "greet" },
    done: "is connected",
    finish: async (link, person) => {
      const cookie = `user=${person === "first" ? "ana" : "bob"}`
      await fetch(link, { headers: { cookie } })
      await fetch(link, { method: "POST", headers: { cookie } })
    },
    expire: async () => store.age(),
    legMs: 1_000,
    quietMs: 5,
  }
}
