// Everything but the pages, in one process: a stand-in, a vault, the MCP server and an official client. The person at
// the pages presses the buttons through the vault's own consent, and grants access at the stand-in.

import { apiLimits, createGuardedFetch, createVault, metadataLimits, type Vault } from "@holdpoint/accounts"
import { nextcloudLogin } from "@holdpoint/accounts/providers"
import {
  createAddresses,
  createHub,
  createMemoryStorage,
  type Hub,
  inbox,
  type Principal,
  systemRuntime,
} from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createMcp, type McpOptions } from "@holdpoint/mcp"
import type { RunningStandIn } from "@holdpoint/nextcloud-stand-in"
import { startStandIn } from "@holdpoint/nextcloud-stand-in"
import { createChoices } from "@holdpoint/server/identity"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import type { CallToolResult, VersionNegotiationMode } from "@modelcontextprotocol/client"
import { Client, InMemoryTransport, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client"
import type { Accounts } from "../src/accounts/accounts.ts"
import { createVaultAccounts, type VaultAccounts } from "../src/accounts/vault.ts"
import { type Choices, createPolicies } from "../src/policy.ts"
import { scopeWords } from "../src/scopes.ts"
import { createNextcloudServer } from "../src/server.ts"
import type { ServerParts } from "../src/server-parts.ts"
import { type Policy, toolsets } from "../src/tool.ts"

export type Prompt = { readonly mode?: string; readonly message: string; readonly url?: string }
export type Answered = { readonly action: "accept" | "decline" | "cancel"; readonly content?: Record<string, unknown> }

export interface HouseOptions
  extends Partial<Pick<ServerParts, "choice" | "watchEveryMs" | "listWithinMs"> & Pick<VaultAccounts, "clock">> {
  readonly client?: ClientKind
  /** What the person does with a prompt. Default: `agree`. */
  readonly answer?: (prompt: Prompt, house: House) => Promise<Answered>
  readonly confirm?: Readonly<Record<string, Policy>>
  readonly accounts?: Accounts
  readonly standIn?: RunningStandIn
  /** Additional options of `createMcp`. */
  readonly mcp?: Partial<McpOptions>
  /** How long concurrent calls are collected into one question. */
  readonly gatherMs?: number
}

/** A client's protocol revision, and which kinds of question it supports. */
export type ClientKind = "2026" | "2025" | "form-only" | "mute"

export type Serve = (request: Request) => Promise<Response>

export interface House {
  readonly standIn: RunningStandIn
  readonly hub: Hub
  readonly vault: Vault
  readonly client: Client
  readonly prompts: readonly Prompt[]
  readonly reports: readonly string[]
  /** Each person's choices of confirmation policies. */
  readonly choices: Choices
  call(name: string, input?: object): Promise<CallToolResult>
  /** Presses the button of a consent, and grants access at the stand-in, as this user. */
  allow(link: string, user?: string): Promise<void>
  decline(link: string): Promise<void>
  /** Another client of the same server; `through` is the network between them. */
  open(kind: ClientKind, through?: (fetch: Serve) => Serve): Promise<Client>
  /** Another client, over a persistent connection. */
  stay(kind: ClientKind): Promise<Client>
  close(): Promise<void>
}

export const alice: Principal = { tenant: "local", issuer: "https://id.example", subject: "alice" }
const publicUrl = "http://127.0.0.1:4650"
const addresses = createAddresses(publicUrl)

export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const standIn =
    options.standIn ?? (await startStandIn({ seed: true, onSecret: ({ kind, value }) => noteCanary(kind, value) }))
  const storage = createMemoryStorage()
  const keys = withNewKey()
  const hub = createHub({ storage, outlets: [inbox()] })
  const reports: string[] = []
  const report = (activity: string, error: unknown): void => void reports.push(`${activity}: ${String(error)}`)
  const vault = createVault({
    ...{ storage, questions: hub, sealer: createSealer(keys), addresses, runtime: systemRuntime, report },
    consent: { times: { firstPollMs: 1 } },
    providers: [{ ...nextcloudLogin({ server: standIn.url }), scopeWords }],
    fetch: createGuardedFetch({ ...metadataLimits, allowLoopback: true }),
    apiFetch: createGuardedFetch({ ...apiLimits, allowLoopback: true }),
    ...(options.gatherMs === undefined ? {} : { times: { gatherMs: options.gatherMs } }),
  })
  const name = "Nextcloud tools"
  const choices = createChoices(storage, systemRuntime)
  const accounts =
    options.accounts ??
    createVaultAccounts({
      ...{ hub, addresses, url: standIn.url, name, provider: "nextcloud", lifetimeMs: 300_000 },
      vault,
      ...(options.clock === undefined ? {} : { clock: options.clock }),
    })
  const mcp = createMcp({
    ...{ hub, storage, keys, vault, addresses, report, name, accessTools: false, strict: true, ...options.mcp },
    callers: { local: alice },
    server: createNextcloudServer({
      ...{ name: "holdpoint-nextcloud", version: "0", url: standIn.url, accounts, report },
      policies: createPolicies(options.confirm ?? {}, choices),
      choice: options.choice ?? { toolsets: new Set(toolsets), readOnly: false },
      ...(options.watchEveryMs === undefined ? {} : { watchEveryMs: options.watchEveryMs }),
      ...(options.listWithinMs === undefined ? {} : { listWithinMs: options.listWithinMs }),
    }),
  })
  const prompts: Prompt[] = []
  const clients: Client[] = []
  const visitor = { principal: alice, session: "the browser of alice" }
  const questionOf = async (link: string) => {
    const asked = await hub.get(link.slice(link.lastIndexOf("/") + 1))
    if (asked === undefined) throw new Error("There is no such question.")
    return asked
  }

  const pending = new Set<Promise<unknown>>()
  const allowIt = async (link: string, user: string): Promise<void> => {
    const asked = await questionOf(link)
    const begun = await vault.consent.begin(asked, visitor)
    if (begun.kind === "widened") return
    if (begun.kind !== "begun") throw new Error(`The consent did not begin: ${begun.kind}`)
    const login = await vault.consent.departureUrl(asked, visitor, begun.browser)
    if (login === undefined) throw new Error("The consent leads nowhere.")
    standIn.grant(login, user)
    await finished(hub, vault, asked.id)
  }

  const enter = async (kind: ClientKind, transport: Transport): Promise<Client> => {
    const client = await connect(kind, transport, async (prompt) => {
      prompts.push(prompt)
      return options.answer === undefined ? agree(prompt, whole) : options.answer(prompt, whole)
    })
    clients.push(client)
    return client
  }

  const house: Omit<House, "client"> & { client?: Client } = {
    ...{ standIn, hub, vault, prompts, reports, choices },
    async call(tool, input = {}) {
      const { client } = house
      if (client === undefined) throw new Error("There is no client.")
      return (await client.callTool({ name: tool, arguments: { ...input } })) as CallToolResult
    },
    allow(link, user = "alice") {
      const allowing = allowIt(link, user)
      pending.add(allowing.catch(() => {}))
      return allowing
    },
    async decline(link) {
      const { id } = await questionOf(link)
      await hub.answer(id, { by: alice, action: "decline", via: "web" })
    },
    open: (kind, through = (fetch) => fetch) => enter(kind, overHttp(through(mcp.fetch))),
    async stay(kind) {
      const [here, there] = InMemoryTransport.createLinkedPair()
      mcp.stdio({ transport: there })
      return enter(kind, here)
    },
    async close() {
      await Promise.all(pending)
      for (const client of clients) await client.close()
      await mcp.close()
      await vault.close()
      await hub.close()
      if (options.standIn === undefined) await standIn.close()
    },
  }
  const whole = house as House
  house.client = await house.open(options.client ?? "2026")
  return whole
}

