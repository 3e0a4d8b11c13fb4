// The mode of the Nextcloud server, its environment variables, and the settings that stop the start with what to write instead.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { describe, expect, it, onTestFinished } from "vitest"
import { readSection } from "../../src/nextcloud/section.ts"
import { type Sources, toNextcloudSettings } from "../../src/nextcloud/settings.ts"
import { connect, run, serve, startCloud, titlesIn } from "./stage.ts"

const host = "https://cloud.example.org"
const provider = {
  OIDC_DISCOVERY_URL: "https://login.example.org/.well-known/openid-configuration",
  OIDC_CLIENT_ID: "client",
  OIDC_CLIENT_SECRET: "secret",
}
const single = { NEXTCLOUD_USERNAME: "alice", NEXTCLOUD_PASSWORD: "app-password" }

const settingsOf = (env: Sources["env"], file: Sources["file"] = {}) =>
  toNextcloudSettings({ file, env: { NEXTCLOUD_HOST: host, ...env }, flags: {} })
const modeOf = (env: Sources["env"], file: Sources["file"] = {}) => settingsOf(env, file).mode

describe("the mode", { timeout: 20_000 }, () => {
  it("is offline access by login flow by default", () => {
    expect(modeOf({})).toEqual({ kind: "offline", access: { by: "login_flow" }, people: undefined })
    expect(modeOf({ ENABLE_OFFLINE_ACCESS: "true" })).toMatchObject({ kind: "offline" })
  })

  it("is one account for all with a name and a password", () => {
    expect(modeOf(single)).toMatchObject({ kind: "single", username: "alice" })
    expect(modeOf({ ...single, ENABLE_OFFLINE_ACCESS: "false" })).toMatchObject({ kind: "single" })
  })

  it("is pass-through without offline access, for Nextcloud's address unless another name is given", () => {
    const people = { clientId: "client", issuer: "https://login.example.org" }
    expect(modeOf({ ...provider, ENABLE_OFFLINE_ACCESS: "false" })).toMatchObject({
      ...{ kind: "pass-through", people, audience: host, forwardsTokens: false },
    })
    expect(modeOf({ ...provider, ENABLE_OFFLINE_ACCESS: "0", NEXTCLOUD_AUDIENCE: "nextcloud" })).toMatchObject({
      audience: "nextcloud",
    })
  })

  it("connects by the client that is configured: the core's OAuth 2, or Nextcloud's own provider", () => {
    const oauth = { NEXTCLOUD_OAUTH_CLIENT_ID: "id", NEXTCLOUD_OAUTH_CLIENT_SECRET: "secret" }
    expect(modeOf(oauth)).toMatchObject({ access: { by: "oauth", clientId: "id" } })
    const own = { OIDC_CLIENT_ID: "client", OIDC_CLIENT_SECRET: "secret" }
    for (const discoveryUrl of [
      "",
      host,
      `${host}/.well-known/openid-configuration`,
      `${host}/index.php/.well-known/openid-configuration`,
      `${host}/index.php/apps/oidc/openid-configuration`,
    ])
      expect(modeOf({ ...own, OIDC_DISCOVERY_URL: discoveryUrl }), discoveryUrl).toMatchObject({
        access: { by: "oidc", issuer: host },
        people: { issuer: host },
      })
  })

  it("treats a provider on the same host as a separate one", () => {
    const besides = { ...provider, OIDC_DISCOVERY_URL: `${host}/auth/realms/a/.well-known/openid-configuration` }
    expect(modeOf(besides)).toMatchObject({
      access: { by: "login_flow" },
      people: { issuer: `${host}/auth/realms/a` },
    })
  })

  it.each([
    [{ ENABLE_OFFLINE_ACCESS: "false" }, /needs an identity provider/],
    [{ ENABLE_OFFLINE_ACCESS: "perhaps" }, /Write true or false/],
    [{ NEXTCLOUD_USERNAME: "alice" }, /NEXTCLOUD_PASSWORD is missing/],
    [{ NEXTCLOUD_PASSWORD: "secret" }, /NEXTCLOUD_USERNAME is missing/],
    [{ ...single, ENABLE_OFFLINE_ACCESS: "true" }, /one account for all; ENABLE_OFFLINE_ACCESS=true/],
    [{ ...single, ...provider }, /one account for all; OIDC_CLIENT_ID/],
    [{ NEXTCLOUD_HAND_ON_TOKENS: "true" }, /only with ENABLE_OFFLINE_ACCESS=false/],
    [{ OIDC_DISCOVERY_URL: provider.OIDC_DISCOVERY_URL }, /Set OIDC_CLIENT_ID too/],
    [{ ...provider, OIDC_DISCOVERY_URL: "login.example.org" }, /OIDC_DISCOVERY_URL is not the address/],
    [{ NEXTCLOUD_OAUTH_CLIENT_ID: "id" }, /NEXTCLOUD_OAUTH_CLIENT_SECRET/],
    [{ NEXTCLOUD_HOST: "ftp://cloud.example.org" }, /is not the address of a Nextcloud/],
    [{ NEXTCLOUD_HOST: "https://alice:secret@cloud.example.org" }, /contains a user name or a password/],
  ])("is refused with settings that do not fit together: %j", (env, words) => {
    expect(() => modeOf(env)).toThrow(words)
  })
})

