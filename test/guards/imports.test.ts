// Imports point left: hub ← fetching · calls ← accounts ← server · mcp ← agents ← slack · email · webhooks · a2a ← apps.
// Between packages the rule is each package.json, and the first table says what may stand in it; inside a package it is the
// table of its folders.

import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { filesUnder, type Import, importsOf, isUnder, read, sources, toCode } from "./sources.ts"

/** The packages of ours that a package may depend on; `optional` ones only as peers, behind an entry of their own. */
interface Layer {
  readonly may: readonly string[]
  readonly optional?: readonly string[]
  readonly because: string
}

const layers: Readonly<Record<string, Layer>> = {
  "packages/hub": { may: [], because: "the hub knows questions and people, and depends on no package at all" },
  "packages/fetching": { may: ["hub"], because: "fetching knows addresses and no accounts" },
  "packages/testing": { may: ["hub"], because: "the kit serves all users of the hub" },
  "packages/calls": {
    may: ["hub"],
    because: "a call knows questions, and accounts through a port; it knows no protocol",
  },
  "packages/accounts": {
    may: ["hub", "fetching"],
    because: "accounts know the hub as a port for questions, and no page",
  },
  "packages/client": { may: ["hub"], because: "the client runs in browsers, on the hub's types and streams" },
  "packages/terminal": { may: ["hub"], because: "a terminal shows the questions of a hub" },
  "packages/widget": { may: ["hub", "client"], because: "the widget runs in browsers, on forms and the client" },
  "packages/server": {
    may: ["hub", "fetching", "accounts"],
    because: "the server knows people and pages; parts plug in, and it knows none of them",
  },
  "packages/mcp": {
    may: ["hub", "fetching", "calls"],
    because: "MCP carries calls; who calls and which accounts there are is passed to it",
  },
  "packages/agents": {
    may: ["hub", "fetching", "calls", "accounts", "server", "mcp", "client"],
    because: "agents know no chat and no other protocol: those are parts that know agents",
  },
  "packages/slack": {
    may: ["hub", "fetching", "calls", "server"],
    optional: ["agents"],
    because: "a part knows no other part but agents, and those only behind an entry of its own",
  },
  "packages/email": { may: ["hub", "fetching", "server"], because: "a part knows no other part" },
  "packages/webhooks": { may: ["hub", "fetching", "server"], because: "a part knows no other part" },
  "packages/a2a": {
    may: ["hub", "fetching", "calls", "server"],
    optional: ["agents"],
    because: "a part knows no other part but agents, and those only behind an entry of its own",
  },
  "apps/nextcloud": {
    may: ["hub", "fetching", "calls", "accounts", "mcp"],
    optional: ["agents", "server"],
    because: "the Nextcloud server is a program of its own: tools, calls, accounts and MCP",
  },
  "apps/shell": { may: ["hub", "calls", "mcp", "accounts"], because: "scripts are calls that MCP carries" },
  "tools/nextcloud-stand-in": { may: [], because: "it would share the faults of what it is used to test" },
  "tools/slack-stand-in": { may: [], because: "it would share the faults of what it is used to test" },
  "tools/url-mode-conformance": { may: [], because: "it checks any server, with no package of ours" },
}

interface Rule {
  /** The other folders of the package that this one may import. */
  readonly may: readonly string[]
  /** Folders of which only types may be imported; "*" for all. */
  readonly typesOf?: readonly string[]
  /** Whether it may import packages and Node's modules. */
  readonly packages: boolean
  readonly because: string
}

const beside = "hub and stores stand beside each other: they meet in ports"

