// Imports point left: core ← secrets · ports ← forms · sealing · fetching ← oauth · due ← hub · vault · identity · stores ← asking ←
// surfaces ← http ← compose ← apps. The rule is the table.

import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Import, importsOf, isUnder, read, sources, toCode } from "./sources.ts"

interface Rule {
  /** The other folders of the library that this one may import. */
  readonly may: readonly string[]
  /** Folders of which only types may be imported; "*" for all. */
  readonly typesOf?: readonly string[]
  /** Whether it may import packages and Node's modules. */
  readonly packages: boolean
  /** The prefixes of packages that it may not import. */
  readonly notPackages?: readonly string[]
  readonly because: string
}

const middle = ["secrets", "sealing", "fetching", "oauth", "due", "hub", "vault", "identity", "stores"]
const beside = "hub, vault, identity and stores stand beside each other: they meet in ports"

const rules: Readonly<Record<string, Rule>> = {
  core: { may: [], packages: false, because: "core is pure: it imports nothing but itself" },
  secrets: { may: ["core"], packages: false, because: "what counts as a secret is judged by words, purely" },
  ports: { may: ["core"], typesOf: ["*"], packages: false, because: "ports are types only, over core" },
  forms: {
    may: ["core", "secrets"],
    packages: false,
    because: "what renders forms runs in a browser, on core and secrets alone",
  },
  sealing: { may: ["core", "ports"], packages: true, because: "sealing knows neither accounts nor people" },
  fetching: { may: ["core", "ports"], packages: true, because: "fetching knows addresses and no accounts" },
  oauth: {
    may: ["core", "ports", "sealing", "fetching"],
    packages: true,
    because: "oauth is a client of any authorization server: it knows neither accounts nor people",
  },
  due: { may: ["core", "ports"], packages: true, because: "due carries out late work, and knows no kind of it" },
  hub: { may: ["core", "secrets", "ports", "due"], packages: true, because: beside },
  vault: { may: ["core", "ports", "sealing", "fetching", "oauth", "due"], packages: true, because: beside },
  identity: { may: ["core", "ports", "sealing", "fetching", "oauth", "due"], packages: true, because: beside },
  stores: { may: ["core", "ports"], packages: true, because: beside },
  asking: {
    may: ["core", "ports", "sealing", "due", "hub", "vault"],
    notPackages: ["@modelcontextprotocol"],
    packages: true,
    because: "asking knows questions and accounts, and no protocol: it imports no surface",
  },
  surfaces: {
    may: ["core", "ports", "forms", ...middle, "asking"],
    packages: true,
    because: "a surface imports what stands to its left, and no other surface",
  },
  http: {
    may: ["core", "ports", "forms", ...middle, "asking", "surfaces"],
    packages: true,
    because: "http imports what stands to its left",
  },
  compose: {
    may: ["core", "ports", ...middle, "asking", "surfaces", "http"],
    packages: true,
    because: "compose puts together what stands to its left",
  },
  telemetry: {
    may: ["core", "ports", "sealing"],
    packages: false,
    because: "telemetry is told by ports/observer.ts: no folder imports it, and it loads no package",
  },
  client: { may: ["core"], typesOf: ["core"], packages: false, because: "the client knows core's types and no more" },
  "ai-sdk": {
    may: ["core", "client"],
    typesOf: ["core"],
    packages: true,
    because: "agents as models of the AI SDK are a use of the client: of packages they import types alone",
  },
  testing: { may: ["core", "ports", "hub", "stores"], packages: true, because: "the kit serves all users of the hub" },
  "outlets.ts": { may: ["core", "ports", "hub"], packages: false, because: "what authors of outlets need of the hub" },
  "parts.ts": {
    may: ["core", "http", "compose", "surfaces"],
    packages: false,
    because: "what authors of parts need of the server",
  },
  "stream.ts": { may: ["core"], packages: false, because: "what reads streams runs in a browser, on core alone" },
  "storage.ts": { may: ["ports"], packages: false, because: "the ports of a store, and no store" },
  "index.ts": {
    may: ["core", "ports", ...middle, "asking", "surfaces", "http", "client"],
    packages: false,
    because: "the front door re-exports",
  },
}

const library = "packages/holdpoint/src"

/** The surfaces that are parts of a server: they import the port `Part`, and what their pages are made of. */
const parts = ["slack", "email", "webhook"]

