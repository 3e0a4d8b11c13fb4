// On stdio, for the one person at this machine. What a client waits for at the start is loaded first; the pages and the
// vault when a call needs them.

import { randomBytes } from "node:crypto"
import type { AddressInfo, Server as Port } from "node:net"
import type { Accounts } from "@holdpoint/nextcloud"
import { createNextcloudServer, createPolicies } from "@holdpoint/nextcloud"
import { createHub, type Hub, inbox, type Principal } from "holdpoint"
import { createMcp } from "holdpoint/mcp"
import type { Vault } from "holdpoint/vault"
import type { Call, ExitCode } from "../command.ts"
import type { Server } from "../serve/server.ts"
import { stopped } from "../stopped.ts"
import { version } from "../version.ts"
import { wrongUse } from "../wrong-use.ts"
import { createOwn, createSingle, networkOf, toProvider } from "./accounts.ts"
import { type Ground, openGround } from "./ground.ts"
import { toLazyVault } from "./lazy-vault.ts"
import { listenAt, takePort } from "./listen.ts"
import { type Plan, returnAddress } from "./place.ts"

/** Whatever is wrong, nothing is left open: a client waits until the process has ended. */
export async function serveStdio(call: Call, plan: Plan): Promise<ExitCode> {
  const report = (doing: string, error: unknown): void =>
    call.out.note(`holdpoint: ${doing} failed: ${error instanceof Error ? error.message : String(error)}`)
  const address = await takeAddress(plan)
  try {
    const ground = await openGround(plan, report)
    const hub = createHub({ storage: ground.storage, outlets: [inbox()], runtime: call.io.runtime, report })
    try {
      await serve(call, plan, { ...ground, ...address, hub })
    } finally {
      await hub.close()
      await ground.storage.close()
    }
  } finally {
    address.port.close()
  }
  return 0
}

async function serve(call: Call, plan: Plan, ground: PageGround): Promise<void> {
  const { nextcloud, settings } = plan
  const { hub, publicUrl, report } = ground
  const principal: Principal = { tenant: settings.me.tenant, issuer: "local", subject: settings.me.subject }
  let opening: Promise<Server> | undefined
  let opened: Server | undefined
  // Whoever lists the tools may need the vault as well: what was opened by whom it may be is closed at the end.
  const pages = async (): Promise<Server> => {
    opening ??= openPages(plan, ground)
    opened = await opening
    return opened
  }
  const choices = once(async () => (await import("./choices.ts")).choicesOf(plan, ground))
  const vault = async (): Promise<Vault> => (await pages()).vault
  const accounts = toAccounts(plan, { hub, vault, publicUrl, codeOf: (id) => codeIn(opened, id) })
  const mcp = createMcp({
    ...{ hub, storage: ground.storage, keys: ground.keys, publicUrl, report, vault: toLazyVault(vault) },
    name: nextcloud.name,
    lifetimeMs: nextcloud.lifetimeMs,
    accessTools: false,
    callers: { local: principal, codeOf: (id) => codeIn(opened, id) },
    server: createNextcloudServer({
      ...{ name: "holdpoint-nextcloud", version: version(), url: nextcloud.url, accounts, report },
      policies: createPolicies(nextcloud.confirm, {
        get: async (...given) => (await choices()).kept.get(...given),
        set: async (...given) => (await choices()).kept.set(...given),
      }),
      choice: { toolsets: nextcloud.toolsets, readOnly: nextcloud.readOnly },
      // Whoever is asked may need a page, and its code is shown with the question.
      async beforeCall() {
        await pages()
      },
    }),
  })
  const stdio = mcp.stdio()
  await Promise.race([stdio.closed, stopped(call.io.signal)])
  await mcp.close()
  const left = await opening?.catch(() => undefined)
  await left?.close()
}

/** Addresses that a provider sends people back to were registered there: then it is that one, and nothing else will do. */
async function takeAddress(plan: Plan): Promise<{ readonly port: Port; readonly publicUrl: string }> {
  const wanted = returnAddress(plan)
  try {
    const port = await takePort(wanted === undefined ? 0 : Number(wanted.port || 80))
    return { port, publicUrl: wanted?.origin ?? `http://127.0.0.1:${(port.address() as AddressInfo).port}` }
  } catch (error) {
    if (wanted === undefined) throw error
    throw wrongUse(
      `Nextcloud sends people back to ${wanted.origin}, and that port is taken: another client may have started this too.`,
      "Serve HTTP once for all of them (--http PORT), or use the login flow, which needs no address of its own.",
    )
  }
}

const codeIn = (server: Server | undefined, id: string): string =>
  server !== undefined && "codeOf" in server.identity ? server.identity.codeOf(id) : ""

function toAccounts({ nextcloud }: Plan, made: Parameters<typeof createOwn>[1]): Accounts {
  const { mode } = nextcloud
  return mode.kind === "single" ? createSingle(nextcloud, mode) : createOwn(nextcloud, made)
}

interface PageGround extends Ground {
  readonly hub: Hub
  readonly port: Port
  readonly publicUrl: string
}

async function openPages(plan: Plan, ground: PageGround): Promise<Server> {
  const { createHttpServer, startServer } = await import("../serve/server.ts")
  const { choicesOf } = await import("./choices.ts")
  const { nextcloud, settings } = plan
  const { storage, sealer, hub, port, publicUrl, report } = ground
  const { mode } = nextcloud
  const { subject: user, tenant } = settings.me
  const callbackUrl = returnAddress(plan) === undefined ? undefined : settings.pages.callbackUrl
  const http = createHttpServer()
  await listenAt(port, http)
  const providers = mode.kind === "offline" ? [await toProvider(nextcloud, mode.access, callbackUrl)] : []
  const starting = startServer({
    ...{ storage, sealer, report, publicUrl, providers, host: "127.0.0.1", port: 0 },
    existing: { http, hub },
    people: { from: "local", user, tenant, secret: randomBytes(32) },
    ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
    network: networkOf(nextcloud, settings),
    pages: { choices: choicesOf(plan, ground) },
  })
  // What did not start keeps no process from ending.
  starting.catch(() => http.close())
  return starting
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