describe("the address", { timeout: 20_000 }, () => {
  it.each([
    ["cloud.example.org", host],
    [`${host}/`, host],
    [`${host}/index.php`, host],
    [`${host}/nextcloud/index.php/`, `${host}/nextcloud`],
    [`${host}/nextcloud/index.php/apps/files/files?dir=/`, `${host}/nextcloud`],
    [`"${host}/"`, host],
    [`'${host}'\r`, host],
  ])("is read from %s as %s", (host, url) => {
    expect(settingsOf({ NEXTCLOUD_HOST: host }).url).toBe(url)
  })
})

describe("the section of the file", { timeout: 20_000 }, () => {
  it("is used unchanged when it is valid", () => {
    const file = readSection({ host, tools: ["notes"], readOnly: true, confirm: { "*": "never" }, timeoutSeconds: 60 })
    expect(toNextcloudSettings({ file, env: {}, flags: {} })).toMatchObject({
      ...{ url: host, readOnly: true, confirm: { "*": "never" }, lifetimeMs: 60_000 },
    })
  })

  it("sets whose account people may connect, their own by default, and refuses unknown words", () => {
    const file = readSection({ host, ownAccount: "confirm" })
    expect(settingsOf({ NEXTCLOUD_HOST: host }).ownAccount).toBe("required")
    expect(toNextcloudSettings({ file, env: {}, flags: {} }).ownAccount).toBe("confirm")
    expect(toNextcloudSettings({ file, env: { NEXTCLOUD_OWN_ACCOUNT: "off" }, flags: {} }).ownAccount).toBe("off")
    const wrong = () => settingsOf({ NEXTCLOUD_HOST: host, NEXTCLOUD_OWN_ACCOUNT: "confirmd" })
    expect(wrong).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ path: "NEXTCLOUD_OWN_ACCOUNT", suggestion: "Did you mean confirm?" })],
      }),
    )
  })

  it("sets how people are sent to a page, and the drafts' form, which has only the error", () => {
    const ways = ({ urlWay, drafts }: ReturnType<typeof settingsOf>) => ({ urlWay, drafts })
    expect(ways(settingsOf({ NEXTCLOUD_HOST: host }))).toEqual({ urlWay: "push", drafts: false })
    const file = readSection({ host, urlWay: "error" })
    expect(ways(toNextcloudSettings({ file, env: {}, flags: {} }))).toEqual({ urlWay: "error", drafts: false })
    const drafts = settingsOf({ NEXTCLOUD_HOST: host, NEXTCLOUD_DRAFTS: "true" })
    expect(ways(drafts)).toEqual({ urlWay: "error", drafts: true })
    const wrong = (env: object) => () => settingsOf({ NEXTCLOUD_HOST: host, ...env })
    const problem = (suggestion: string) =>
      expect.objectContaining({ problems: [expect.objectContaining({ path: "NEXTCLOUD_URL_WAY", suggestion })] })
    expect(wrong({ NEXTCLOUD_URL_WAY: "eror" })).toThrow(problem("Did you mean error?"))
    expect(wrong({ NEXTCLOUD_URL_WAY: "push", NEXTCLOUD_DRAFTS: "1" })).toThrow(
      problem("Write error, or leave it out."),
    )
  })

  it("reports all problems together, with the nearest names and never a value", () => {
    const wrong = {
      ...{ hosts: host, tools: "notes", readOnly: "yes", oauth: { clientID: "id", clientSecret: 7 } },
      ...{ timeout: 5, oidc: "secret-value" },
    }
    let problems: readonly unknown[] = []
    try {
      readSection(wrong)
    } catch (error) {
      ;({ problems } = error as { readonly problems: readonly unknown[] })
    }
    expect(problems).toMatchObject([
      { path: "nextcloud.hosts", suggestion: "Did you mean host?" },
      { path: "nextcloud.tools", message: "must be a list of text." },
      { path: "nextcloud.readOnly", message: "must be true or false." },
      { path: "nextcloud.oauth.clientID", suggestion: "Did you mean clientId?" },
      { path: "nextcloud.oauth.clientSecret", message: "must be text." },
      { path: "nextcloud.timeout" },
      { path: "nextcloud.oidc", message: "must be an object." },
    ])
    expect(JSON.stringify(problems)).not.toContain("secret-value")
  })

  it("stops the command at the start when it is invalid", async () => {
    const world = createWorld()
    const text = `export default { nextcloud: { host: "${host}", confirm: { nc_notes_delete_notes: "never", files: "no" }, toolz: [] } }`
    writeFileSync(join(world.cwd, "holdpoint.config.mjs"), text)
    const { code, err } = await world.run(["nextcloud"])
    expect(code).toBe(2)
    expect(err).toContain("nextcloud.toolz is not a setting. Did you mean tools?")
  })

  it("accepts only existing tools and toolsets", async () => {
    const world = createWorld()
    const confirm = { nc_notes_delete_notes: "never", filez: "always", files: "never", "*": "once" }
    writeFileSync(
      join(world.cwd, "holdpoint.config.mjs"),
      `export default ${JSON.stringify({ nextcloud: { host, confirm } })}`,
    )
    const { code, err } = await world.run(["nextcloud"])
    expect(code).toBe(2)
    expect(err).toContain(
      "nextcloud.confirm.nc_notes_delete_notes is neither a tool nor a toolset. Did you mean nc_notes_delete_note?",
    )
    expect(err).toContain("nextcloud.confirm.filez is neither a tool nor a toolset. Did you mean files?")
  })
})