/** Polls until the consent has ended: the stand-in has granted or denied access before. */
async function finished(hub: Hub, vault: Vault, id: string): Promise<void> {
  for (let rounds = 0; rounds < 1000; rounds++) {
    await vault.consent.work()
    const now = await hub.get(id)
    if (now?.status !== "pending" && now?.status !== "accepted") return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error("The consent did not come to its end.")
}

/** The default person: accepts every prompt, and grants access on every page. */
export async function agree(prompt: Prompt, house: House): Promise<Answered> {
  if (prompt.url !== undefined) {
    void house.allow(prompt.url)
    return { action: "accept" }
  }
  return { action: "accept", content: { confirmed: true } }
}

async function connect(
  kind: ClientKind,
  transport: Transport,
  answer: (prompt: Prompt) => Promise<Answered>,
): Promise<Client> {
  const client = new Client(
    { name: `client ${kind}`, version: "1" },
    { capabilities: capabilities[kind], versionNegotiation: { mode: modes[kind] } },
  )
  if (kind !== "mute")
    client.setRequestHandler(
      "elicitation/create",
      async ({ params }) => ({ ...(await answer(params as Prompt)) }) as never,
    )
  await client.connect(transport)
  return client
}

const overHttp = (fetch: (request: Request) => Promise<Response>): Transport =>
  new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), {
    fetch: (url, init) => fetch(new Request(url, init)),
  })

const capabilities = {
  "2026": { elicitation: { form: {}, url: {} } },
  "2025": { elicitation: { form: {}, url: {} } },
  "form-only": { elicitation: { form: {} } },
  mute: {},
} as const

const modes: Readonly<Record<ClientKind, VersionNegotiationMode>> = {
  "2026": "auto",
  "2025": "legacy",
  "form-only": "legacy",
  mute: "legacy",
}

export function textIn({ content }: CallToolResult): string {
  return content?.map((block) => (block.type === "text" ? block.text : "")).join("\n") ?? ""
}
