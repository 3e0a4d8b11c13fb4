// The example servers of the official MCP SDK as real processes, for tests. Each process has its own ports and is
// killed at the end of its test.

import { spawn } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { freePort } from "@holdpoint/testkit/free-port"
import { onTestFinished } from "vitest"

export interface OfficialServer {
  /** Its MCP endpoint. */
  readonly url: string
  readonly origin: string
  /** Where people sign in to it, if it has accounts. */
  readonly signIn: string
}

/** Starts an example. Retries with other ports when another process takes a port in between. */
export async function startOfficial(name: string, tries = 3): Promise<OfficialServer> {
  const [port, signInPort] = [await freePort(), await freePort()]
  const script = fileURLToPath(import.meta.resolve(`@modelcontextprotocol/sdk/examples/server/${name}.js`))
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, PORT: `${port}`, MCP_PORT: `${port}`, MCP_AUTH_PORT: `${signInPort}` },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const gone = once(child, "exit")
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await gone
  })
  let complaint = ""
  child.stderr.on("data", (text) => {
    complaint += text
  })
  const { promise: up, resolve } = Promise.withResolvers<true>()
  // They print their port when they listen there.
  createInterface({ input: child.stdout }).on("line", (line) => line.includes(`${port}`) && resolve(true))
  const isUp = await Promise.race([up, gone.then(() => false)])
  if (!isUp && tries > 1) return startOfficial(name, tries - 1)
  if (!isUp) throw new Error(`${name} did not start: ${complaint}`)
  const origin = `http://localhost:${port}`
  return { origin, url: `${origin}/mcp`, signIn: `http://localhost:${signInPort}` }
}

/** A signed-in person: the token of their MCP client, and the cookie of their browser. */
export interface SignedIn {
  readonly token: string
  readonly cookie: string
}

/** Signs in with the authorization code flow. The server asks for no password. */
export async function signIn({ signIn: issuer, url }: OfficialServer): Promise<SignedIn> {
  const redirect = "http://localhost/back"
  const registered = await fetch(`${issuer}/register`, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ redirect_uris: [redirect], token_endpoint_auth_method: "none" }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const verifier = randomBytes(32).toString("base64url")
  const challenge = createHash("sha256").update(verifier).digest("base64url")
  const asked = new URLSearchParams({
    ...{ client_id, redirect_uri: redirect, response_type: "code", resource: url },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
  })
  const back = await fetch(`${issuer}/authorize?${asked}`, { redirect: "manual" })
  const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? ""
  const params = new URLSearchParams({
    ...{ grant_type: "authorization_code", code, client_id, redirect_uri: redirect },
    ...{ code_verifier: verifier, resource: url },
  })
  const answered = await fetch(`${issuer}/token`, { method: "POST", body: params })
  const { access_token } = (await answered.json()) as { access_token: string }
  noteCanary("access_token", access_token)
  return { token: access_token, cookie: back.headers.getSetCookie()[0]?.split(";")[0] ?? "" }
}
