// Accounts on the command line: requested, connected in a browser, listed and disconnected.

import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { noteEntered } from "@holdpoint/testkit/canaries/visits"
import type { World } from "@holdpoint/testkit/holdpoint/world"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import { createCookieJar } from "./cookie-jar.ts"

const key = "wk-4f1c0a7be29d4486WXYZ"

/** An API that accepts one key, and settings that name it and a port of our own. */
async function openScene(more: object = {}): Promise<World> {
  const api = createServer((request, response) => {
    const isFine = request.headers["x-api-key"] === key
    response.writeHead(isFine ? 200 : 401, { "content-type": "application/json" })
    response.end(JSON.stringify(isFine ? { id: "u1", name: "Ana" } : {}))
  })
  const url = `http://127.0.0.1:${await listening(api)}`
  onTestFinished(() => void api.close())
  const call = { method: "GET", url: `${url}/me` }
  const weather = {
    ...{ kind: "api_key", id: "weather", name: "Weather", api: [url], header: { name: "X-Api-Key" } },
    ...{ test: call, identity: { from: "call", call, id: "id", name: ["name"] } },
  }
  const settings = { host: ownHost, port: await freePort(), network: { allowLoopback: true }, ...more }
  const world = createWorld()
  writeFileSync(
    join(world.cwd, "holdpoint.config.mjs"),
    `export default ${JSON.stringify({ ...settings, providers: [weather] })}\n`,
  )
  return world
}

/** No other process takes a port of this address between two uses of it. */
const ownHost = "127.0.7.2"

function listening(server: ReturnType<typeof createServer>, host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port))
  })
}

async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listening(probe, ownHost)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** What the person does at the link: compares the code and enters the key. */
async function enterKey(link: string): Promise<string> {
  const jar = createCookieJar()
  const page = await jar.open(link)
  const [csrf, shownField] = ["csrf", "shown"].map(
    (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page.body)?.[1],
  )
  noteEntered({ key })
  const fields = new URLSearchParams({ csrf: csrf ?? "", shown: shownField ?? "", do: "continue", key })
  return (await jar.open(link, fields, { "sec-fetch-site": "same-origin" })).body
}

