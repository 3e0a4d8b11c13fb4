// `holdpoint shell DIR --http`: official clients call the scripts of a folder, which change and ask questions.

import { join } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { describe, expect, it, onTestFinished } from "vitest"
import { programHeaders } from "../program-key.ts"
import { asks, createShellWorld, echo, type ShellWorld } from "./tools.ts"

async function serving(world: ShellWorld, argv: readonly string[] = []) {
  const running = world.start([".", "--http", "0", ...argv])
  onTestFinished(async () => {
    running.stop()
    await running.done
  })
  const [, url = ""] = await running.prints(/ are at (http:\S+) /)
  keys.set(url, programHeaders(join(world.cwd, "data/holdpoint")))
  return { url, running }
}

/** What programs of the person send, by the address. */
const keys = new Map<string, Readonly<Record<string, string>>>()

interface ClientSettings {
  readonly canAsk?: boolean
  readonly onTools?: (names: readonly string[]) => void
}

async function connect(url: string, { canAsk = true, onTools }: ClientSettings = {}) {
  const questions: string[] = []
  const client = new Client(
    { name: "tester", version: "1.0.0" },
    {
      capabilities: canAsk ? { elicitation: { form: {} } } : {},
      ...(onTools === undefined
        ? {}
        : {
            listChanged: {
              tools: { onChanged: (_error, tools) => onTools(tools?.map(({ name }) => name) ?? []), debounceMs: 0 },
            },
          }),
    },
  )
  if (canAsk)
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message)
      return { action: "accept", content: { confirmed: "yes" } }
    })
  const headers = { ...keys.get(url) }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return { client, questions }
}

const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ""

describe("holdpoint shell over HTTP", () => {
  it("serves the scripts, whose questions reach the client", async () => {
    const world = createShellWorld()
    world.write("tools/asks/tool.sh", asks)
    world.write("server.d/server.meta.json", '{"name": "backups", "title": "Backups", "version": "2.1.0"}')
    const { url } = await serving(world)
    const { client, questions } = await connect(url)
    expect(client.getServerVersion()).toMatchObject({ name: "backups", version: "2.1.0" })
    const result = await client.callTool({ name: "asks", arguments: {} })
    expect(textOf(result)).toBe('{"action":"accept","content":{"confirmed":true}}')
    expect(questions).toEqual(["Overwrite report.pdf?"])
  })

  it("notifies clients of new tools, and calls them without a restart", async () => {
    const world = createShellWorld()
    world.write("tools/echo/tool.sh", echo)
    const { url } = await serving(world)
    const { promise, resolve } = Promise.withResolvers<readonly string[]>()
    const { client } = await connect(url, { onTools: (names) => names.includes("late") && resolve(names) })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo"])
    world.write("tools/late/tool.sh", echo)
    expect(textOf(await client.callTool({ name: "late", arguments: { a: 1 } }))).toBe('{"a":1}')
    expect(await promise).toEqual(["echo", "late"])
  })

  it("sends a person whose client shows no questions to a page, unless pages are switched off", async () => {
    const world = createShellWorld()
    world.write("tools/asks/tool.sh", asks)
    const { url } = await serving(world)
    const { client } = await connect(url, { canAsk: false })
    expect(textOf(await client.callTool({ name: "asks", arguments: {} }))).toContain(new URL(url).origin)
    const without = createShellWorld()
    without.write("tools/asks/tool.sh", asks)
    const { url: bare } = await serving(without, ["--no-pages"])
    const { client: other } = await connect(bare, { canAsk: false })
    expect(textOf(await other.callTool({ name: "asks", arguments: {} }))).toBe("cannot ask")
  })

  it("passes only the environment variables that are named", async () => {
    const world = createShellWorld()
    world.write("tools/shows/tool.sh", `#!/bin/sh\nprintf '%s,%s,%s' "$FIRST" "$SECOND" "$THIRD"\n`)
    world.write("holdpoint.config.mjs", "export default { shell: { passEnvironment: ['FIRST'] } }")
    const env = { FIRST: "1", SECOND: "2", THIRD: "3" }
    expect(await world.run(["run", "shows", "--pass-env", "SECOND"], { env })).toMatchObject({ out: "1,2,\n" })
  })

  it("says at the start which tools are left out", async () => {
    const world = createShellWorld()
    world.write("tools/broken/tool.sh", "no interpreter")
    const { running } = await serving(world)
    await running.prints(/Left out: broken\/tool\.sh does not begin with #! and the program that runs it\./)
  })
})