/** Folders inside packages, by their path; a package without rows has none. */
const rules: Readonly<Record<string, Rule>> = {
  "hub/core": { may: [], packages: false, because: "core is pure: it imports nothing but itself" },
  "hub/secrets": { may: ["core"], packages: false, because: "what counts as a secret is judged by words, purely" },
  "hub/ports": { may: ["core"], typesOf: ["*"], packages: false, because: "ports are types only, over core" },
  "hub/forms": {
    may: ["core", "secrets"],
    packages: false,
    because: "what renders forms runs in a browser, on core and secrets alone",
  },
  "hub/sealing": { may: ["core", "ports"], packages: true, because: "sealing knows neither accounts nor people" },
  "hub/due": { may: ["core", "ports"], packages: true, because: "due carries out late work, and knows no kind of it" },
  "hub/hub": { may: ["core", "secrets", "ports", "due"], packages: true, because: beside },
  "hub/stores": { may: ["core", "ports"], packages: true, because: beside },
  "hub/telemetry": {
    may: ["core", "ports", "sealing"],
    packages: false,
    because: "telemetry is told by ports/observer.ts: no folder imports it, and it loads no package",
  },
  "hub/outlets.ts": {
    may: ["core", "ports", "hub"],
    packages: false,
    because: "what authors of outlets need of the hub",
  },
  "hub/stream.ts": { may: ["core"], packages: false, because: "what reads streams runs in a browser, on core alone" },
  "hub/wire.ts": { may: ["core"], typesOf: ["core"], packages: false, because: "types for browsers, of core alone" },
  "hub/storage.ts": { may: ["ports"], packages: false, because: "the ports of a store, and no store" },
  "hub/index.ts": {
    may: ["core", "ports", "hub", "stores"],
    packages: false,
    because: "the front door re-exports",
  },
  "hub/internal.ts": {
    may: ["core", "ports", "secrets", "due", "hub", "stores", "sealing", "forms"],
    packages: false,
    because: "what the other packages need of this one is re-exported",
  },
  "accounts/oauth": {
    may: [],
    packages: true,
    because: "oauth is a client of any authorization server: it knows neither accounts nor people",
  },
  "server/identity": { may: [], packages: true, because: "identity knows people, and neither pages nor the API" },
  "server/web": { may: ["identity"], packages: true, because: "pages are made of what they are given" },
  "server/api": { may: ["identity"], packages: true, because: "the API is made of what it is given" },
  "server/http": {
    may: ["identity", "web", "api"],
    packages: true,
    because: "http serves pages and API, and is put together by compose",
  },
}

const library = "packages/"