describe("an account", () => {
  verifies(
    "command.accounts",
    "is asked for, connected at the link, listed without its secrets, and disconnected by the start of its id",
    async () => {
      const world = await openScene()
      const pages = world.start(["serve", "--local"])
      await pages.prints(/Holdpoint is at/)
      const connecting = world.start(["connect", "weather"])
      const [link = ""] = await connecting.prints(/http:\S+\/connect\/\S+/)
      await pages.prints(/A question for you: \S+ \(code \w{3}-\w{3}\)/)
      expect(await enterKey(link)).toContain("Ana")
      expect(await connecting.done).toMatchObject({ code: 0, out: expect.stringContaining("Connected as Ana.") })
      const listed = await world.run(["connections", "--json"])
      const [connection] = JSON.parse(listed.out) as { id: string }[]
      expect(connection).toMatchObject({ provider: "weather", status: "active", account: { id: "u1" }, hint: "WXYZ" })
      expect(connection).not.toHaveProperty("sealed")
      expect((await world.run(["connections"])).out).toContain("weather as Ana")
      const ended = await world.run(["disconnect", connection?.id.slice(0, 8) ?? ""])
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("Disconnected here.") })
      expect((await world.run(["connections"])).out).toBe("Nothing is connected.\n")
      expect((await world.run(["connections", "--all"])).out).toContain("revoked")
      pages.stop()
      expect(await pages.done).toMatchObject({ code: 0 })
    },
  )

  it("of a project is requested from its administrators, and the link is printed for scripts", async () => {
    const world = await openScene()
    const asked = await world.run(["connect", "weather", "--project", "site", "--no-wait", "--json"])
    const { id, url } = JSON.parse(asked.out) as { id: string; url: string }
    expect(new URL(url)).toMatchObject({ hostname: ownHost, pathname: `/connect/${id}` })
    const printed = await world.run(["show", id, "--json"])
    expect(JSON.parse(printed.out)).toMatchObject({ question: { audience: { kind: "role", role: "admin" } } })
  })

  it("that the person declines ends the wait with exit status 1 and a message", async () => {
    const world = await openScene()
    const connecting = world.start(["connect", "weather"])
    const [, id = ""] = await connecting.prints(/\/connect\/(\S+)/)
    expect(await world.run(["answer", id, "--decline"])).toMatchObject({ code: 0 })
    expect(await connecting.done).toMatchObject({
      code: 1,
      err: expect.stringContaining("The account was not connected: declined"),
    })
  })

  it("with an unknown provider or id is refused, and the error names the nearest provider or the id", async () => {
    const world = await openScene()
    expect(await world.run(["connect", "weathr"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Did you mean weather?"),
    })
    expect(await world.run(["disconnect", "ffffffff"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no connection whose id begins with “ffffffff”"),
    })
    expect(await world.run(["disconnect", ""])).toMatchObject({ code: 2, err: expect.stringContaining("too short") })
  })

  it("of a person who cannot sign in here is refused, because the link would not work", async () => {
    const client = { id: "us" }
    const corp = { id: "corp", name: "Corp", issuer: "https://id.example", client, tenant: "acme" }
    const world = await openScene({ identityProviders: [corp] })
    const refuses = async (flags: readonly string[], words: string) =>
      expect(await world.run(["connect", "weather", "--no-wait", ...flags])).toMatchObject({
        code: 2,
        err: expect.stringContaining(words),
      })
    await refuses(["--person", "bo"], "Here people sign in with https://id.example")
    await refuses(
      ["--person", "bo", "--issuer", "https://other.example"],
      "https://other.example is not an identity provider of this server.",
    )
    await refuses(
      ["--person", "bo", "--issuer", corp.issuer],
      "Name their tenant with --tenant, or as tenant in the settings: acme",
    )
    await refuses(["--project", "site"], "in the tenant “local”")
    await refuses(["--project", "site", "--person", "bo"], "belongs to a project or to a person")
    const flags = ["--no-wait", "--tenant", "acme", "--person", "bo", "--issuer", corp.issuer]
    expect(await world.run(["connect", "weather", ...flags])).toMatchObject({ code: 0 })
  })

  it("belongs to the person at this machine, in the tenant of the settings", async () => {
    const world = await openScene({ tenant: "acme" })
    const pages = world.start(["serve", "--local"])
    await pages.prints(/Holdpoint is at/)
    const { out } = await world.run(["connect", "weather", "--no-wait"])
    expect(await enterKey(/http:\S+/.exec(out)?.[0] ?? "")).toContain("Ana")
    pages.stop()
    await pages.done
  })
})

describe("pages that cannot listen", () => {
  const elsewhere = "198.51.100.7"
  const corp = { id: "corp", name: "Corp", issuer: "https://id.example", client: { id: "us" }, tenant: "acme" }
  const signIn = JSON.stringify({ identityProviders: [corp] })

  it.each([
    ["where the port is taken and the public address leads to it", [], "Port PORT of 127.0.0.1 is taken."],
    ["at an address of another machine", ["--host", elsewhere], `${elsewhere} is not an address of this machine.`],
    ["at a port that does not exist", ["--port", "80000"], "--port must be a whole number of at most 65535"],
    [
      "where others would know the password",
      ["--host", "0.0.0.0"],
      "http://0.0.0.0 can be reached from other machines",
    ],
  ])("print the reason %s", async (_where, flags, words) => {
    const other = createServer()
    const port = String(await listening(other))
    onTestFinished(() => void other.close())
    const at = ["--port", port, "--public-url", `http://127.0.0.1:${port}`]
    const world = createWorld()
    if (flags[1] === elsewhere) writeFileSync(join(world.cwd, "holdpoint.config.mjs"), `export default ${signIn}`)
    const { code, err } = await world.run(["serve", ...(flags[0] === "--port" ? [] : at), ...flags])
    expect(code).toBe(2)
    expect(err).toContain(words.replace("PORT", port))
  })
})