describe("imports", () => {
  it("point left", () => {
    const broken = sources()
      .filter(({ path }) => path.startsWith(`${library}/`))
      .flatMap(({ path, text }) =>
        importsOf(text).flatMap((imported) => complain(path, imported, judgeLayer(path, imported))),
      )
    expect(broken, broken.join("\n")).toEqual([])
  })

  it("stay inside their package, or name a package that its package.json declares", () => {
    const broken = sources().flatMap(({ path, text }) =>
      importsOf(text).flatMap((imported) => complain(path, imported, judgePackage(path, imported))),
    )
    expect(broken, broken.join("\n")).toEqual([])
  })

  it("of the checks for any MCP server need no other package", () => {
    expect(dependenciesOf("tools/url-mode-conformance/src/index.ts")).toEqual([])
  })

  it("from ports load no code: ports declares only types", () => {
    const running = sources()
      .filter(({ path }) => path.startsWith(`${library}/ports/`))
      .filter(({ text }) =>
        /\bexport\s+(?!type\b|interface\b|declare\b)|^(?:const|let|function)\b/m.test(toCode(text).code),
      )
    expect(running.map(({ path }) => path)).toEqual([])
  })

  it.each([
    ["core/a.ts", "../ports/b.ts", false, "core is pure"],
    ["core/a.ts", "node:crypto", true, "core is pure"],
    ["core/a.ts", "../secrets/rule.ts", true, "core is pure"],
    ["secrets/a.ts", "node:crypto", false, "purely"],
    ["ports/a.ts", "../core/b.ts", false, "ports are types only"],
    ["hub/a.ts", "../stores/memory.ts", true, "beside each other"],
    ["forms/a.ts", "../surfaces/web/b.ts", false, "in a browser"],
    ["forms/a.ts", "hono/html", false, "in a browser"],
    ["sealing/a.ts", "../vault/b.ts", false, "neither accounts nor people"],
    ["fetching/a.ts", "../vault/b.ts", false, "no accounts"],
    ["oauth/a.ts", "../vault/b.ts", true, "any authorization server"],
    ["stores/a.ts", "../surfaces/terminal/index.ts", false, "beside each other"],
    ["asking/a.ts", "../surfaces/mcp/b.ts", false, "no surface"],
    ["asking/a.ts", "@modelcontextprotocol/server", true, "no protocol"],
    ["surfaces/mcp/a.ts", "../terminal/b.ts", false, "no other surface"],
    ["client/a.ts", "../core/b.ts", false, "core's types"],
    ["surfaces/mcp/a.ts", "../../parts.ts", false, "no other surface"],
    ["surfaces/slack/a.ts", "../../http/b.ts", false, "no other surface"],
    ["testing/a.ts", "../surfaces/terminal/index.ts", false, "the kit"],
    ["hub/a.ts", "../telemetry/b.ts", true, "beside each other"],
    ["core/a.ts", "../telemetry/b.ts", true, "core is pure"],
    ["telemetry/a.ts", "@opentelemetry/api", true, "loads no package"],
    ["unheard-of/a.ts", "./b.ts", false, "no rule"],
  ])("are refused: %s importing %s", (from, specifier, typeOnly, because) => {
    expect(judgeLayer(`${library}/${from}`, { specifier, typeOnly })).toContain(because)
  })

  it.each([
    [`${library}/hub/a.ts`, "../../test/b.ts"],
    [`${library}/hub/a.ts`, "vitest"],
    ["apps/holdpoint/src/a.ts", "../../../packages/hub/src/index.ts"],
    ["apps/holdpoint/src/a.ts", "@holdpoint/sdk/src/index.ts"],
    ["examples/1-a/main.ts", "../../packages/hub/src/index.ts"],
    ["tools/nextcloud-stand-in/src/a.ts", "@holdpoint/nextcloud"],
    ["tools/nextcloud-stand-in/test/a.test.ts", "@holdpoint/hub"],
    ["tools/nextcloud-stand-in/test/a.test.ts", "../../holdpoint/src/index.ts"],
    ["tools/url-mode-conformance/src/a.ts", "../../holdpoint/src/index.ts"],
    ["tools/url-mode-conformance/src/a.ts", "@holdpoint/hub"],
  ])("are refused: %s importing %s", (from, specifier) => {
    expect(judgePackage(from, { specifier, typeOnly: false })).toBeDefined()
  })

  it.each([
    [`${library}/ports/a.ts`, "../core/b.ts", true],
    [`${library}/surfaces/mcp/a.ts`, "./b.ts", false],
    [`${library}/surfaces/mcp/a.ts`, "../../hub/hub.ts", false],
    [`${library}/surfaces/mcp/a.ts`, "../../asking/b.ts", false],
    [`${library}/asking/a.ts`, "../vault/b.ts", false],
    [`${library}/surfaces/slack/a.ts`, "../../parts.ts", false],
    [`${library}/stores/a.ts`, "node:sqlite", false],
    [`${library}/stores/a.ts`, "pg", false],
    ["apps/holdpoint/src/a.ts", "@holdpoint/hub/sqlite", false],
  ])("are allowed: %s importing %s", (from, specifier, typeOnly) => {
    expect(from.startsWith(library) ? judgeLayer(from, { specifier, typeOnly }) : undefined).toBeUndefined()
    expect(judgePackage(from, { specifier, typeOnly })).toBeUndefined()
  })
})

const complain = (path: string, { specifier }: Import, because: string | undefined): readonly string[] =>
  because === undefined ? [] : [`${path} imports "${specifier}": ${because}`]

