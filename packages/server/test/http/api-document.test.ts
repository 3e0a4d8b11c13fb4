// The OpenAPI document of the HTTP API says what the routes really do: every route and every status of it, with each
// request and response checked against the document.

import { type Document, type Exchange, faultsIn, operationAt } from "@holdpoint/testkit/openapi"
import { type ApiResponse, type ApiWorld, openApiWorld, publicUrl } from "@holdpoint/testkit/server/http/api-world"
import { describe, expect, it } from "vitest"
import { describeApi, operations } from "../../src/api/index.ts"
import { apiRoutes } from "../../src/http/api.ts"

const faultsOf = (document: Document, exchange: Exchange): readonly string[] =>
  faultsIn(document, exchange, () => "QuestionEvent")

/** Requests whose exchanges are kept. */
function record(world: ApiWorld) {
  const exchanges: Exchange[] = []
  const send = async (path: string, sent: ApiResponse = {}) => {
    const response = await world.send(path, sent)
    const text = await response.text()
    const type = response.headers.get("content-type")?.split(";")[0]
    const { method = "POST", body = {} } = sent
    exchanges.push({ method, path: path.split("?")[0] ?? "", sent: body, status: response.status, type, text })
    return { status: response.status, text }
  }
  const get = (path: string, sent: ApiResponse = {}) => send(path, { method: "GET", ...sent })
  return { exchanges, send, get }
}

const idIn = ({ text }: { readonly text: string }): string => JSON.parse(text).id

/** A browser of the person at this machine, on a page of this server. */
async function cookieOf(world: ApiWorld): Promise<Readonly<Record<string, string>>> {
  const { headers } = await world.holdpoint.fetch(new Request(world.holdpoint.addresses.home("/inbox")))
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ")
  return { cookie, origin: publicUrl, "content-type": "application/json" }
}