describe("names of the environment", { timeout: 20_000 }, () => {
  it.each([
    ["ENABLE_PROGRESSIVE_CONSENT", "remove the variable"],
    ["MCP_SERVER_CLIENT_ID", "OIDC_CLIENT_ID"],
  ])(
    "%s, which has no meaning here, stops the start, and the error says what to write instead",
    async (name, words) => {
      const { code, err } = await run(["--host", host], { [name]: "true" })
      expect(code).toBe(2)
      expect(err).toContain(`${name} has no meaning here`)
      expect(err).toContain(words)
    },
  )

  it.each(["soon", "5", "100000"])("ELICITATION_TIMEOUT_SECONDS=%s is refused", (seconds) => {
    expect(() => settingsOf({ ELICITATION_TIMEOUT_SECONDS: seconds })).toThrow()
    expect(settingsOf({ ELICITATION_TIMEOUT_SECONDS: "60" }).lifetimeMs).toBe(60_000)
  })

  it("an invalid TOKEN_ENCRYPTION_KEY is refused with the reason, and is not shown", async () => {
    const short = Buffer.from("a key that is too short").toString("base64")
    const { code, err } = await run(["--host", host], { TOKEN_ENCRYPTION_KEY: short })
    expect(code).toBe(1)
    expect(err).toContain("TOKEN_ENCRYPTION_KEY")
    expect(err).toContain("has 23 bytes; a key has 32")
    expect(err).not.toContain(short)
  })

  it("--json prints the addresses as one line of JSON", async () => {
    const world = createWorld()
    const flags = ["--host", host, "--http", "0", "--json", "--database", "nextcloud.db"]
    const running = world.start(["nextcloud", ...flags], { env: single })
    const [line] = await running.prints(/^.*\/mcp.*$/m)
    running.stop()
    await running.done
    const { url, ...rest } = JSON.parse(line)
    const localKeyFile = join(world.cwd, "holdpoint.local-key")
    expect(rest).toEqual({ mcp: `${url}/mcp`, nextcloud: host, localKeyFile })
  })

  it.each([
    ["NEXTCLOUD_MCP_SERVER_URL", { NEXTCLOUD_MCP_SERVER_URL: "mcp.example.org" }, ["--http", "0"]],
    ["ELICITATION_CALLBACK_URL", { ELICITATION_CALLBACK_URL: "/oauth/callback" }, []],
    ["--http", {}, ["--http", "http"]],
    ["--http", {}, ["--http", "70000"]],
  ])("an invalid %s is refused under its own name", async (name, env, flags) => {
    const { code, err } = await run(["--host", host, ...flags], env)
    expect(code).toBe(2)
    expect(err).toContain(name)
    expect(err).toContain("Write")
  })

  it("NEXTCLOUD_MCP_SERVER_URL, with and without /mcp, is the address that is printed for clients", async () => {
    const cloud = await startCloud()
    const port = 4_999
    for (const end of ["", "/mcp", "/mcp/"]) {
      const world = createWorld()
      const env = { ...account, NEXTCLOUD_MCP_SERVER_URL: `http://127.0.0.1:${port}${end}` }
      const running = world.start(["nextcloud", "--host", cloud.url, "--http", "0"], { env })
      await running.prints(new RegExp(`are at http://127\\.0\\.0\\.1:${port}/mcp `))
      running.stop()
      expect((await running.done).code).toBe(0)
    }
  })

  it("with only spaces as their value count as unset", async () => {
    const cloud = await startCloud()
    const names = ["TOKEN_STORAGE_DB", "TOKEN_ENCRYPTION_KEY", "NEXTCLOUD_MCP_SERVER_URL", "ELICITATION_CALLBACK_URL"]
    const env = { ...Object.fromEntries(names.map((name) => [name, "  "])), XDG_DATA_HOME: newFolder() }
    const { code, err } = await run(["doctor", "--host", cloud.url], env)
    expect({ code, err }).toEqual({ code: 0, err: "" })
  })

  it("the command ends immediately when it is stopped while the identity provider does not answer", async () => {
    const called = Promise.withResolvers<void>()
    const silent = createServer(() => called.resolve())
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const env = { OIDC_DISCOVERY_URL: `http://127.0.0.1:${port}`, OIDC_CLIENT_ID: "x", OIDC_CLIENT_SECRET: "y" }
    const argv = ["nextcloud", "--host", host, "--http", "0", "--database", "stopped.db"]
    const running = createWorld().start(argv, { env })
    await called.promise
    running.stop()
    expect(await running.done).toMatchObject({ code: 1, out: "", err: expect.stringContaining("Stopped.") })
  })

  it("TOKEN_STORAGE_DB and TOKEN_ENCRYPTION_KEY set where consents are stored, and under which key", async () => {
    const cloud = await startCloud()
    const folder = newFolder()
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")
    // As in a file that was written on another system.
    const env = { TOKEN_STORAGE_DB: `${join(folder, "tokens.db")}\r`, TOKEN_ENCRYPTION_KEY: ` ${key}\r` }
    const running = createWorld().start(["nextcloud", "--host", cloud.url, "--http", "0"], { env })
    await running.prints(/are at/)
    running.stop()
    await running.done
    expect(readdirSync(folder)).toContain("tokens.db")
    expect(readdirSync(folder)).not.toContain("holdpoint.keys")
    const other = { ...env, TOKEN_ENCRYPTION_KEY: Buffer.alloc(32, "another key").toString("base64") }
    const { code, err } = await run(["--host", cloud.url, "--http", "0"], other)
    expect(code).toBe(1)
    expect(err).not.toContain(key)
  })

  it.each([false, true])(
    "the database of another Nextcloud MCP server is refused and not changed, even while in use (%s)",
    async (inUse) => {
      const folder = newFolder()
      const path = join(folder, "tokens.db")
      const peer = new DatabaseSync(path)
      if (inUse) peer.exec("PRAGMA journal_mode = WAL")
      peer.exec("CREATE TABLE refresh_tokens (user_id TEXT PRIMARY KEY, encrypted_token BLOB)")
      peer.exec("CREATE TABLE IF NOT EXISTS app_passwords (user_id TEXT PRIMARY KEY, encrypted_password TEXT)")
      if (!inUse) peer.close()
      else onTestFinished(() => peer.close())
      const bytes = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString("base64")])
      const before = bytes()
      const { code, err } = await run(["--host", host], { TOKEN_STORAGE_DB: path })
      expect(code).toBe(2)
      expect(err).toContain("is the database of another Nextcloud MCP server")
      expect(err).toContain("each person connects again")
      expect(bytes()).toEqual(before)
    },
  )
})

