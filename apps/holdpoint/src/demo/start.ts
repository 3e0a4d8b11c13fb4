// Starts the demo in one process: the store, the identity provider (alice, bob), a stand-in for Nextcloud, its MCP
// server, the agents and the pages. Contains no logic of its own.

import { basename, join } from "node:path"
import { nextcloudLogin } from "@holdpoint/accounts/providers"
import type { Runtime } from "@holdpoint/hub"
import { HoldpointError, paths } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import { type Callers, createMcp, type Mcp } from "@holdpoint/mcp"
import {
  choicesAbout,
  createNextcloudServer,
  createPolicies,
  createVaultAccounts,
  scopeWords,
  toolsets,
} from "@holdpoint/nextcloud"
import { people, type RunningStandIn, startKeptStandIn } from "@holdpoint/nextcloud-stand-in"
import type { Site } from "@holdpoint/server"
import type { PageChoices } from "@holdpoint/server/http"
import { createChoices } from "@holdpoint/server/identity"
import { webhooks } from "@holdpoint/webhooks"
import { a2a, a2aResource, createAgents, mcpResource, runResource } from "../agents.ts"
import { demoUsers, emailOf } from "../idp/users.ts"
import { openSealed, type SealedStorage } from "../sealed-storage.ts"
import type { Server } from "../serve/server.ts"
import { startServer } from "../serve/server.ts"
import { version } from "../version.ts"
import { wrongUse } from "../wrong-use.ts"
import { demoAgents } from "./agents.ts"
import { createPanelCallers } from "./callers.ts"
import { demoLinks } from "./frame.ts"
import type { DemoModel } from "./model.ts"
import { scriptedDemo } from "./model.ts"
import { createDemoPages } from "./pages.ts"

export interface Demo {
  readonly server: Server
  readonly standIn: RunningStandIn
  /** The URL of the MCP server, for clients that use OAuth. */
  readonly mcpUrl: string
  close(): Promise<void>
}

export interface DemoOptions {
  /** The folder for everything that is stored between runs: consents, and the data of the Nextcloud stand-in. */
  readonly folder: string
  readonly host: string
  readonly port: number
  readonly runtime: Runtime
  /** Default: the scripted model. */
  readonly model?: DemoModel
  /** How long a person has to answer in the chat. Default: 600 s. */
  readonly questionMs?: number
  readonly report: (activity: string, error: unknown) => void
}

const name = "Nextcloud tools"
const choice = { toolsets: new Set(toolsets), readOnly: false }

/** Alice and Bob have the same e-mail addresses there as at the demo's identity provider: people connect only their own. */
const standInUsers = people.map((account) => {
  const user = demoUsers.find(({ id }) => id === account.id)
  return user === undefined ? account : { ...account, email: emailOf(user) }
})

export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { folder, host, port, runtime, report, model = scriptedDemo, questionMs } = options
  const demoStorage = await openDemoStorage(options)
  const closers: (() => Promise<void>)[] = [() => demoStorage.storage.close()]
  try {
    const standIn = await startKeptStandIn({
      seed: true,
      users: standInUsers,
      grantButtons: true,
      file: join(folder, "demo.nextcloud"),
      report,
    })
    closers.unshift(() => standIn.close())
    const provider = { ...nextcloudLogin({ server: standIn.url, name: "Nextcloud (stand-in)" }), scopeWords }
    const choices: PageChoices = {
      kept: createChoices(demoStorage.storage, runtime),
      groups: async () => [await choicesAbout(choice, {})],
    }
    const server = await startServer({
      ...{ storage: demoStorage.storage, keys: demoStorage.keys, host, port, runtime, report },
      people: { from: "embedded" },
      providers: [provider],
      parts: [webhooks()],
      authorization: {
        resources: [
          { resource: paths.mcp, name, scopes: { [useScope]: useWords } },
          runResource,
          mcpResource,
          a2aResource,
        ],
        registration: {},
      },
      pages: { choices, adminRole: false, links: demoLinks },
      mounts: (site) => mountsOf(site, { folder, standIn, choices, model, questionMs }),
    })
    closers.unshift(() => server.close())
    return { server, standIn, mcpUrl: server.addresses.to(paths.mcp), close: () => closeAll(closers) }
  } catch (error) {
    await closeAll(closers).catch((closeError: unknown) => report("closing the demo", closeError))
    throw error
  }
}

const useScope = "nextcloud.use"
const useWords = "Use the Nextcloud tools in your name"

/** Closes one part after the other, even when one cannot be closed. Rejects with the first error. */
async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const close of closers) await close().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

async function openDemoStorage({ folder, report }: DemoOptions): Promise<SealedStorage> {
  const [database, file] = [join(folder, "demo.db"), join(folder, "demo.keys")]
  try {
    return await openSealed({ database, keys: { file }, advise: () => {}, report })
  } catch (error) {
    // Only the first sentence of the error: the other sentences explain how to recover a database.
    const [reason] = /^.*?\.(?=\s|$)/.exec(error instanceof Error ? error.message : String(error)) ?? [String(error)]
    throw wrongUse(`The data of an earlier run cannot be used. ${reason}`, "--reset deletes it and starts fresh.")
  }
}

/** Mounts the MCP server twice: with OAuth for other clients, and with the browser's session for the panel. */
function mountsOf(site: Site, { standIn, choices, folder, model, questionMs }: DemoParts): readonly Mount[] {
  const { addresses, identity } = site
  if (!("begin" in identity)) throw new HoldpointError("invalid_config", "There is no way to sign in.")
  const dataFolder = `.holdpoint/${basename(folder)}`
  return [
    createDemoMcp(site, site.callersAt(paths.mcp), { standIn, choices }),
    createDemoMcp(site, createPanelCallers({ identity, addresses }), { standIn, choices }),
    createAgents(site, demoAgents({ model, nextcloudUrl: standIn.url, questionMs }), {
      surfaces: [a2a({ version: version() })],
    }),
    createDemoPages({ addresses, identity, standInUrl: standIn.url, dataFolder, model }),
  ]
}

interface DemoParts {
  readonly folder: string
  readonly standIn: RunningStandIn
  readonly choices: PageChoices
  readonly model: DemoModel
  readonly questionMs: number | undefined
}

function createDemoMcp(
  site: Site,
  callers: Callers,
  { standIn, choices }: Pick<DemoParts, "standIn" | "choices">,
): Mcp {
  const { hub, vault, addresses, report } = site
  const { url } = standIn
  const accounts = createVaultAccounts({
    ...{ hub, vault, url, name, addresses, provider: "nextcloud", lifetimeMs: 300_000 },
  })
  return createMcp({
    ...site,
    ...{ callers, name },
    // Clients with this name get the error -32042 instead of a question, and call again.
    clients: { "try-it-here-later": { urlWay: "error" } },
    accessTools: false,
    server: createNextcloudServer({
      ...{ name: "holdpoint-nextcloud", version: version(), url, accounts, report },
      policies: createPolicies({}, choices.kept),
      choice,
    }),
  })
}