function judgeLayer(path: string, { specifier, typeOnly }: Omit<Import, "isCall">): string | undefined {
  const folder = folderOf(path)
  const rule = rules[folder]
  if (rule === undefined) return `there is no rule for the folder ${folder}`
  const isKeptOut = rule.notPackages?.some((start) => specifier.startsWith(start)) === true
  if (!specifier.startsWith(".")) return rule.packages && !isKeptOut ? undefined : rule.because
  const target = join(dirname(path), specifier)
  const reached = folderOf(target)
  if (!typeOnly && (rule.typesOf?.includes("*") || rule.typesOf?.includes(reached))) return rule.because
  if (folder === "surfaces" && reached === "parts.ts") return parts.includes(surfaceOf(path)) ? undefined : rule.because
  if (reached !== folder) return rule.may.includes(reached) ? undefined : rule.because
  return folder === "surfaces" && surfaceOf(path) !== surfaceOf(target) ? rule.because : undefined
}

const folderOf = (path: string): string => path.slice(library.length + 1).split("/")[0] ?? ""
const surfaceOf = (path: string): string => path.split("/")[4] ?? ""

/** The test files that tests of all packages may import: requirements, servers, databases, pages. */
const forAllTests = [
  "tools/testkit/src/verifies.ts",
  "tools/testkit/src/records.ts",
  "packages/holdpoint/test/vault/providers/",
  "tools/testkit/src/nextcloud/",
  "tools/url-mode-conformance/test/faulty/",
  "tools/testkit/src/hub/stores/engines.ts",
  "tools/testkit/src/hub/stores/overriding.ts",
  "tools/testkit/src/a2a/client/remote-agent.ts",
  "tools/testkit/src/email/mail-server.ts",
  "tools/testkit/src/hub/stores/processes/child.ts",
  "packages/holdpoint/test/surfaces/mcp/clients/",
  "tools/testkit/src/mcp/server/tokens.ts",
  "tools/testkit/src/server/web/in-page.ts",
  "tools/testkit/src/webhooks/receiver.ts",
  "tools/testkit/src/server/web/samples.ts",
  "tools/testkit/src/server/web/shrink.ts",
]

/** Packages that must not import what they are used to test. */
const apart = ["tools/nextcloud-stand-in/"]

function judgePackage(path: string, { specifier }: Omit<Import, "isCall">): string | undefined {
  const isApart = apart.some((folder) => path.startsWith(folder))
  if (
    isApart &&
    (/^@?holdpoint(\/|$)/.test(specifier) || join(dirname(path), specifier).startsWith("packages/holdpoint/"))
  )
    return "it would share the faults of what it is used to test"
  const isSource = isUnder(path, "packages/*/src", "packages/*/bin", "apps/*/src", "apps/*/bin", "examples")
  if (specifier.startsWith(".")) {
    const target = join(dirname(path), specifier)
    const home = /^(?:packages|apps)\/[^/]+\/(?:src\/)?|^examples\//.exec(path)?.[0]
    if (home === undefined || target.startsWith(home)) return undefined
    if (isUnder(path, "apps/*/bin") && target.startsWith(path.split("/").slice(0, 2).join("/"))) return undefined
    const isForTests = forAllTests.some((folder) => target.startsWith(folder))
    const isTest = !isSource && (isUnder(target, "packages/holdpoint/src", "test") || isForTests)
    const mayReach = isTest && !(path.startsWith("apps/") && isUnder(target, "packages/*/src"))
    return mayReach ? undefined : "a package, app or example reaches others by package name only"
  }
  if (!isSource || specifier.startsWith("node:")) return undefined
  // Next.js uses this prefix for an app's own folder.
  if (specifier.startsWith("@/") && /^examples\/.*\/app\//.test(path)) return undefined
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ""
  if (!dependenciesOf(path).includes(name)) return `${name} is not a dependency in its package.json`
  const isEntry = name !== "@holdpoint/hub" || entries.includes(specifier.replace("@holdpoint/hub", "."))
  return isEntry ? undefined : "the library is imported through the entries that its package.json exports"
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  /** The packages that an author installs to use that part. */
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string>>
}

function manifestOf(path: string): Manifest {
  const folder = path.startsWith("examples/") ? "examples" : path.split("/").slice(0, 2).join("/")
  return JSON.parse(read(`${folder}/package.json`).text) as Manifest
}

/**
 * A browser program that is bundled into one file before publishing, and the bundlers: they need development packages.
 */
const bundled = ["apps/holdpoint/src/demo/panel/", "apps/holdpoint/src/demo/bundle.ts", "packages/widget/src/script.ts"]

function dependenciesOf(path: string): readonly string[] {
  const { dependencies, peerDependencies, devDependencies } = manifestOf(path)
  const toMake = bundled.some((folder) => path.startsWith(folder)) ? devDependencies : {}
  return Object.keys({ ...dependencies, ...peerDependencies, ...toMake })
}
const entries = Object.keys(manifestOf("packages/holdpoint/").exports ?? {})
