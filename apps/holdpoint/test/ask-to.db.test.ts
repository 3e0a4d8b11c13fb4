// `holdpoint ask --to` and `holdpoint serve` as two processes over Postgres, with people of an identity provider of
// their own: a person who has signed in once is found by name, e-mail address and id.

import { randomUUID } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CommandProcess, startCommand } from "./processes.ts"

const cwd = makeScratchFolder("ask-to-postgres")
/** Keeps the test apart from others in the same database. */
const tenant = randomUUID()
const env = {
  HOLDPOINT_KEYS: `k1:${Buffer.alloc(32, "over Postgres").toString("base64url")}`,
  HOLDPOINT_DATABASE: process.env.DATABASE_URL ?? "",
  HOLDPOINT_TENANT: tenant,
}
const start = (...argv: readonly string[]): CommandProcess => startCommand(argv, { cwd, env })

let idp: Oidc
let server: CommandProcess
let publicUrl: string

beforeAll(async () => {
  idp = await startOidc()
  const corp = { id: "corp", name: "Corp", issuer: idp.issuer, client: oidcClient, tenant }
  const config = { identityProviders: [corp], network: { allowLoopback: true } }
  writeFileSync(join(cwd, "holdpoint.config.mjs"), `export default ${JSON.stringify(config)}\n`)
  server = start("serve", "--port", "0", "--log", "off")
  publicUrl = (await server.prints(/Holdpoint is at (\S+)/))[1] ?? ""
  idp.allowRedirect(`${publicUrl}/signin/callback`)
})
afterAll(async () => {
  server.stop()
  await server.ended
  await idp.close()
  rmSync(cwd, { recursive: true, force: true })
})

async function signIn(user: string) {
  idp.settings.user = user
  const jar = openJarBrowser()
  const inbox = await jar.open(`${publicUrl}/inbox`)
  return { jar, inbox }
}

describe("over Postgres", () => {
  it("a person is unknown before the first sign-in, and found by name, e-mail and id after it", async () => {
    const early = await start("ask", "Where to?", "--to", "zoe", "--no-wait").ended
    expect(early.code).toBe(2)
    expect(early.err).toContain("No person called “zoe” is known here.")
    expect(early.err).toContain(`'zoe@${idp.issuer}'`)
    const { inbox } = await signIn("zoe")
    expect(inbox.text).toContain("Inbox")
    for (const word of ["zoe", "Zoe@Example.com"]) {
      const asked = await start("ask", `Where to, ${word}?`, "--to", word, "--no-wait").ended
      expect(asked).toMatchObject({ code: 0 })
    }
    const { inbox: later } = await signIn("zoe")
    expect(later.text).toContain("Where to, zoe?")
    expect(later.text).toContain("Where to, Zoe@Example.com?")
  })

  it("an answer in the inbox ends the wait of the process that asks", async () => {
    await signIn("max")
    const asking = start("ask", "Deploy?", "--to", "max")
    const [, id = ""] = await asking.prints(/id {7}(\S+)/)
    const { jar } = await signIn("max")
    const page = await jar.open(`${publicUrl}/inbox/${id}`)
    // The first form of the page is the one that signs out.
    await jar.submit({ ...page, text: page.text.slice(page.text.indexOf("<article")) }, { do: "yes" })
    expect(await asking.ended).toMatchObject({ code: 0, out: "{}\n" })
  })
})
