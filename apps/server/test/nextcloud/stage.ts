// The command in this process beside a stand-in for Nextcloud, with official clients and people at browsers without a
// screen.

import { type RunningStandIn, type StandInOptions, startStandIn } from "@holdpoint/nextcloud/stand-in"
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client"
import { onTestFinished } from "vitest"
import { noteCanary } from "../../../../test/canaries/note.ts"
import type { Program } from "../authorization/scene.ts"
import { openJarBrowser } from "../pages/browser.ts"
import { createWorld, type Ran, type Running } from "../world.ts"

export async function startCloud(options: StandInOptions = {}): Promise<RunningStandIn> {
  const cloud = await startStandIn({
    seed: true,
    onSecret: ({ value }) => noteCanary("app_password", value),
    ...options,
  })
  onTestFinished(() => cloud.close())
  return cloud
}

type Env = Readonly<Record<string, string>>

export interface Served extends Running {
  /** Without /mcp. */
  readonly publicUrl: string
  readonly mcp: URL
}

/** Over HTTP at any free port, until the test is finished. */
export async function serve(
  cloud: { readonly url: string },
  env: Env = {},
  flags: readonly string[] = [],
): Promise<Served> {
  const world = createWorld()
  const argv = ["nextcloud", "--host", cloud.url, "--http", "0", "--database", "nextcloud.db", ...flags]
  const running = world.start(argv, { env })
  onTestFinished(async () => {
    running.stop()
    await running.done
  })
  const printed = running.prints(/are at (\S+)\/mcp/)
  const early = running.done.then(({ code, err }) => {
    throw new Error(`It ended with ${code}: ${err}`)
  })
  const publicUrl = (await Promise.race([printed, early]))[1] ?? ""
  early.catch(() => {})
  return { ...running, publicUrl, mcp: new URL(`${publicUrl}/mcp`) }
}

/** To its end: what it says, and with which code. */
export function run(argv: readonly string[], env: Env = {}): Promise<Ran> {
  return createWorld().run(["nextcloud", ...argv], { env })
}

const clientInfo = { name: "tester", version: "1.0.0" }

export async function connect(mcp: URL, headers: Env = {}, options: ClientOptions = {}): Promise<Client> {
  const client = new Client(clientInfo, options)
  await client.connect(new StreamableHTTPClientTransport(mcp, { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

/** Signs in at the provider when the server wants it; whoever its settings name says yes there and here. */
export async function connectAs(mcp: URL, program: Program, options: ClientOptions = {}): Promise<Client> {
  const open = async (): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> => {
    const transport = new StreamableHTTPClientTransport(mcp, { authProvider: program })
    const client = new Client(clientInfo, options)
    await client.connect(transport)
    return { client, transport }
  }
  const transport = new StreamableHTTPClientTransport(mcp, { authProvider: program })
  const refused = await new Client(clientInfo, options).connect(transport).catch((error: unknown) => error)
  if (!(refused instanceof UnauthorizedError)) throw new Error("The first call was not refused.", { cause: refused })
  await transport.finishAuth((await allow(program.sent.at(-1)?.href ?? "", program)).searchParams)
  const { client } = await open()
  onTestFinished(() => client.close())
  return client
}

async function allow(address: string, program: Program): Promise<URL> {
  const isBack = ({ href }: URL): boolean => href.startsWith(String(program.redirectUrl))
  const browser = openJarBrowser()
  const page = await browser.open(address, { stopAt: isBack })
  const back = isBack(page.url) ? page : await browser.submit(page, { do: "allow" }, { stopAt: isBack })
  noteCanary("code", back.url.searchParams.get("code"))
  return back.url
}

export const textIn = (result: unknown): string =>
  (result as CallToolResult).content.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("\n")

/** Titles of notes, out of what the tool gave. */
export function titlesIn(result: unknown): readonly string[] {
  const { notes = [] } = ((result as CallToolResult).structuredContent ?? {}) as {
    readonly notes?: readonly { readonly title: string }[]
  }
  return notes.map(({ title }) => title)
}
