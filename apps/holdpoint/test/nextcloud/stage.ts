// The command in this process beside a stand-in for Nextcloud, with official clients and people at browsers without a
// screen.

import { type Runtime, systemRuntime } from "@holdpoint/hub"
import { type RunningStandIn, type StandInOptions, startStandIn } from "@holdpoint/nextcloud-stand-in"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { createWorld, type Ran, type RunningCommand, type World } from "@holdpoint/testkit/holdpoint/world"
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client"
import { onTestFinished } from "vitest"
import type { Program } from "../authorization/scene.ts"
import { programHeaders } from "../program-key.ts"

// Imported by the command on use; here before the tests, which have less time.
await Promise.all([
  import("../../src/nextcloud/account.ts"),
  import("../../src/nextcloud/doctor.ts"),
  import("../../src/nextcloud/http.ts"),
  import("../../src/nextcloud/stdio.ts"),
])

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

export interface ServedNextcloud extends RunningCommand {
  /** The server's public address, without /mcp. */
  readonly publicUrl: string
  readonly mcp: URL
  /** What a program of the person sends. */
  readonly headers: Env
}

/** Serves HTTP at a free port until the test is finished. */
export async function serve(
  cloud: { readonly url: string },
  env: Env = {},
  options: { readonly port?: number; readonly runtime?: Runtime; readonly world?: World } = {},
): Promise<ServedNextcloud> {
  const { port = 0, runtime = systemRuntime, world = createWorld() } = options
  const argv = ["nextcloud", "--host", cloud.url, "--http", String(port), "--database", "nextcloud.db"]
  const running = world.start(argv, { env, runtime })
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
  const headers = programHeaders(world.cwd)
  programs.set(publicUrl, headers)
  return { ...running, publicUrl, mcp: new URL(`${publicUrl}/mcp`), headers }
}

/** Runs `holdpoint nextcloud` to its end, and returns its output and exit code. */
export function run(argv: readonly string[], env: Env = {}): Promise<Ran> {
  return createWorld().run(["nextcloud", ...argv], { env })
}

/** What programs of the person send to the servers of this process, by their public addresses. */
const programs = new Map<string, Env>()

const clientInfo = { name: "tester", version: "1.0.0" }

export async function connect(mcp: URL, headers: Env = {}, options: ClientOptions = {}): Promise<Client> {
  const client = new Client(clientInfo, options)
  const requestInit = { headers: { ...programs.get(mcp.origin), ...headers } }
  await client.connect(new StreamableHTTPClientTransport(mcp, { requestInit }))
  onTestFinished(() => client.close())
  return client
}

/** Signs in at the provider when the server requires it; the user of its settings approves there and here. */
export async function connectAs(
  mcp: URL,
  program: Program,
  options: ClientOptions = {},
  agree: (address: string) => Promise<URL> = (address) => allow(address, program),
): Promise<Client> {
  const open = async (): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> => {
    const transport = new StreamableHTTPClientTransport(mcp, { authProvider: program })
    const client = new Client(clientInfo, options)
    await client.connect(transport)
    return { client, transport }
  }
  const transport = new StreamableHTTPClientTransport(mcp, { authProvider: program })
  const refused = await new Client(clientInfo, options).connect(transport).catch((error: unknown) => error)
  if (!(refused instanceof UnauthorizedError)) throw new Error("The first call was not refused.", { cause: refused })
  const back = await agree(program.sent.at(-1)?.href ?? "")
  noteCanary("code", back.searchParams.get("code"))
  await transport.finishAuth(back.searchParams)
  const { client } = await open()
  onTestFinished(() => client.close())
  return client
}

/** A client that can be sent to pages, and a person who visits them. */
export const visiting: ClientOptions = {
  capabilities: { elicitation: { form: {}, url: {} } },
  versionNegotiation: { mode: "auto" },
}

/** The person behind this client visits each page that it is sent to. Returns the final pages. */
export function sendTo(client: Client, visit: (link: string) => Promise<string>): readonly Promise<string>[] {
  const visits: Promise<string>[] = []
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    if (params.mode !== "url") return { action: "accept", content: {} }
    visits.push(visit(params.url))
    return { action: "accept" }
  })
  return visits
}

/** Opens the consent link in a browser, and presses the button that continues to Nextcloud. */
async function leaveFor(link: string) {
  const browser = openJarBrowser()
  const page = await browser.open(link)
  return { page, left: await browser.submit(page, { do: "continue" }) }
}

/** Approves a login flow at Nextcloud as this user; the server polls for it. Returns the text of the consent page. */
export async function grantByLoginFlow(cloud: RunningStandIn, link: string, user: string): Promise<string> {
  const { page, left } = await leaveFor(link)
  const login = /<a class="button primary" href="([^"]+)"/.exec(left.text)?.[1]
  if (login === undefined) throw new Error(`This page has no link to Nextcloud: ${left.text}`)
  cloud.grant(login, user)
  return page.text
}

/** A person who approves every request at Nextcloud. Records the addresses of the requests. */
export function createVisitor(cloud: RunningStandIn, user: string) {
  const browser = openJarBrowser()
  const asked: URL[] = []
  const stopAt = (url: URL): boolean => url.href.startsWith(cloud.url)
  const comeBack = async (page: Awaited<ReturnType<typeof browser.open>>): Promise<typeof page> => {
    if (!stopAt(page.url)) return page
    asked.push(page.url)
    return browser.open(cloud.authorize(page.url.href, user))
  }
  return {
    asked,
    /** Opens the link, and signs in where the server requires it. */
    open: async (link: string) => comeBack(await browser.open(link, { stopAt })),
    async connect(link: string, pressed: Readonly<Record<string, string>> = { do: "continue" }): Promise<string> {
      const page = await comeBack(await browser.open(link, { stopAt }))
      return (await comeBack(await browser.submit(page, pressed, { stopAt }))).text
    },
    browser,
  }
}

async function allow(address: string, program: Program): Promise<URL> {
  const isBack = ({ href }: URL): boolean => href.startsWith(String(program.redirectUrl))
  const browser = openJarBrowser()
  const page = await browser.open(address, { stopAt: isBack })
  return (isBack(page.url) ? page : await browser.submit(page, { do: "allow" }, { stopAt: isBack })).url
}

export const textIn = (result: unknown): string =>
  (result as CallToolResult).content.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("\n")

/** The titles of the notes in a tool's result. */
export function titlesIn(result: unknown): readonly string[] {
  const { notes = [] } = ((result as CallToolResult).structuredContent ?? {}) as {
    readonly notes?: readonly { readonly title: string }[]
  }
  return notes.map(({ title }) => title)
}