const account = { NEXTCLOUD_USERNAME: "alice", NEXTCLOUD_PASSWORD: "alice-Pass-2026" }

describe("offline access on the person's own machine", { timeout: 20_000 }, () => {
  it("gives a client that cannot ask the link with the code that the page shows", async () => {
    const { mcp } = await serve(await startCloud())
    const client = await connect(mcp)
    const provisioned = await client.callTool({ name: "provision_nextcloud_access", arguments: {} })
    const { link } = provisioned.structuredContent as { link: string }
    const code = /The page shows the code (\w{3}-\w{3})\./.exec(JSON.stringify(provisioned.content))?.[1]
    expect((await openJarBrowser().open(link)).text).toContain(code ?? "no code")
  })
})

describe("a single user", { timeout: 20_000 }, () => {
  it("needs no consent over HTTP on this machine", async () => {
    const cloud = await startCloud()
    const { mcp } = await serve(cloud, account)
    const client = await connect(mcp)
    expect((await client.listTools()).tools.filter(({ name }) => /access|provision|logged/.test(name))).toEqual([])
    expect(titlesIn(await client.callTool({ name: "nc_notes_list_notes", arguments: {} }))).not.toEqual([])
  })

  it.each([
    ["--listen", "0.0.0.0"],
    ["--listen", "::"],
    ["--public-url", "https://tools.example.org"],
  ])("is not served where other machines reach it: %s %s", async (...flags) => {
    const { code, err } = await run(["--host", host, "--http", "0", ...flags], account)
    expect(code).toBe(2)
    expect(err).toContain("would act as the account alice")
    expect(err).not.toContain(account.NEXTCLOUD_PASSWORD)
  })

  it("is told when the password does not work, and what to do", async () => {
    const cloud = await startCloud()
    const { mcp } = await serve(cloud, { ...account, NEXTCLOUD_PASSWORD: "wrong-Pass-2026" })
    const client = await connect(mcp)
    const result = await client.callTool({ name: "nc_notes_list_notes", arguments: {} })
    expect(JSON.stringify(result.content)).toContain(
      "NEXTCLOUD_USERNAME and NEXTCLOUD_PASSWORD of this server have to be corrected",
    )
  })
})

describe("people's own accounts without an identity provider", { timeout: 20_000 }, () => {
  it("are not served where other machines reach them", async () => {
    const { code, err } = await run(["--host", host, "--http", "0", "--listen", "0.0.0.0"])
    expect(code).toBe(2)
    expect(err).toContain("would be taken for the person at this machine")
    expect(err).toContain("OIDC_DISCOVERY_URL")
  })
})

function newFolder(): string {
  const folder = makeScratchFolder("modes")
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
