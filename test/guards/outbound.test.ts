// Only the guarded fetch makes outbound requests.

import { posix } from "node:path"
import { describe, expect, it } from "vitest"
import { importsOf, isUnder, type Source, sources, toCode } from "./sources.ts"

const guarded = "packages/fetching/src/guarded-fetch.ts"
/** Packages and folders that run on servers and know addresses that others wrote. The client runs in browsers. */
const concerned = [
  ...["fetching", "accounts", "server", "calls", "mcp", "slack", "email", "webhooks", "a2a"],
  "hub/src/sealing",
].map((folder) => `packages/${folder}`)

/** Serves requests: it converts them to Node's objects, which reach no other machine. */
const inbound = "packages/server/src/identity/authorization/to-fetch.ts"

/** Runs in browsers, and calls the server that it came from. */
const inBrowsers = "packages/server/src/web/assets"

/** Modules that can reach other machines. Their types may be imported anywhere; only the apps may serve with them. */
const outbound =
  /^(?:undici|node-fetch|axios|got|ws|(?:node:)?(?:https?|http2|net|tls|dgram|dns|dns\/promises))(?:$|\/(?!promises))/

/** Functions of oauth4webapi that make requests; the validate functions fetch keys. */
const requesting = /\b(?:\w+Request|validateApplicationLevelSignature|validateJwtAccessToken)\s*\(/

describe("requests to the outside", () => {
  it("are made only by the guarded fetch", () => {
    const faults = sources()
      .filter(
        ({ path }) =>
          isUnder(path, "packages/*/src") &&
          isUnder(path, ...concerned) &&
          !isUnder(path, inBrowsers) &&
          path !== guarded &&
          path !== inbound,
      )
      .flatMap((source) => faultsOf(source).map((fault) => `${source.path} ${fault}`))
    expect(faults, faults.join("\n")).toEqual([])
  })

  it("of oauth4webapi use our fetch instead of the global one", () => {
    const users = sources().filter(
      ({ path, text }) =>
        isUnder(path, "packages/*/src") && importsOf(text).some(({ specifier }) => specifier === "oauth4webapi"),
    )
    const giving = users.filter(({ text }) => /\[(?:\w+\.)?customFetch\]:/.test(text)).map(({ path }) => path)
    const isGiven = ({ path, text }: Source): boolean =>
      giving.includes(path) ||
      importsOf(text).some(
        ({ specifier }) =>
          giving.includes(posix.join(posix.dirname(path), specifier)) ||
          // The client of authorization servers, which gives our fetch to all others.
          (specifier === "@holdpoint/accounts/internal" && giving.includes("packages/accounts/src/oauth/client.ts")),
      )
    const faults = users.filter((source) => requesting.test(toCode(source.text).code) && !isGiven(source))
    expect(faults.map(({ path }) => path)).toEqual([])
    expect(giving).not.toEqual([])
  })

  it.each([
    "await fetch(url)",
    "const answer = globalThis.fetch(url)",
    "globalThis . fetch (url)",
    "const go = globalThis.fetch",
    "const go = options.fetch ?? fetch",
    "create({ fetch: fetch })",
    "create({ fetch })",
    'import { fetch } from "undici"',
    'import { request } from "node:https"',
    'import { connect } from "node:net"',
    'import dns from "node:dns/promises"',
    'const { Agent } = await import("undici")',
    "new WebSocket(url)",
    "new EventSource(url)",
  ])("are detected in: %s", (text) => {
    expect(faultsOf({ path: "a.ts", text })).not.toEqual([])
  })

  it.each([
    "await tools.fetch(url)",
    "const { fetch } = tools\nawait fetch(url)",
    "const fetch: Fetch = (input) => tools.fetch(input)\nuse({ fetch })",
    "export async function go(url: URL, fetch: Fetch) { await fetch(url) }",
    "export function toOptions(url: URL, { fetch }: Tools) { return fetch(url) }",
    "return { fetch: tools.fetch }",
    "interface Tools { readonly fetch: Fetch }",
    "// fetch(url)",
    'const words = "fetch(url)"',
    'import type { Server } from "node:http"',
    'import { fetchAll } from "./fetch.ts"',
    "const api = { async fetch(url) { await tools.fetch(url) } }",
  ])("are not detected in: %s", (text) => {
    expect(faultsOf({ path: "a.ts", text })).toEqual([])
  })
})

function faultsOf({ text }: Pick<Source, "path" | "text">): readonly string[] {
  const imports = importsOf(text)
    .filter(({ specifier, typeOnly }) => !typeOnly && outbound.test(specifier))
    .map(({ specifier }) => `imports ${specifier}`)
  const { code } = toCode(text)
  const calls = /\bglobalThis\s*\.\s*fetch\b|\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b/.exec(code)?.[0]
  const global = usesGlobalFetch(code) ? ["uses the global fetch"] : []
  return [...imports, ...(calls === undefined ? [] : [`uses ${calls}`]), ...global]
}

/** Whether the code uses the global `fetch`: not as a member or method, and not declared in the file. */
function usesGlobalFetch(code: string): boolean {
  const declared =
    /\b(?:const|let)\s*\{[^}=]*\bfetch\b[^}]*\}\s*=|\{[^{}()=;]*\bfetch\b[^{}()=;]*\}\s*:\s*\w|\bfetch\s*\??:\s*Fetch\b|\b(?:const|let|function)\s+fetch\b/
  if (declared.test(code)) return false
  const value = /(?<![.\w])fetch\b(?!\s*\??:)(?!\s*\([^()]*\)\s*(?::[^{]+)?\{)/
  return value.test(code) || /\bfetch\s*:\s*fetch\b/.test(code)
}