describe("imports", () => {
  it("point left inside a package", () => {
    const broken = sources()
      .filter(({ path }) => isUnder(path, "packages/*/src"))
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

  it("point left between packages: each package.json names only packages to its left", () => {
    const homes = ["packages", "apps", "tools"]
      .flatMap((folder) => filesUnder(folder))
      .filter((path) => /^[^/]+\/[^/]+\/package\.json$/.test(path))
      .map(dirname)
    const broken = homes.flatMap((home) => judgeManifest(home, manifestOf(`${home}/`)))
    expect(broken, broken.join("\n")).toEqual([])
  })

  it.each([
    ["packages/hub", { dependencies: { undici: "1" } }, "no package at all"],
    ["packages/hub", { dependencies: { "@holdpoint/fetching": "1" } }, "no package at all"],
    ["packages/server", { dependencies: { "@holdpoint/slack": "1" } }, "it knows none of them"],
    ["packages/email", { peerDependencies: { "@holdpoint/slack": "1" } }, "no other part"],
    ["packages/new", {}, "no layer"],
  ])("between packages are refused: %s with %j", (home, manifest, because) => {
    expect(judgeManifest(home, manifest).join()).toContain(because)
  })

  it("of the hub install nothing: it has no dependency", () => {
    expect(manifestOf("packages/hub/").dependencies).toBeUndefined()
  })

  it("of the checks for any MCP server need no other package", () => {
    expect(dependenciesOf("tools/url-mode-conformance/src/index.ts")).toEqual([])
  })

  it("from ports load no code: ports declares only types", () => {
    const running = sources()
      .filter(({ path }) => path.startsWith("packages/hub/src/ports/"))
      .filter(({ text }) =>
        /\bexport\s+(?!type\b|interface\b|declare\b)|^(?:const|let|function)\b/m.test(toCode(text).code),
      )
    expect(running.map(({ path }) => path)).toEqual([])
  })

  it.each([
    ["hub/src/core/a.ts", "../ports/b.ts", false, "core is pure"],
    ["hub/src/core/a.ts", "node:crypto", true, "core is pure"],
    ["hub/src/core/a.ts", "../secrets/rule.ts", true, "core is pure"],
    ["hub/src/core/a.ts", "../telemetry/b.ts", true, "core is pure"],
    ["hub/src/secrets/a.ts", "node:crypto", false, "purely"],
    ["hub/src/ports/a.ts", "../core/b.ts", false, "ports are types only"],
    ["hub/src/hub/a.ts", "../stores/memory.ts", true, "beside each other"],
    ["hub/src/hub/a.ts", "../telemetry/b.ts", true, "beside each other"],
    ["hub/src/forms/a.ts", "../hub/b.ts", false, "in a browser"],
    ["hub/src/forms/a.ts", "hono/html", false, "in a browser"],
    ["hub/src/sealing/a.ts", "../hub/b.ts", false, "neither accounts nor people"],
    ["hub/src/telemetry/a.ts", "@opentelemetry/api", true, "loads no package"],
    ["hub/src/new/a.ts", "./b.ts", false, "no rule"],
    ["accounts/src/oauth/a.ts", "../vault/b.ts", true, "any authorization server"],
    ["server/src/web/a.ts", "../http/b.ts", false, "what they are given"],
    ["server/src/http/a.ts", "../compose/b.ts", true, "put together by compose"],
  ])("inside a package are refused: %s importing %s", (from, specifier, typeOnly, because) => {
    expect(judgeLayer(`${library}${from}`, { specifier, typeOnly })).toContain(because)
  })

  it.each([
    ["packages/hub/src/hub/a.ts", "../../test/b.ts"],
    ["packages/hub/src/hub/a.ts", "vitest"],
    ["packages/hub/src/hub/a.ts", "../../../calls/src/index.ts"],
    ["packages/server/src/http/a.ts", "@holdpoint/slack"],
    ["apps/holdpoint/src/a.ts", "../../../packages/hub/src/index.ts"],
    ["apps/holdpoint/src/a.ts", "@holdpoint/hub/src/index.ts"],
    ["apps/holdpoint/src/a.ts", "@holdpoint/testkit/verifies"],
    ["examples/1-a/main.ts", "../../packages/hub/src/index.ts"],
    ["examples/1-a/main.ts", "@holdpoint/hub/internal"],
    ["tools/nextcloud-stand-in/src/a.ts", "@holdpoint/nextcloud"],
    ["tools/nextcloud-stand-in/test/a.test.ts", "@holdpoint/hub"],
    ["tools/nextcloud-stand-in/test/a.test.ts", "../../../packages/hub/src/index.ts"],
    ["tools/url-mode-conformance/src/a.ts", "../../../packages/hub/src/index.ts"],
    ["tools/url-mode-conformance/src/a.ts", "@holdpoint/hub"],
  ])("are refused: %s importing %s", (from, specifier) => {
    expect(judgePackage(from, { specifier, typeOnly: false })).toBeDefined()
  })

  it.each([
    ["packages/hub/src/ports/a.ts", "../core/b.ts", true],
    ["packages/hub/src/stores/a.ts", "node:sqlite", false],
    ["packages/hub/src/stores/a.ts", "pg", false],
    ["packages/server/src/http/a.ts", "@holdpoint/hub/internal", false],
    ["packages/calls/src/a.ts", "./b.ts", false],
    ["apps/holdpoint/src/a.ts", "@holdpoint/hub/sqlite", false],
  ])("are allowed: %s importing %s", (from, specifier, typeOnly) => {
    expect(from.startsWith(library) ? judgeLayer(from, { specifier, typeOnly }) : undefined).toBeUndefined()
    expect(judgePackage(from, { specifier, typeOnly })).toBeUndefined()
  })
})

const complain = (path: string, { specifier }: Import, because: string | undefined): readonly string[] =>
  because === undefined ? [] : [`${path} imports "${specifier}": ${because}`]

function judgeLayer(path: string, { specifier, typeOnly }: Omit<Import, "isCall">): string | undefined {
  const [, home = "", folder = ""] = /^packages\/([^/]+)\/src\/([^/]+)/.exec(path) ?? []
  const hasRules = Object.keys(rules).some((name) => name.startsWith(`${home}/`))
  const rule = rules[`${home}/${folder}`]
  // The hub's folders are its layers, so that each needs a rule.
  if (rule === undefined) return home === "hub" ? `there is no rule for the folder ${folder}` : undefined
  if (!hasRules) return undefined
  if (!specifier.startsWith(".")) return rule.packages ? undefined : rule.because
  const reached = /^packages\/[^/]+\/src\/([^/]+)/.exec(join(dirname(path), specifier))?.[1] ?? ""
  if (!typeOnly && (rule.typesOf?.includes("*") || rule.typesOf?.includes(reached))) return rule.because
  return reached === folder || rule.may.includes(reached) ? undefined : rule.because
}

function judgeManifest(home: string, { dependencies, peerDependencies }: Manifest): readonly string[] {
  if (home === "apps/holdpoint" || home === "tools/testkit") return []
  const layer = layers[home]
  if (layer === undefined) return [`${home} has no layer: add it to the table, with the packages to its left`]
  const isOurs = (name: string): boolean => name === "holdpoint" || name.startsWith("@holdpoint/")
  const short = (name: string): string => name.replace("@holdpoint/", "")
  const needed = Object.keys(dependencies ?? {})
  const wrong = [
    ...needed.filter((name) => home === "packages/hub" || (isOurs(name) && !layer.may.includes(short(name)))),
    ...Object.keys(peerDependencies ?? {}).filter(
      (name) => isOurs(name) && ![...layer.may, ...(layer.optional ?? [])].includes(short(name)),
    ),
  ]
  return wrong.map((name) => `${home} depends on ${name}: ${layer.because}`)
}

/** Packages that must not import what they are used to test. */
const apart = ["tools/nextcloud-stand-in/", "tools/slack-stand-in/"]

function judgePackage(path: string, { specifier }: Omit<Import, "isCall">): string | undefined {
  const isApart = apart.some((folder) => path.startsWith(folder))
  const isOurs = /^@?holdpoint(\/|$)/.test(specifier) && !specifier.startsWith("@holdpoint/testkit/")
  if (isApart && (isOurs || /^(?:packages|apps)\//.test(join(dirname(path), specifier))))
    return "it would share the faults of what it is used to test"
  const folders = ["src", "bin"].flatMap((folder) => ["packages", "apps", "tools"].map((all) => `${all}/*/${folder}`))
  const isSource = isUnder(path, ...folders, "examples") && !path.startsWith("tools/testkit/")
  if (specifier.startsWith(".")) {
    const target = join(dirname(path), specifier)
    const home = /^(?:packages|apps|tools)\/[^/]+\/(?:src\/)?|^examples\//.exec(path)?.[0]
    if (home === undefined || target.startsWith(home) || !isSource) return undefined
    if (isUnder(path, "apps/*/bin", "tools/*/bin") && target.startsWith(path.split("/").slice(0, 2).join("/")))
      return undefined
    return "a package, app or example reaches others by package name only"
  }
  if (!isSource || specifier.startsWith("node:")) return undefined
  // Next.js uses this prefix for an app's own folder.
  if (specifier.startsWith("@/") && /^examples\/.*\/app\//.test(path)) return undefined
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ""
  if (!dependenciesOf(path).includes(name)) return `${name} is not a dependency in its package.json`
  if (path.startsWith("examples/") && specifier.endsWith("/internal")) return "an example uses public entries only"
  const home = homesByName.get(name)
  const isEntry = home === undefined || specifier.replace(name, ".") in (manifestOf(`${home}/`).exports ?? {})
  return isEntry ? undefined : "a package is imported through the entries that its package.json exports"
}

/** Folders of our packages by the name under which they are imported. */
const homesByName: ReadonlyMap<string, string> = new Map(
  ["packages", "apps", "tools"]
    .flatMap((folder) => filesUnder(folder))
    .filter((path) => /^[^/]+\/[^/]+\/package\.json$/.test(path))
    .map((path) => [(JSON.parse(read(path).text) as { readonly name: string }).name, dirname(path)]),
)

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
