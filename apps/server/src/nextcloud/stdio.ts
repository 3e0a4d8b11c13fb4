// On stdio, for the one person at this machine. What a client waits for at the start is loaded first; the pages and the
// vault when a call needs them.

import type { Accounts } from "@holdpoint/nextcloud"
import { createNextcloudServer, createPolicies } from "@holdpoint/nextcloud"
import { createAddresses, type Principal } from "@holdpoint/sdk"
import { createMcp } from "@holdpoint/sdk/mcp"
import type { Vault } from "@holdpoint/sdk/vault"
import type { Call, ExitCode } from "../command.ts"
import type { Server } from "../serve/server.ts"
import { stopped } from "../stopped.ts"
import { version } from "../version.ts"
import { createOwn, createSingle } from "./accounts.ts"
import { toLazyVault } from "./lazy-vault.ts"
import { onOwnGround, openPages, type PageGround } from "./own-pages.ts"
import type { Plan } from "./place.ts"

export async function serveStdio(call: Call, plan: Plan): Promise<ExitCode> {
  await onOwnGround(call, plan, (ground) => serve(call, plan, ground))
  return 0
}

async function serve(call: Call, plan: Plan, ground: PageGround): Promise<void> {
  const { nextcloud, settings } = plan
  const { hub, report } = ground
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
  const marks = (): LocalMarks => (opened !== undefined && "codeOf" in opened.identity ? opened.identity : unmarked)
  const addresses = createAddresses(ground.publicUrl, {
    codeOf: (id) => marks().codeOf(id),
    keyOf: (page) => marks().keyOf(page),
  })
  const vault = async (): Promise<Vault> => (await pages()).vault
  const accounts = toAccounts(plan, { hub, vault, addresses })
  const mcp = createMcp({
    ...{ hub, storage: ground.storage, keys: ground.keys, addresses, report, vault: toLazyVault(vault) },
    name: nextcloud.name,
    lifetimeMs: nextcloud.lifetimeMs,
    accessTools: false,
    callers: { local: principal },
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

type LocalMarks = NonNullable<Parameters<typeof createAddresses>[1]>

/** Before there are pages, no link leads to one. */
const unmarked: LocalMarks = { codeOf: () => "", keyOf: () => "" }

function toAccounts({ nextcloud }: Plan, made: Parameters<typeof createOwn>[1]): Accounts {
  const { mode } = nextcloud
  return mode.kind === "single" ? createSingle(nextcloud, mode) : createOwn(nextcloud, made)
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
