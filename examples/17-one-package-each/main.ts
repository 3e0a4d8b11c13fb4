// Runs the program of each package's README, answers its question as its person would, and checks what it prints.

import assert from "node:assert/strict"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { createPrograms } from "@holdpoint/server/identity"
import { startSlackStandIn } from "@holdpoint/slack-stand-in"
import { getRequestListener } from "@hono/node-server"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { openBrowser } from "../5-connect-an-account/browser.ts"
import { asTerminal, start } from "../10-add-it-to-your-app/programs.ts"
import { startMailbox } from "../15-ladder/mailbox.ts"
import { freePort } from "../free-port.ts"

/** The most lines of code that a program in a README may have. */
const mostLines = 15

const ada = { tenant: "local", issuer: "local", subject: "ada" }
process.setMaxListeners(20)
const home = mkdtempSync(join(tmpdir(), "holdpoint-packages-"))
const stories: Readonly<Record<string, () => Promise<void>>> = {
  a2a: () => prints("a2a", /status: 'completed', content: { pay: true }/),
  accounts: connectsAccount,
  agents: approvesTool,
  calls: () => prints("calls", /Deleted\./),
  client: asksOverHttp,
  email: mailsLink,
  fetching: () => prints("fetching", /Nothing is sent: .+\./),
  hub: () => prints("hub", /status: 'completed', content: { sure: true }/),
  mcp: asksInMcp,
  server: answersOnPage,
  slack: answersInSlack,
  terminal: answersInTerminal,
  testing: async () => assert.equal(await program("testing").ended, 0),
  webhooks: sendsEvent,
}
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".ts"))
const names = files.map((name) => basename(name, ".ts")).filter((name) => !["main", "jobs"].includes(name))
assert.deepEqual(names.sort(), Object.keys(stories).sort(), "each program has a story")
for (const name of names) {
  const lines = readFileSync(join(import.meta.dirname, `${name}.ts`), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("//"))
  assert.ok(lines.length <= mostLines, `${name}.ts has ${lines.length} lines`)
}
await Promise.all(Object.entries(stories).map(([name, play]) => play().then(() => console.log(`✔ ${name}`))))
rmSync(home, { recursive: true, force: true })

interface Options extends Partial<Omit<Parameters<typeof start>[1], "cwd">> {
  /** Each name is used by one program. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a program in a folder of its own. */
function program(name: string, { env = {}, ...options }: Options = {}) {
  Object.assign(process.env, env)
  const running = start(`../17-one-package-each/${name}.ts`, { ...options, cwd: mkdtempSync(join(home, `${name}-`)) })
  process.once("exit", running.end)
  return running
}

async function prints(name: string, words: RegExp): Promise<void> {
  const running = program(name)
  await running.says(words)
  running.end()
  await running.ended
}

/** Opens the link that a program has printed. */
async function open(running: ReturnType<typeof program>) {
  const browser = openBrowser()
  const link = await running.says(/http:\S+\/[0-9a-f-]{36}/)
  // The program prints the link while its server begins to listen.
  while (!(await fetch(link).catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 20))
  return { browser, page: await browser.open(link) }
}

/** Opens the link, and presses the button of the Yes. */
async function sayYes(running: ReturnType<typeof program>): Promise<void> {
  const { browser, page } = await open(running)
  const { status, html } = await browser.submit(page, { do: "yes" })
  assert.equal(status, 200, html)
}

async function answersOnPage(): Promise<void> {
  const running = program("server", { port: await freePort() })
  await sayYes(running)
  await running.says(/status: 'completed', content: { refund: true }/)
  running.end()
  await running.ended
}

async function approvesTool(): Promise<void> {
  const running = program("agents", { port: await freePort() })
  await sayYes(running)
  await running.says(/Order 7 is refunded\./)
  running.end()
  await running.ended
}

/** Goes as far as the page with the button that leads to GitHub: from there on it needs an account. */
async function connectsAccount(): Promise<void> {
  const env = { GITHUB_ID: "id", GITHUB_SECRET: "secret" }
  const running = program("accounts", { port: await freePort(), env })
  assert.equal((await open(running)).page.heading, "Connect GitHub?")
  running.end()
  await running.ended
}

async function asksOverHttp(): Promise<void> {
  const port = await freePort()
  const [storage, publicUrl] = [createMemoryStorage(), `http://127.0.0.1:${port}`]
  const people = { from: "local", user: ada.subject } as const
  const { fetch, hub, runtime, close } = await createHoldpoint({ storage, keys: withNewKey(), publicUrl, people })
  const server = createServer(getRequestListener(fetch)).listen(port, "127.0.0.1")
  const may = { to: "anyone", modes: ["form"] } as const
  const { key } = await createPrograms({ storage, runtime }).add({ tenant: "local", name: "Shop", may })
  const running = program("client", { env: { HOLDPOINT_URL: publicUrl, HOLDPOINT_KEY: key } })
  const id = (await running.says(/[0-9a-f-]{36}/)) ?? ""
  await hub.answer(id, { by: ada, action: "accept", content: { confirmed: "yes" } })
  await running.says(/completed { confirmed: 'yes' }/)
  assert.equal(await running.ended, 0)
  server.close()
  await close()
}

async function answersInTerminal(): Promise<void> {
  const running = program("terminal", { args: ["--import", asTerminal] })
  await running.says(/Production/)
  running.types("\u001b[B\r")
  await running.says(/Send/)
  running.types("\r")
  await running.says(/Releasing to production\./)
  assert.equal(await running.ended, 0)
}

async function asksInMcp(): Promise<void> {
  const client = new Client({ name: "reader", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { confirmed: "yes" } }))
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [join(import.meta.dirname, "mcp.ts")] }),
  )
  const { content } = await client.callTool({ name: "refund", arguments: {} })
  assert.deepEqual(content, [{ type: "text", text: "Refunded." }])
  await client.close()
}

async function answersInSlack(): Promise<void> {
  const slack = await startSlackStandIn()
  const env = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.team().botToken, SLACK_APP_TOKEN: slack.appToken }
  const running = program("slack", { env })
  const alice = slack.as("U0ALICE")
  const { channel, ts } = await slack.until(() => alice.sees().at(-1))
  await alice.press({ channel, ts, button: "holdpoint_yes" })
  await running.says(/completed/)
  assert.equal(await running.ended, 0)
  await slack.close()
}

async function mailsLink(): Promise<void> {
  const mailbox = await startMailbox()
  const running = program("email", { env: { SMTP_URL: mailbox.url } })
  while (mailbox.subjects().length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(mailbox.subjects(), ["Question from payments: Pay invoice 7?"])
  running.end()
  await running.ended
  await mailbox.close()
}

async function sendsEvent(): Promise<void> {
  const { promise: event, resolve } = Promise.withResolvers<unknown>()
  const receiver = createServer(async (request, response) => {
    const chunks = await request.toArray()
    response.end()
    resolve({ ...JSON.parse(Buffer.concat(chunks).toString()), signature: request.headers["webhook-signature"] })
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const { port } = receiver.address() as AddressInfo
  const running = program("webhooks", { env: { WEBHOOK_URL: `http://127.0.0.1:${port}/` } })
  await running.says(/endpoint\.tested is signed with whsec_/)
  const { type, signature } = (await event) as { readonly type: string; readonly signature: string }
  assert.deepEqual([type, signature.slice(0, 3)], ["endpoint.tested", "v1,"])
  running.end()
  await running.ended
  receiver.close()
}