describe("the OpenAPI document", () => {
  it("is public, has every route, and refers only to schemas that it contains", async () => {
    const world = await openApiWorld()
    const document = (await world.get("/api/openapi.json", { key: "" })).body as Document
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented).toEqual(apiRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, "{$1}")}`))
    const { schemas } = document.components as { readonly schemas: object }
    const named = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref = ""]) => ref)
    expect(named.filter((ref) => !Object.hasOwn(schemas, ref.replace("#/components/schemas/", "")))).toEqual([])
    const used = new Set(named.map((ref) => ref.replace("#/components/schemas/", "")))
    expect(Object.keys(schemas).filter((name) => !used.has(name) && name !== "QuestionEvent")).toEqual([])
  })

  it("says what every route answers, in every status", async () => {
    const world = await openApiWorld()
    const { exchanges, send, get } = record(world)
    const { audience } = world
    const large = `{"reason": "${"x".repeat(300_000)}"}`
    const body = { message: "Go on?", confirm: { yes: "Go", no: "Stop" }, audience }
    const asked = (more: object = {}) => send("/api/questions", { body: { ...body, ...more } })
    const open = idIn(await asked({ key: "a" }))
    await asked({ key: "a" })
    await asked({ key: "a", message: "Stop?" })
    await asked({ audience: { role: "manager" }, confirm: true })
    await asked({ audience: { people: [audience] } })
    for (const wrong of [{ message: "" }, "[]", large]) await send("/api/questions", { body: wrong })
    const link = { message: "Pay", url: "https://pay.example/", audience }
    const [paid, failed] = [
      idIn(await send("/api/questions", { body: link })),
      idIn(await send("/api/questions", { body: link })),
    ]
    for (const id of [paid, failed]) await world.hub.answer(id, { by: world.me, action: "accept" })
    const narrow = await world.addProgram("narrow", { to: { people: [], roles: ["x"] }, modes: ["form"] })
    await send("/api/questions", { body, key: narrow.key })

    const at = (id: string, end = ""): string => `/api/questions/${id}${end}`
    const stream = get(at(paid, "/events"))
    await send(at(paid, "/complete"))
    await stream
    await get(at(paid, "/events"), { headers: { "last-event-id": "99" } })
    await send(at(failed, "/complete"), { body: { status: "failed", reason: "No money" } })
    for (const end of ["/cancel", "/complete"]) {
      await send(at(failed, end), { body: {} })
      await send(at("nothing", end))
      await send(at(open, end), { body: large })
      await send(at(open, end), { body: { why: "" } })
    }
    await send(at(open, "/complete"))
    const gone = idIn(await asked({ key: "gone" }))
    await world.hub.answer(gone, { by: world.me, action: "accept", content: { confirmed: "yes" } })
    await get(at(gone))
    const late = [
      idIn(await asked({ lifetimeMs: 1_000 })),
      idIn(await send("/api/questions", { body: { ...link, lifetimeMs: 1_000 } })),
    ]
    // Without its timers the deadline passes unnoticed until somebody comes too late.
    world.runtime.set(world.runtime.now() + 2_000)
    await send(at(late[0] ?? "", "/cancel"))
    await send(at(late[1] ?? "", "/complete"))
    await world.runtime.advance(200_000)
    await get(at(gone))

    const headers = await cookieOf(world)
    const answer = (id: string, given: unknown) => send(at(id, "/answer"), { key: "", headers, body: given })
    const person = idIn(await asked({ key: "b" }))
    await answer(person, { action: "accept", content: { confirmed: "maybe" } })
    await answer(person, { action: "maybe" })
    await answer(person, large)
    await answer("nothing", { action: "decline" })
    await answer(person, { action: "accept", content: { confirmed: "yes" } })
    await answer(person, { action: "decline", reason: "No" })
    const later = idIn(await asked({ lifetimeMs: 1_000 }))
    world.runtime.set(world.runtime.now() + 2_000)
    await answer(later, { action: "decline" })
    await send(at(person, "/answer"), { key: "", body: { action: "decline" } })
    await send(at(person, "/answer"), { body: { action: "decline" } })

    await get(at(person))
    await send(at(idIn(await asked()), "/cancel"), { body: { reason: "Done by hand" } })
    for (const path of [at("nothing"), at("nothing", "/events")]) await get(path)
    for (const path of [at(person, "?wait=x"), at(person, "/events?after=x")]) await get(path)
    for (let tried = 0; tried < 61; tried++) await world.get(at(person), { key: "hp_wrong" })
    for (const [path, method] of [
      ["", "GET"],
      ["/events", "GET"],
      ["/cancel", "POST"],
      ["/complete", "POST"],
    ])
      await send(at(person, path), { method: method as string, key: "hp_wrong" })
    await send("/api/questions", { body, key: "hp_wrong" })

    const document = describeApi(apiRoutes) as unknown as Document
    expect(exchanges.flatMap((exchange) => faultsOf(document, exchange))).toEqual([])
    const seen = new Set(
      exchanges.map(({ method, path, status }) => `${operationAt(document, method, path)?.operationId} ${status}`),
    )
    const promised = Object.values(operations).flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    )
    expect(promised.filter((one) => !seen.has(one))).toEqual([])
    for (const refused of ["ask 403", "answer 401", "answer 403"]) expect(seen, refused).toContain(refused)
    expect(world.problems).toEqual([])
  })

  it("does not match a response of another shape", () => {
    const document = describeApi(apiRoutes) as unknown as Document
    const read = { method: "GET", path: "/api/questions/1", status: 404, type: "application/problem+json" }
    const problem = { type: "about:blank", title: "Not Found", status: 404, code: "not_found", detail: "None." }
    expect(faultsOf(document, { ...read, text: JSON.stringify(problem) })).toEqual([])
    expect(faultsOf(document, { ...read, text: JSON.stringify({ ...problem, problems: [{}] }) })).toHaveLength(1)
    expect(faultsOf(document, { ...read, status: 418, text: "{}" })).toHaveLength(1)
    const stream = { ...read, path: "/api/questions/1/events", status: 200, type: "text/event-stream" }
    expect(faultsOf(document, { ...stream, text: 'data: {"kind":"asked"}\n\n' })).toHaveLength(1)
  })
})
