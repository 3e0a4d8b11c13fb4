// A service that has no access to the database reports at /hooks/complete of `holdpoint serve` that it is done.

import { createWorld, idIn, type RunningCommand, type World } from "@holdpoint/testkit/holdpoint/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect, it } from "vitest"

let server: RunningCommand | undefined
afterEach(async () => {
  server?.stop()
  await server?.done
  server = undefined
})

async function serve(world: World): Promise<string> {
  server = world.start(["serve", "--local", "--port", "0", "--log", "off"])
  return (await server.prints(/Holdpoint is at (\S+)/))[1] ?? ""
}

async function askByUrl(world: World): Promise<{ readonly id: string; readonly token: string }> {
  const url = "https://pay.example/start?question={id}"
  const asked = await world.run(["ask", "Pay the invoice.", "--url", url, "--no-wait"])
  const id = idIn(asked.out)
  const { out, code } = await world.run(["complete", id, "--token"])
  expect(code).toBe(0)
  return { id, token: out.trim() }
}

const report = async (at: string, token: string, body: object = { status: "completed" }) => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const response = await fetch(`${at}/hooks/complete`, { method: "POST", headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const statusOf = async (world: World, id: string): Promise<unknown> =>
  JSON.parse((await world.run(["show", id, "--json"])).out).question.status

describe("a service with the completion token of `holdpoint ask --url`", () => {
  verifies("page.completion-token", "reports to the server that it is done, once the person has agreed", async () => {
    const world = createWorld()
    const at = await serve(world)
    const { id, token } = await askByUrl(world)
    expect(await report(at, token)).toMatchObject({ status: 409, body: { error: "not_accepted" } })
    await world.run(["answer", id, "--accept"])
    expect(await report(at, token)).toEqual({ status: 200, body: { status: "completed" } })
    expect(await statusOf(world, id)).toBe("completed")
  })

  it("reports that it failed, and why", async () => {
    const world = createWorld()
    const at = await serve(world)
    const { id, token } = await askByUrl(world)
    await world.run(["answer", id, "--accept"])
    expect((await report(at, token, { status: "failed", reason: "No money." })).status).toBe(200)
    expect(await statusOf(world, id)).toBe("failed")
  })

  it("cannot report on a question other than its own", async () => {
    const world = createWorld()
    const at = await serve(world)
    const [first, second] = [await askByUrl(world), await askByUrl(world)]
    await world.run(["answer", second.id, "--accept"])
    expect((await report(at, first.token)).status).toBe(409)
    expect(await statusOf(world, second.id)).toBe("accepted")
  })
})

describe("holdpoint complete --token", () => {
  it("changes nothing, and says where the token is used", async () => {
    const world = createWorld()
    const { id } = await askByUrl(world)
    const { out, err } = await world.run(["complete", id, "--token"])
    expect(err).toContain("/hooks/complete")
    expect(out.trim()).toMatch(/^\S+$/)
    expect(await statusOf(world, id)).toBe("pending")
    expect(JSON.parse((await world.run(["complete", id, "--token", "--json"])).out)).toEqual({
      id,
      token: expect.any(String),
    })
  })

  it("refuses a question that is answered in a form", async () => {
    const world = createWorld()
    const id = idIn((await world.run(["ask", "Deploy?", "--no-wait"])).out)
    const { code, err } = await world.run(["complete", id, "--token"])
    expect(code).toBe(2)
    expect(err).toContain("is answered in a form")
  })

  it("cannot be combined with --failed", async () => {
    const world = createWorld()
    const { id } = await askByUrl(world)
    expect((await world.run(["complete", id, "--token", "--failed", "no"])).code).toBe(2)
  })
})
