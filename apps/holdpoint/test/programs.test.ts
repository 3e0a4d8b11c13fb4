// `holdpoint programs`, and a program from start to end: its key from the command, its question at `holdpoint serve`, the
// answer in the inbox, and the waiting request.

import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { createWorld, type World } from "@holdpoint/testkit/holdpoint/world"
import { describe, expect, it } from "vitest"

const add = async (world: World, ...flags: readonly string[]) => {
  const ran = await world.run(["programs", "add", ...flags])
  noteCanary("program_key", ran.out.trim())
  return { ...ran, key: ran.out.trim() }
}

/** A server with its own sign-in, and its address. */
async function serve(world: World, flags: readonly string[] = []) {
  const serving = world.start(["serve", "--port", "0", ...flags])
  const [, address = ""] = await serving.prints(/Holdpoint is at (\S+)/)
  const stop = async () => {
    serving.stop()
    return serving.done
  }
  return { address, stop }
}

interface Body {
  readonly id: string
  readonly code?: string
}

const send = async (address: string, path: string, key: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) }
  const response = await fetch(`${address}${path}`, init)
  return { status: response.status, body: (await response.json()) as Body }
}

describe("holdpoint programs", () => {
  it("makes a key with which a program asks, and a person's answer in the inbox ends its waiting", async () => {
    const world = createWorld()
    const { key, code, err } = await add(world, "deployer")
    expect([code, err]).toEqual([0, expect.stringContaining("deployer may ask anyone.")])
    const { address, stop } = await serve(world)
    const audience = { issuer: `${address}/idp`, subject: "alice" }
    const asked = await send(address, "/api/questions", key, { message: "Deploy?", confirm: true, audience })
    expect(asked.status).toBe(201)
    const waiting = send(address, `/api/questions/${asked.body.id}?wait=30`, key)
    const browser = openJarBrowser()
    const signIn = await browser.open(`${address}/signin?to=inbox:${asked.body.id}`)
    const question = await browser.submit(signIn, { user: "alice" })
    expect(question.text).toContain("Deploy?")
    expect(question.text).toContain("deployer")
    // The form of the question: the one before it signs out.
    const text = question.text.slice(question.text.indexOf("<main"))
    await browser.submit({ ...question, text }, { do: "yes" })
    expect((await waiting).body).toMatchObject({ status: "completed", said: "yes", answeredBy: audience })
    const listed = await world.run(["programs", "list"])
    expect(listed.out).toMatch(/deployer {2}hp_[0-9a-f]{16}_… {2}last used/)
    expect(listed.out).not.toContain(key.slice(20))
    expect((await world.run(["programs", "remove", "deployer"])).code).toBe(0)
    expect((await send(address, `/api/questions/${asked.body.id}`, key)).status).toBe(401)
    expect(`${(await stop()).err}`).not.toContain(key.slice(20))
  })

  it("shows whom a program may ask, and enforces it", async () => {
    const world = createWorld()
    const added = await add(world, "ci", "--to", "carl@https://id.example", "--to-role", "manager", "--only", "form")
    expect(added.err).toContain("carl (https://id.example), the role manager, with forms only")
    const listed = JSON.parse((await world.run(["programs", "list", "--json"])).out)
    expect(listed).toMatchObject([
      {
        ...{ name: "ci", key: expect.stringMatching(/^hp_[0-9a-f]{16}_…$/) },
        may: {
          to: { people: [{ tenant: "local", issuer: "https://id.example", subject: "carl" }], roles: ["manager"] },
          modes: ["form"],
        },
      },
    ])
    expect(JSON.stringify(listed)).not.toMatch(/hash/i)
    const { address, stop } = await serve(world)
    const ask = (audience: unknown) =>
      send(address, "/api/questions", added.key, { message: "Go on?", confirm: true, audience })
    expect((await ask({ role: "manager" })).status).toBe(201)
    expect((await ask({ role: "admin" })).body.code).toBe("not_allowed")
    await stop()
  })

  it.each([
    [["add"], "The name of the program is missing."],
    [["ad", "x"], "Did you mean add?"],
    [["add", "x", "--only", "mail"], "--only cannot be “mail”."],
    [["add", "x", "--to", "nemo"], "No person called “nemo” is known here."],
    [["list", "x"], "one word too many"],
    [["list", "--to", "me"], "--to does nothing for “programs list”."],
  ])("refuses %j", async (words, message) => {
    const { code, err } = await createWorld().run(["programs", ...words])
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })

  it("refuses a second program of the same name, and a program that was not added", async () => {
    const world = createWorld()
    expect((await world.run(["programs", "list"])).code).toBe(1)
    await add(world, "ci")
    const again = await world.run(["programs", "add", "ci"])
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("A program “ci” already exists.")])
    const unknown = await world.run(["programs", "remove", "cd"])
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("There is no program “cd”.")])
    expect((await world.run(["programs", "remove", "ci"])).code).toBe(0)
    expect((await world.run(["programs", "list"])).out).toContain("No program has a key.")
  })
})
