// `holdpoint demo`: everything in one process, its page, and access to the panel's endpoint.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { createWorld, type RunningCommand, type World } from "@holdpoint/testkit/holdpoint/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import { createCookieJar } from "./cookie-jar.ts"

async function begin(
  world: World,
  argv: readonly string[] = ["--port", "0"],
): Promise<RunningCommand & { url: string }> {
  const running = world.start(["demo", ...argv])
  onTestFinished(async () => {
    running.stop()
    await running.done
  })
  const [, url = ""] = await running.prints(/Open (http:\/\/127\.0\.0\.1:\d+) /)
  return { ...running, url }
}

/** The Nextcloud content of a demo, as alice sees it. */
async function notesOf({ prints }: RunningCommand) {
  const [, nextcloud = ""] = await prints(/Nextcloud +(http:\/\/127\.0\.0\.1:\d+)/)
  const address = `${nextcloud}/apps/notes/api/v1/notes`
  const authorization = `Basic ${Buffer.from("alice:alice-Pass-2026").toString("base64")}`
  const headers = { authorization, "content-type": "application/json" }
  return {
    add: (title: string) => page(address, { method: "POST", headers, body: JSON.stringify({ title }) }),
    async titles(): Promise<readonly string[]> {
      const notes = JSON.parse((await page(address, { headers })).body) as readonly { readonly title: string }[]
      return notes.map(({ title }) => title)
    },
  }
}

const page = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, body: await response.text() }
}

describe("holdpoint demo", { timeout: 30_000 }, () => {
  it("prints one address, lists what is running at /try, and ends cleanly when it is stopped", async () => {
    const { url, stop, done } = await begin(createWorld())
    const { status, headers, body } = await page(`${url}/try`)
    expect(status).toBe(200)
    expect(headers.get("content-security-policy")).toContain("script-src 'self'")
    const text = body.replaceAll("&quot;", '"').replaceAll("&#39;", "'")
    const lines = [
      `claude mcp add --transport http nextcloud ${url}/mcp`,
      `code --add-mcp '{"name":"nextcloud","type":"http","url":"${url}/mcp"}'`,
      `{"mcpServers":{"nextcloud":{"url":"${url}/mcp"}}}`,
      `codex mcp add nextcloud --url ${url}/mcp`,
      `npx @modelcontextprotocol/inspector --transport http --server-url ${url}/mcp`,
    ]
    for (const line of [...lines, "alice and bob", "stand-in", 'href="/inbox"', 'href="/account"'])
      expect(text).toContain(line)
    stop()
    expect(await done).toMatchObject({ code: 0, err: "Ending …\n" })
    await expect(fetch(url)).rejects.toThrow()
  })

  it("needs no terminal, and leaves nothing running after Ctrl-C", async () => {
    const world = createWorld()
    const bin = fileURLToPath(new URL("../bin/holdpoint.js", import.meta.url))
    const child = spawn(process.execPath, [bin, "demo", "--port", "0"], {
      cwd: world.cwd,
      env: { ...process.env, TERM: "dumb" },
      stdio: ["ignore", "pipe", "inherit"],
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    const exited = once(child, "exit")
    for await (const line of createInterface(child.stdout)) {
      if (!line.startsWith("Open http://")) continue
      expect(line).not.toContain("\u001b")
      child.kill("SIGINT")
    }
    expect(await exited).toEqual([0, null])
  })

  it("keeps its keys and its Nextcloud from one start to the next, until it is reset", async () => {
    const world = createWorld()
    const start = async (argv: readonly string[] = []) => {
      const running = await begin(world, ["--port", "0", ...argv])
      const notes = await notesOf(running)
      const isThere = (await notes.titles()).includes("Kept for later")
      await notes.add("Kept for later")
      running.stop()
      await running.done
      return { isThere, keys: readFileSync(join(world.cwd, ".holdpoint", "demo", "demo.keys"), "utf8") }
    }
    const first = await start()
    const second = await start()
    const afresh = await start(["--reset"])
    expect([first.isThere, second.isThere, afresh.isThere]).toEqual([false, true, false])
    expect([second.keys === first.keys, afresh.keys === first.keys]).toEqual([true, false])
  })

  it("does not touch the data of another demo in the same folder, and says which folder it uses", async () => {
    const world = createWorld()
    const first = await begin(world)
    await (await notesOf(first)).add("Of the first")
    const second = await begin(world, ["--port", "0", "--reset"])
    await second.prints(/Another demo is using \.holdpoint\/demo, so this one uses \.holdpoint\/demo-2/)
    expect((await page(`${second.url}/try`)).body).toContain(".holdpoint/demo-2")
    await (await notesOf(second)).add("Of the second")
    for (const { stop, done } of [second, first]) {
      stop()
      await done
    }
    const again = await begin(world)
    const titles = await (await notesOf(again)).titles()
    expect([titles.includes("Of the first"), titles.includes("Of the second")]).toEqual([true, false])
  })

  it.each(["demo.db", "demo.keys"])("says that --reset replaces an unusable %s, and it does", async (file) => {
    const world = createWorld()
    const first = await begin(world)
    first.stop()
    await first.done
    const folder = join(world.cwd, ".holdpoint", "demo")
    for (const beside of ["demo.db-wal", "demo.db-shm"]) rmSync(join(folder, beside), { force: true })
    writeFileSync(join(folder, file), "something else")
    const { code, err } = await world.run(["demo", "--port", "0"])
    expect({ code, lines: err.trim().split("\n") }).toEqual({
      code: 2,
      lines: [
        expect.stringMatching(`^holdpoint: The data of an earlier run cannot be used\\. .*${file}.*\\.$`),
        "--reset deletes it and starts fresh.",
      ],
    })
    await begin(world, ["--port", "0", "--reset"])
  })

  it("says what to do when nothing can be stored in its folder", async () => {
    const world = createWorld()
    writeFileSync(join(world.cwd, ".holdpoint"), "")
    const { code, err } = await world.run(["demo", "--port", "0"])
    expect(code).toBe(2)
    expect(err).toMatch(
      /^holdpoint: Nothing can be stored in .*demo: .*\nStart it in a folder that you may write to\.\n$/,
    )
  })

  it("refuses a --port that is not a port number", async () => {
    const { code, err } = await createWorld().run(["demo", "--port", "http"])
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("“http” is not a port number.") })
  })
})

