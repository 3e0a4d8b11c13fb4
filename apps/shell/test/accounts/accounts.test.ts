// A script that needs an account of the person: a real authorization server asks for consent, and the script gets a
// socket on which requests carry the person's credentials. The script itself never gets them.

import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Vault } from "@holdpoint/accounts"
import type { Principal } from "@holdpoint/hub"
import type { Oidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import type { ClientKind, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { createCallers, resource } from "@holdpoint/testkit/mcp/server/tokens"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import type { Shell } from "../open-shell.ts"
import { plainAsk } from "../open-shell.ts"
import { opened } from "../opened.ts"
import { giveConsent, vaultAt } from "./consenting.ts"

/** The people whom the tokens of `createCallers` are for. */
const alice: Principal = { tenant: "acme", issuer: "https://id.example", subject: "alice" }
const bob: Principal = { ...alice, subject: "bob" }

let server: Oidc
beforeAll(async () => {
  server = await startOidc()
})
afterAll(() => server.close())
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const request = `{"mode":"connection","provider":"notes","message":"Connect your notes."}`
/** Asks for the account, and calls its API with curl: \`api PATH\`. */
const connecting = `${plainAsk}
connect() { ask "$1" '${request}' > "answer-$1"; socket=$(grep -o '"socket":"[^"]*"' "answer-$1" | cut -d'"' -f4); }
api() { curl --silent --show-error --unix-socket "$socket" "$@"; }
`

interface Opened extends Shell {
  readonly vault: Vault
  /** The tokens that the provider has issued. */
  readonly tokens: () => readonly string[]
  clientOf(kind: ClientKind, who: Principal, action?: "accept" | "decline"): Promise<TestClient>
}

async function openAccounts(scripts: Readonly<Record<string, string>>): Promise<Opened> {
  let vault: Vault | undefined
  const callers = await createCallers()
  const tokens: string[] = []
  const save = (token: { jti?: string; value?: string }): void => {
    noteCanary("access_token", token.jti)
    if (token.jti !== undefined) tokens.push(token.jti)
  }
  server.provider.on("access_token.saved", save)
  const shell = await opened({
    scripts,
    mcp: (parts) => {
      vault = vaultAt(server, parts)
      return { vault, callers: callers.server, hosts: ["server.example"] }
    },
  })
  const openedVault = vault as unknown as Vault
  closers.push(async () => {
    server.provider.off("access_token.saved", save)
    await openedVault.close()
  })
  return {
    ...shell,
    vault: openedVault,
    tokens: () => tokens,
    async clientOf(kind, who, action = "accept") {
      const headers = await callers.headersOf(who)
      const answer = async () => {
        const [question] = await shell.hub.list({ tenant: who.tenant, principal: who, state: "open", limit: 10 })
        if (action === "accept" && question !== undefined)
          giveConsent({ vault: openedVault, hub: shell.hub, server }, question, who).catch(console.error)
        return { action } as const
      }
      const client = await open(kind, { ...shell.endpoint, url: resource, headers } as never, { answer })
      closers.push(() => client.close())
      return client
    },
  }
}

describe.each(["v2 pinned to 2026-07-28", "v2 legacy"] as const)("a script that needs an account, at %s", (kind) => {
  it("reads the person's data with curl after consent, and finds no token in its files or environment", async () => {
    const script = `${connecting}
connect 1
api http://account/me
find "\${socket%/*}" -type f -exec cat {} +
cat answer-1 /proc/$$/environ /proc/$$/cmdline | tr '\\0' '\\n'
stat --format ' %a' "$socket" "\${socket%/*}"`
    const { clientOf, tokens, reports } = await openAccounts({ who: script })
    const client = await clientOf(kind, alice)
    const { text } = (await client.call("who", {}, { timeout: 30_000 })) as { text: string }
    expect(client.prompts).toHaveLength(1)
    expect(text).toMatch(/^\{"sub":"alice".*"provider":"notes","account":"alice@example.com".* 600\n 700\n$/s)
    expect(text).toContain("MCP_ELICIT_REQUEST_FILE")
    expect(tokens()).toHaveLength(1)
    for (const token of tokens()) expect(text).not.toContain(token)
    expect(reports).toEqual([])
  })

  it("gets decline from a person who refuses, and the same answer without a prompt when it asks again", async () => {
    const { clientOf } = await openAccounts({ who: `${connecting}\nconnect 1\nconnect 2\ncat answer-1 answer-2` })
    const client = await clientOf(kind, alice, "decline")
    const called = await client.call("who", {}, { timeout: 30_000 })
    expect(called).toMatchObject({ text: '{"action":"decline","content":null}'.repeat(2) })
    expect(client.prompts).toHaveLength(1)
  })
})

it("each person gets their own account, and the sockets are removed after the calls", async () => {
  const script = `${connecting}\nconnect 1\napi http://account/me\necho " $socket"`
  const { clientOf } = await openAccounts({ who: script })
  const words = []
  for (const who of [alice, bob]) {
    const called = (await (await clientOf("v2 legacy", who)).call("who", {}, { timeout: 30_000 })) as { text: string }
    words.push(called.text)
  }
  expect(words[0]).toContain('"sub":"alice"')
  expect(words[1]).toContain('"sub":"bob"')
  for (const text of words) expect(existsSync(text.trim().split(" ").at(-1) ?? "/")).toBe(false)
})

it("a script uses an account, gets 401 when it is disconnected, and can ask for it again in the same call", async () => {
  const script = `${connecting}
connect 1
api http://account/me > first
touch ready
until [ -e lost ]; do sleep 0.02; done
api --dump-header - http://account/me
connect 2
api http://account/me`
  const { clientOf, vault, folder } = await openAccounts({ who: script })
  const client = await clientOf("v2 legacy", alice)
  const called = client.call("who", {}, { timeout: 30_000 })
  const at = (name: string) => join(folder, "tools", "who", name)
  await vi.waitFor(() => expect(existsSync(at("ready"))).toBe(true), { timeout: 20_000 })
  const [connection] = await vault.listOfTenant("acme")
  await vault.disconnect(connection?.id ?? "", { by: alice })
  writeFileSync(at("lost"), "")
  const { text } = (await called) as { text: string }
  expect(text).toMatch(/^HTTP\/1\.1 401 .*x-holdpoint-error: connection_revoked/s)
  expect(text).toContain(
    "This account was disconnected. Connect it again to use it. Ask for the account again (mcp_connection notes).",
  )
  expect(text).toContain('"sub":"alice"')
  expect(client.prompts).toHaveLength(2)
})

it("a script that asks for an unknown provider, or where there are no accounts, gets a reason", async () => {
  const unknown = request.replace("notes", "note")
  const { clientOf } = await openAccounts({ who: `${plainAsk}\nask 1 '${unknown}'` })
  const called = (await (await clientOf("v2 legacy", alice)).call("who")) as { text: string }
  expect(JSON.parse(called.text)).toEqual({
    ...{ action: "error", content: null, reason: "invalid_request" },
    message: "There is no provider “note”. Did you mean notes?",
  })
  const { client } = await opened({ scripts: { who: `${plainAsk}\nask 1 '${request}'` } })
  const without = (await (await client("v2 legacy", () => ({ action: "accept" }))).call("who")) as { text: string }
  expect(JSON.parse(without.text)).toMatchObject({ action: "error", reason: "unsupported" })
})
