// Two servers on one database, SQLite and Postgres: a program asks at one, waits at the other, and a key that is withdrawn
// at one is refused at the other.

import { withNewKey } from "@holdpoint/hub/sealing"
import { createPrograms } from "@holdpoint/server/identity"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { type Engine, postgres, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { describe, expect, it, onTestFinished } from "vitest"
import { type Server, startServer } from "../../src/serve/server.ts"

async function startTwo(engine: Engine) {
  const harness = await engine()
  onTestFinished(harness.destroy)
  const keys = withNewKey()
  const nodes: Server[] = []
  for (const host of ["127.0.0.1", "127.0.0.2"]) {
    const storage = await harness.open()
    onTestFinished(storage.close)
    const people = { from: "local", user: "alice", tenant: "acme", secret: new Uint8Array(32) } as const
    const node = await startServer({ storage, keys, host, port: 0, people })
    onTestFinished(node.close)
    nodes.push(node)
  }
  const [here, there] = nodes as [Server, Server]
  const programs = createPrograms(here)
  const added = await programs.add({ tenant: "acme", name: "deployer", may: { to: "anyone", modes: ["form"] } })
  noteCanary("program_key", added.key)
  const send = async ({ address }: Server, path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    const headers = { authorization: `Bearer ${added.key}` }
    const response = await fetch(`${address}/api/questions${path}`, { ...init, headers })
    return { status: response.status, text: await response.text() }
  }
  return { here, there, programs, program: added.program, send }
}

const question = {
  ...{ message: "Deploy?", confirm: true, key: "release 7" },
  audience: { issuer: "local", subject: "alice" },
}

describe.each([
  ["SQLite", sqlite],
  ["Postgres", postgres],
])("two servers on one %s", (_name, engine) => {
  it("serve one program: asked at one, waited for and followed at the other, answered at the first", async () => {
    const { here, there, programs, program, send } = await startTwo(engine)
    const [asked, again] = await Promise.all([send(here, "", question), send(there, "", question)])
    expect([asked.status, again.status].sort()).toEqual([200, 201])
    const { id } = JSON.parse(asked.text) as { readonly id: string }
    const waiting = Promise.all([send(there, `/${id}?wait=60`), send(there, `/${id}/events`)])
    const by = { tenant: "acme", issuer: "local", subject: "alice" }
    await here.hub.answer(id, { by, action: "accept", content: { confirmed: "yes" }, via: "web" })
    const [answered, events] = await waiting
    expect(JSON.parse(answered.text)).toMatchObject({ id, status: "completed", said: "yes" })
    expect(events.text).toContain('"kind":"completed"')
    expect(await programs.remove(program)).toBe(true)
    expect((await send(there, `/${id}`)).status).toBe(401)
  })
})