describe("the pages of the demonstration", { timeout: 30_000 }, () => {
  verifies(
    "page.first-size",
    "begin with a chat of less than 110 kB, uncompressed, which loads everything from this server",
    async () => {
      const { url } = await begin(createWorld())
      const first = await page(url)
      expect(first.body).toContain("<h1>Any program can stop and ask you</h1>")
      expect(first.body).toContain("A scripted model answers here</b>: it knows these four requests.")
      const loaded = [...first.body.matchAll(/<(?:link|script|img)\b[^>]*?(?:href|src)="([^"]+)"/g)].map(([, at]) => at)
      expect(loaded).toContain("/chat/holdpoint-widget.js")
      const all = await Promise.all([...new Set(loaded)].map((path) => page(new URL(path ?? "", url).href)))
      for (const { status, headers } of [first, ...all]) {
        expect(status).toBe(200)
        expect(headers.get("content-encoding")).toBe(null)
        expect(headers.get("content-security-policy")).toMatch(
          /^default-src 'none'; style-src 'self'; script-src 'self'/,
        )
      }
      const bytes = [first, ...all].reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
      expect(bytes).toBeLessThan(110_000)
    },
  )

  verifies("page.links", "link to each other, with the inbox and the account, from every header", async () => {
    const { url } = await begin(createWorld())
    const jar = await signedIn(url)
    for (const path of ["/", "/try", "/inbox", "/account"]) {
      const { body } = await jar.open(`${url}${path}`)
      const [, links = ""] = /<nav aria-label="Main">([\s\S]*?)<\/nav>/.exec(body) ?? []
      const matches = [...links.matchAll(/<a href="([^"]+)"( aria-current="page")?>(\w+)<\/a>/g)]
      expect(matches.map(([, to, isHere, name]) => [name, to, isHere !== undefined])).toEqual([
        ["Chat", "/", path === "/"],
        ["Inbox", "/inbox", path === "/inbox"],
        ["Account", "/account", path === "/account"],
        ["Try", "/try", path === "/try"],
      ])
    }
  })

  it("come with a script that needs no eval, with a stylesheet, and with nothing else", async () => {
    const { url } = await begin(createWorld())
    const script = await page(`${url}/try/panel.js`)
    expect(script.headers.get("content-type")).toMatch(/^text\/javascript/)
    expect(script.body).toContain("/try/mcp")
    expect(script.body).not.toContain("eval(")
    expect((await page(`${url}/try/try.css`)).headers.get("content-type")).toMatch(/^text\/css/)
    const wrong = await page(`${url}/try/panel/main.ts`)
    expect([wrong.status, wrong.body.includes('href="/inbox"')]).toEqual([404, true])
    expect((await page(url, { method: "POST", body: "x" })).status).toBe(405)
  })

  it("know who is signed in in that browser", async () => {
    const { url } = await begin(createWorld())
    expect((await page(`${url}/try/who`)).body).toBe('{"name":null}')
    const jar = await signedIn(url)
    expect((await jar.open(`${url}/try/who`)).body).toBe('{"name":"alice"}')
    expect((await page(url)).body).toContain(" signed-out ")
    expect((await jar.open(url)).body).not.toContain(" signed-out ")
    for (const path of ["/", "/try"]) expect((await jar.open(`${url}${path}`)).body).toContain("Signed in as alice")
  })
})

describe("the panel's endpoint", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  }
  const post = (url: string, headers: Readonly<Record<string, string>>) =>
    page(`${url}/try/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify(initialize),
    })

  it("refuses pages of other origins for every user, and programs without an origin", async () => {
    const { url } = await begin(createWorld())
    const cookie = cookieOf(await signedIn(url))
    expect((await post(url, { cookie, origin: url })).status).toBe(200)
    const { port } = new URL(url)
    for (const origin of ["https://evil.example", `http://localhost:${port}`, "http://127.0.0.1:1", "null"])
      expect((await post(url, { cookie, origin })).status, origin).toBe(403)
    expect((await post(url, { cookie })).status).toBe(403)
    expect((await post(url, { cookie, "sec-fetch-site": "cross-site" })).status).toBe(403)
  })

  it("answers a visitor who is not signed in with 401, and says what to do", async () => {
    const { url } = await begin(createWorld())
    const { status, body } = await post(url, { origin: url })
    expect(status).toBe(401)
    expect(body).toContain("Sign in on the page")
  })
})

type Jar = ReturnType<typeof createCookieJar>

async function signedIn(url: string): Promise<Jar> {
  const jar = createCookieJar()
  const form = await jar.open(`${url}/signin/embedded?to=account`)
  await jar.open(form.url, new URLSearchParams({ user: "alice" }))
  return jar
}

const cookieOf = ({ received }: Jar): string => received.map((line) => line.split(";")[0]).join("; ")
